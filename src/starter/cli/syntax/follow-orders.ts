import { Command } from 'commander';
import { commandLines } from '../../../domain/command-lines';
import type { DocumentsOptions } from '../commands/documents';
import type { ListOptions } from '../commands/inspect';
import type { CliContext } from '../context';
import { orderArgument } from '../order-argument';
import { parseLimit } from '../parse-limit';

interface JsonOption {
  readonly json?: boolean;
}

/** `consign list`. */
export function listCommand(context: CliContext): Command {
  return new Command('list')
    .description('list orders, each once, the newest first')
    .option('--attention', `only those that need a person; \`${commandLines.attention()}\` says why`)
    .option('--query <filter>', "a filter in Temporal's language, such as \"ShipmentPhase = 'booked'\"")
    .option('--limit <n>', 'how many at the most', parseLimit, 50)
    .option('--json', 'print JSON')
    .action(async (options: ListOptions) => {
      const { listOrders } = await import('../commands/inspect.ts');
      await listOrders(context, options);
    });
}

/** `consign show`. */
export function showCommand(context: CliContext): Command {
  return new Command('show')
    .description('show one shipment: what it waits for, what is known, its story')
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
    .description('follow one shipment until it is over: its story, and what it waits for')
    .addArgument(orderArgument())
    .option('--json', 'print each line of the story as JSON')
    .action(async (text: string, options: JsonOption) => {
      const { watchOrder } = await import('../commands/inspect.ts');
      await watchOrder(context, text, options);
    });
}

/** `consign documents`. */
export function documentsCommand(context: CliContext): Command {
  return new Command('documents')
    .description(
      'list the documents of a shipment: images, bill of lading, attachments; --out writes them, --retry asks for missing ones again',
    )
    .addArgument(orderArgument())
    .option('--out <folder>', 'write the documents there, each checked against its hash')
    .option('--force', 'with --out: replace files that are there with another content')
    .option('--json', 'print one JSON object for each document; with --retry: the outcome')
    .option('--retry', 'ask the marketplace for the missing documents again; needs --by and --reason')
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
    command.error('--retry needs --by and --reason: who asks, and why.');
}
