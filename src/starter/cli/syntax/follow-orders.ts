import { Command, Option } from 'commander';
import { commandLines } from '../../../domain/command-lines';
import type { DisputePackOptions } from '../commands/dispute-pack';
import type { DocumentsOptions } from '../commands/documents';
import type { ExportOptions } from '../commands/export';
import type { ListOptions } from '../commands/inspect';
import type { CliContext } from '../context';
import { TABLE_FORMATS } from '../table-formats';
import { orderArgument } from '../order-argument';
import { parseLimit } from '../parse-limit';

interface JsonOption {
  readonly json?: boolean;
}

/** `consign list`. */
export function listCommand(context: CliContext): Command {
  return new Command('list')
    .description('list each order once, newest first')
    .option('--attention', `only orders that need a person; \`${commandLines.attention()}\` shows why`)
    .option('--query <filter>', "a filter in Temporal's language, such as \"ShipmentPhase = 'booked'\"")
    .option('--limit <n>', 'maximum number of orders', parseLimit, 50)
    .option('--json', 'print JSON')
    .action(async (options: ListOptions) => {
      const { listOrders } = await import('../commands/inspect.ts');
      await listOrders(context, options);
    });
}

/** `consign show`. */
export function showCommand(context: CliContext): Command {
  return new Command('show')
    .description('show one shipment: what it waits for, its details and its timeline')
    .addArgument(orderArgument())
    .option('--json', 'print the view as JSON')
    .action(async (text: string, options: JsonOption) => {
      const { showOrder } = await import('../commands/inspect.ts');
      await showOrder(context, text, options);
    });
}

/** `consign watch`. */
export function watchCommand(context: CliContext): Command {
  return new Command('watch')
    .description('follow one shipment until it ends: its timeline, and what it waits for')
    .addArgument(orderArgument())
    .option('--json', 'print each line of the timeline as JSON')
    .action(async (text: string, options: JsonOption) => {
      const { watchOrder } = await import('../commands/inspect.ts');
      await watchOrder(context, text, options);
    });
}

/** `consign documents`. */
export function documentsCommand(context: CliContext): Command {
  return new Command('documents')
    .description(
      'list the documents of a shipment: images, bill of lading, attachments; --out saves them, --retry requests the missing ones again',
    )
    .addArgument(orderArgument())
    .option('--out <folder>', 'save the documents in this folder, each checked against its hash')
    .option('--force', 'with --out: replace existing files whose content differs')
    .option('--json', 'print one JSON object for each document; with --retry: the outcome')
    .option('--retry', 'request the missing documents from the marketplace again; requires --by and --reason')
    .option('--by <name>', 'with --retry: who asks')
    .option('--reason <text>', 'with --retry: why; kept in the timeline')
    .hook('preAction', needStatement)
    .action(async (text: string, options: DocumentsOptions) => {
      const { orderDocuments } = await import('../commands/documents.ts');
      await orderDocuments(context, text, options);
    });
}

function needStatement(command: Command): void {
  const { retry, by, reason } = command.opts<DocumentsOptions>();
  if (retry === true && (by === undefined || reason === undefined))
    command.error('--retry requires --by and --reason: who asks, and why.');
}

const PACK_HELP = `
The pack has the price or the rates, what each request was built from, who decided what, the documents and photos, the
timeline, the prices over time and the marketplace's words. README.txt lists what is missing. The pack contains personal
data, and its files are readable by you only.
`;

/** `consign dispute-pack`. */
export function disputePackCommand(context: CliContext): Command {
  return new Command('dispute-pack')
    .description('collect everything about a shipment that a claim needs, in one folder or zip file')
    .addArgument(orderArgument())
    .requiredOption('--out <path>', 'where to write it: a folder, or a file that ends in .zip')
    .option('--force', 'replace existing files whose content differs')
    .option('--json', 'print what was written as JSON')
    .addHelpText('after', PACK_HELP)
    .action(async (text: string, options: DisputePackOptions) => {
      const { disputePack } = await import('../commands/dispute-pack.ts');
      await disputePack(context, text, options);
    });
}

/** `consign export`. */
export function exportCommand(context: CliContext): Command {
  return new Command('export')
    .description('print the orders that were placed on some days: states, carrier, prices and times, as CSV')
    .requiredOption('--from <day>', 'the first day, as YYYY-MM-DD; days are those of UTC')
    .requiredOption('--to <day>', 'the last day')
    .option('--account <name>', 'only the orders of this account')
    .addOption(new Option('--format <format>', 'the format').choices(TABLE_FORMATS).default('csv'))
    .option('--json', 'the same as --format jsonl')
    .action(async (options: ExportOptions) => {
      const { exportOrders } = await import('../commands/export.ts');
      await exportOrders(context, options);
    });
}
