import { Command, InvalidArgumentError } from 'commander';
import type { CliContext } from '../context';
import { ExitCode } from '../exit-code';
import { renderList, renderShipment, timelineLine } from '../show';
import { watchShipment } from '../watch-shipment';

interface ListOptions {
  readonly json?: boolean;
  readonly attention?: boolean;
  readonly query?: string;
  readonly limit: number;
}

const ATTENTION = 'NeedsAttention = true';

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1) throw new InvalidArgumentError('give a whole number from 1.');
  return limit;
}

/** The commands that change nothing: `show`, `list`, `watch`. */
export function inspectCommands(context: CliContext): Command[] {
  const show = new Command('show')
    .description('show one shipment: what it waits for, what is known, its story')
    .argument('<order>', '<account>/<orderId>, or the order id where there is one account')
    .option('--json', 'print the view as JSON')
    .action(async (text: string, { json }: { json?: boolean }) => {
      const { account, orderId } = context.orderOf(text);
      const view = await context.withShipments(async (shipments) => await shipments.get(account, orderId));
      context.print(json === true ? JSON.stringify(view, null, 2) : renderShipment(view));
    });

  const list = new Command('list')
    .description('list shipments, the newest first')
    .option('--attention', 'only those that wait for a person')
    .option('--query <filter>', "a filter in Temporal's language, such as \"ShipmentPhase = 'booked'\"")
    .option('--limit <n>', 'how many at the most', parseLimit, 50)
    .option('--json', 'print JSON')
    .action(async ({ json, attention, query, limit }: ListOptions) => {
      const filters = [...(attention === true ? [ATTENTION] : []), ...(query === undefined ? [] : [query])];
      const filter = filters.length === 0 ? {} : { query: filters.map((part) => `(${part})`).join(' AND ') };
      const summaries = await context.withShipments(
        async (shipments) => await shipments.list({ ...filter, limit }),
      );
      context.print(json === true ? JSON.stringify(summaries, null, 2) : renderList(summaries));
    });

  const watch = new Command('watch')
    .description('follow one shipment until it is over')
    .argument('<order>', '<account>/<orderId>, or the order id where there is one account')
    .option('--json', 'print each line of the story as JSON')
    .action(async (text: string, { json }: { json?: boolean }) => {
      const order = context.orderOf(text);
      const view = await context.withShipments(
        async (shipments) =>
          await watchShipment(shipments, order, (entry) =>
            context.print(json === true ? JSON.stringify(entry) : timelineLine(entry)),
          ),
      );
      if (view.status !== 'COMPLETED') {
        context.warn(
          `${view.workflowId} is ${view.status.toLowerCase()}: ${view.failure ?? 'no reason known'}`,
        );
        process.exitCode = ExitCode.Failed;
      }
    });

  return [show, list, watch];
}
