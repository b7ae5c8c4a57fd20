import { Command, InvalidArgumentError, Option } from 'commander';
import type { ImportOptions } from '../commands/import';
import type { QuoteOptions } from '../commands/quote';
import type { StartOptions } from '../commands/start';
import type { ValidateOptions } from '../commands/validate';
import type { CliContext } from '../context';
import { DELIMITER_NAMES, TABLE_FORMATS } from '../table-formats';

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

const IMPORT_HELP = `
CSV has a header and one order in each row. A column is a field of the order with dots, and positions in lists count from 1:
destination.address.city, items.1.title. An empty cell leaves its field out. --template prints a header with an example row.
JSON lines have one order document in each line.

Every row is checked before the first order starts. A problem names file, line and column. The exit code is that of the worst
row: 2 when rows are invalid, 3 when an order id belongs to another document.
`;

/** `consign import`. */
export function importCommand(context: CliContext): Command {
  return new Command('import')
    .description(
      'start the orders of a CSV file, or of JSON lines; safe to run again: it starts only what is missing',
    )
    .argument('[file]', 'the file; - is standard input')
    .addOption(
      new Option('--template <kind>', 'print a CSV file with one example order, and start nothing').choices([
        'furniture',
        'ltl',
      ]),
    )
    .option('--dry-run', 'check every row and start nothing')
    .option(
      '--skip-invalid',
      'start the valid rows; write the others with their problems to a file for corrections',
    )
    .option('--rejected <file>', 'the file for corrections; default: beside FILE, as in orders.rejected.csv')
    .option('--parallel <n>', 'how many orders are started at once, 1 to 64', parseParallel, 8)
    .addOption(
      new Option('--delimiter <name>', 'what is between two cells; default: found in the header').choices(
        Object.keys(DELIMITER_NAMES),
      ),
    )
    .addOption(
      new Option('--format <format>', 'the format; default: found in the first line').choices(TABLE_FORMATS),
    )
    .option('--json', 'print one JSON object for each row; with --template: the order as JSON')
    .addHelpText('after', IMPORT_HELP)
    .hook('preAction', needFile)
    .action(async (file: string | undefined, options: ImportOptions) => {
      const { importFile, printTemplate } = await import('../commands/import.ts');
      if (options.template !== undefined) await printTemplate(context, options.template, options);
      else if (file !== undefined) await importFile(context, file, options);
    });
}

const MOST_PARALLEL = 64;

function parseParallel(text: string): number {
  const parallel = Number(text);
  if (!Number.isInteger(parallel) || parallel < 1 || parallel > MOST_PARALLEL)
    throw new InvalidArgumentError(`give a whole number from 1 to ${MOST_PARALLEL}.`);
  return parallel;
}

function needFile(command: Command): void {
  const { template, dryRun, skipInvalid, rejected } = command.opts<ImportOptions>();
  const [file] = command.args;
  if ((template === undefined) === (file === undefined))
    command.error('Give a file, or --template with the kind of order.');
  if (dryRun === true && skipInvalid === true)
    command.error('--dry-run starts nothing: omit --skip-invalid.');
  if (rejected !== undefined && skipInvalid !== true) command.error('--rejected requires --skip-invalid.');
  if (skipInvalid === true && file === '-' && rejected === undefined)
    command.error('Standard input has no folder: name the file for corrections with --rejected.');
}
