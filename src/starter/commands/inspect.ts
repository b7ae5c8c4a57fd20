import { Command } from 'commander';
import { commandLines } from '../../domain/command-lines';
import { findAttention } from '../attention';
import type { CliContext } from '../context';
import { EventClient } from '../event-client';
import { ExitCode } from '../../processes/exit-code';
import { orderArgument } from '../order-argument';
import { parseLimit } from '../parse-limit';
import type { ShipmentView } from '../shipment-client';
import { lateLine, onePerOrder, renderList, renderShipment, timelineLine, waitLine } from '../show';
import { watchShipment } from '../watch-shipment';
import { queueLine } from './attention';

interface ListOptions {
  readonly json?: boolean;
  readonly attention?: boolean;
  readonly query?: string;
  readonly limit: number;
}

function endLine({ workflowId, status, failure, withdrawal }: ShipmentView): string {
  if (withdrawal !== null) return `${withdrawal.by} withdrew ${workflowId}: ${withdrawal.reason}`;
  return `${workflowId} is ${status.toLowerCase()}: ${failure ?? 'no reason known'}`;
}

/** `consign show`. */
export function showCommand(context: CliContext): Command {
  return new Command('show')
    .description('show one shipment: what it waits for, what is known, its story')
    .addArgument(orderArgument())
    .option('--json', 'print the view as JSON')
    .action(async (text: string, { json }: { json?: boolean }) => {
      const { account, orderId } = context.orderOf(text);
      const [view, late] = await context.withShipments(async (shipments, client) => [
        await shipments.get(account, orderId),
        await new EventClient(client).lateEventsOf({ account, orderId }),
      ]);
      if (json === true) context.print(JSON.stringify({ ...view, late }, null, 2));
      else context.print([renderShipment(view), ...late.map(lateLine)].join('\n'));
    });
}

/** `consign list`. */
export function listCommand(context: CliContext): Command {
  return new Command('list')
    .description('list orders, each once, the newest first')
    .option('--attention', `only those that need a person; \`${commandLines.attention()}\` says why`)
    .option('--query <filter>', "a filter in Temporal's language, such as \"ShipmentPhase = 'booked'\"")
    .option('--limit <n>', 'how many at the most', parseLimit, 50)
    .option('--json', 'print JSON')
    .action(async ({ json, attention, query, limit }: ListOptions) => {
      const found = await context.withShipments(async (shipments, client) => {
        if (attention !== true) return await shipments.list({ ...(query !== undefined && { query }), limit });
        const { entries, queues } = await findAttention(client, shipments, { query });
        for (const queue of queues) context.warn(queueLine(queue));
        return entries.slice(0, limit).map(({ shipment }) => shipment);
      });
      const summaries = onePerOrder(found);
      context.print(json === true ? JSON.stringify(summaries, null, 2) : renderList(summaries));
    });
}

/** `consign watch`. */
export function watchCommand(context: CliContext): Command {
  return new Command('watch')
    .description('follow one shipment until it is over: its story, and what it waits for')
    .addArgument(orderArgument())
    .option('--json', 'print each line of the story as JSON')
    .action(async (text: string, { json }: { json?: boolean }) => {
      const order = context.orderOf(text);
      const view = await context.withShipments(
        async (shipments) =>
          await watchShipment(shipments, order, {
            onLine: (entry) => context.print(json === true ? JSON.stringify(entry) : timelineLine(entry)),
            onWait: (waitingFor) => {
              if (json !== true) context.print(waitLine(waitingFor));
            },
          }),
      );
      if (view.status !== 'COMPLETED' || view.withdrawal !== null) {
        context.warn(endLine(view));
        process.exitCode = ExitCode.Failed;
      }
    });
}
