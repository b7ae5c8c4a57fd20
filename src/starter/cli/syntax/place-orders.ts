import { Command, InvalidArgumentError } from 'commander';
import type { QuoteOptions } from '../commands/quote';
import type { StartOptions } from '../commands/start';
import type { ValidateOptions } from '../commands/validate';
import type { CliContext } from '../context';

const VALIDATE_HELP = `
A document contains one order. A list of orders, or a file with several documents, is invalid.
A folder stands for its .json, .yaml and .yml files, without its subfolders and the accounts file.

--fix corrects only what has a single possible meaning: the spelling of codes, keys and states, lost leading zeros,
the format of dates, numbers and texts of the wrong type, letters outside ASCII, and a required liftgate. It does not
correct units, days or the length of texts. It prints the corrected document to standard output: JSON as JSON, YAML as
YAML with its comments, and a --- line before each of several YAML documents. Everything else goes to standard error.
The exit code is 0 when every order is valid, 2 when problems remain.
`;

/** `consign validate`. */
export function validateCommand(context: CliContext): Command {
  return new Command('validate')
    .description('report every problem of each order, with its remedy; starts nothing')
    .argument('<paths...>', 'order documents in JSON or YAML, or folders of them; - is standard input')
    .option('--json', 'print one JSON object for each order')
    .option('--fix', 'correct what has a single possible meaning, and print the corrected documents')
    .option(
      '--write',
      'with --fix: rewrite the files that are valid after the corrections, and print no documents',
    )
    .addHelpText('after', VALIDATE_HELP)
    .action(async (paths: string[], options: ValidateOptions) => {
      const { validate } = await import('../commands/validate.ts');
      await validate(context, paths, options);
    });
}

/** `consign quote`. */
export function quoteCommand(context: CliContext): Command {
  return new Command('quote')
    .description('show what each order would cost now; books nothing; exit code 1 when an order gets no rate')
    .argument('<files...>', 'order documents, JSON or YAML; - is standard input')
    .option('--json', 'print one JSON object for each order')
    .option('--wait <seconds>', 'maximum time to wait for LTL rates; default: as in the policy', parseSeconds)
    .action(async (files: string[], options: QuoteOptions) => {
      const { quote } = await import('../commands/quote.ts');
      await quote(context, files, options);
    });
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds <= 0)
    throw new InvalidArgumentError('give a number of seconds above 0.');
  return seconds;
}

/** `consign start`. */
export function startCommand(context: CliContext): Command {
  return new Command('start')
    .description('start the shipment of each order; safe to run again: an order never starts twice')
    .argument('<files...>', 'order documents, JSON or YAML; - is standard input')
    .option('--json', 'print one JSON object for each order')
    .option(
      '--checked <text>',
      'what you checked at the marketplace to know that nothing is booked; required after a withdrawn, cancelled, terminated or timed-out run',
    )
    .option('--by <name>', 'who checked it; required with --checked')
    .hook('preAction', needBoth)
    .action(async (files: string[], options: StartOptions) => {
      const { start } = await import('../commands/start.ts');
      await start(context, files, options);
    });
}

function needBoth(command: Command): void {
  const { checked, by } = command.opts<StartOptions>();
  if ((checked === undefined) !== (by === undefined))
    command.error('Give --checked and --by together: what you checked, and your name.');
}
