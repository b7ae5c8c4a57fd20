import type { CliContext } from '../context';
import { ExitCode } from '../../../platform/exit-code';
import type { ShipmentView } from '../../client/get-shipment';
import { lateLine, onePerOrder, renderList, renderShipment, timelineLine, waitLine } from '../show';
import { followShipment } from '../follow-shipment';
import { callLine, queueLine } from './attention';

export interface ListOptions {
  readonly json?: boolean;
  readonly attention?: boolean;
  readonly query?: string;
  readonly limit: number;
}

function endLine({ workflowId, status, failure, withdrawal }: ShipmentView): string {
  if (withdrawal !== null) return `${withdrawal.by} withdrew ${workflowId}: ${withdrawal.reason}`;
  return `${workflowId} is ${status.toLowerCase()}: ${failure ?? 'reason unknown'}`;
}

/** `consign show`. */
export async function showOrder(
  context: CliContext,
  text: string,
  { json }: { readonly json?: boolean },
): Promise<void> {
  const { account, orderId } = await context.orderOf(text);
  const [view, late] = await context.withShipments(async (shipments) => [
    await shipments.get(account, orderId),
    await shipments.lateEvents(account, orderId),
  ]);
  if (json === true) context.print(JSON.stringify({ ...view, late }, null, 2));
  else context.print([renderShipment(view), ...late.map(lateLine)].join('\n'));
}

/** `consign list`. */
export async function listOrders(
  context: CliContext,
  { json, attention, query, limit }: ListOptions,
): Promise<void> {
  const found = await context.withShipments(async (shipments) => {
    if (attention !== true) return await shipments.list({ query, limit });
    const { entries, queues, calls } = await shipments.attention({ query });
    for (const line of [...queues.map(queueLine), ...calls.map(callLine)]) context.warn(line);
    return entries.slice(0, limit).map(({ shipment }) => shipment);
  });
  const summaries = onePerOrder(found);
  context.print(json === true ? JSON.stringify(summaries, null, 2) : renderList(summaries));
}

/** `consign watch`. */
export async function watchOrder(
  context: CliContext,
  text: string,
  { json }: { readonly json?: boolean },
): Promise<void> {
  const { account, orderId } = await context.orderOf(text);
  const view = await context.withShipments(
    async (shipments) =>
      await followShipment(shipments.watch(account, orderId), {
        onLine: (entry) => context.print(json === true ? JSON.stringify(entry) : timelineLine(entry)),
        onWait: (waitingFor) => {
          if (json !== true) context.print(waitLine(waitingFor));
        },
      }),
  );
  if (view !== null && (view.status !== 'COMPLETED' || view.withdrawal !== null)) {
    context.warn(endLine(view));
    process.exitCode = ExitCode.Failed;
  }
}
