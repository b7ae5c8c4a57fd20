import { Command, InvalidArgumentError } from 'commander';
import type { QuoteOptions } from '../commands/quote';
import type { StartOptions } from '../commands/start';
import type { ValidateOptions } from '../commands/validate';
import type { CliContext } from '../context';

const VALIDATE_HELP = `
A document is one order: a list of orders or a file of several documents is refused.
A folder stands for its .json, .yaml and .yml files, without subfolders and the accounts file.

--fix corrects what can only have been meant in one way: the spelling of codes, keys and states, lost leading zeros,
the form of dates, numbers and texts of the wrong type, letters outside ASCII, a liftgate that must be set. Mistaken
units, days and lengths of texts stay problems. The corrected document goes to standard output, JSON as JSON and YAML
as YAML with its comments (several YAML documents each begin with ---), everything else to standard error. The exit
code is 0 when it is good, 2 when problems are left.
`;

/** `consign validate`. */
export function validateCommand(context: CliContext): Command {
  return new Command('validate')
    .description('check orders without starting them: every problem at once, with its remedy')
    .argument('<paths...>', 'order documents in JSON or YAML, or folders of them; - is standard input')
    .option('--json', 'print one JSON object for each order')
    .option('--fix', 'correct what is certain and print the corrected documents')
    .option('--write', 'with --fix: rewrite the files that are good then, and print no documents')
    .addHelpText('after', VALIDATE_HELP)
    .action(async (paths: string[], options: ValidateOptions) => {
      const { validate } = await import('../commands/validate.ts');
      await validate(context, paths, options);
    });
}

/** `consign quote`. */
export function quoteCommand(context: CliContext): Command {
  return new Command('quote')
    .description('ask what each order would cost now; books nothing. Exit code 1 when an order has no rate')
    .argument('<files...>', 'order documents, JSON or YAML; - is standard input')
    .option('--json', 'print one JSON object for each order')
    .option(
      '--wait <seconds>',
      'how long LTL rates are awaited at the most, instead of the policy',
      parseSeconds,
    )
    .action(async (files: string[], options: QuoteOptions) => {
      const { quote } = await import('../commands/quote.ts');
      await quote(context, files, options);
    });
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds <= 0) throw new InvalidArgumentError('give seconds, more than 0.');
  return seconds;
}

/** `consign start`. */
export function startCommand(context: CliContext): Command {
  return new Command('start')
    .description('start the shipment of each order; safe to repeat, an order is never started twice')
    .argument('<files...>', 'order documents, JSON or YAML; - is standard input')
    .option('--json', 'print one JSON object for each order')
    .option(
      '--checked <text>',
      'what you checked at the marketplace to know that nothing is booked; needed after a withdrawn, cancelled, terminated or timed-out run',
    )
    .option('--by <name>', 'who checked it; needed with --checked')
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
