import { confirm } from '../confirm';
import type { CliContext } from '../context';
import type { EventKind, EventSummary } from '../../client/event-client';
import { table } from '../table';
import { timeText } from '../time-text';

export interface ListEventsOptions {
  readonly foreign?: boolean;
  readonly unrouted?: boolean;
  readonly late?: boolean;
  readonly limit: number;
  readonly json?: boolean;
}

interface ReplayOptions {
  readonly account: string;
  readonly listingId: string;
  readonly json?: boolean;
}

export interface AcknowledgeOptions {
  readonly by: string;
  readonly reason: string;
  readonly listing?: string;
  readonly json?: boolean;
}

const KINDS = ['foreign', 'unrouted', 'late'] as const satisfies readonly EventKind[];

/** `consign events list`. */
export async function listEvents(
  context: CliContext,
  { limit, json, ...chosen }: ListEventsOptions,
): Promise<void> {
  const some = KINDS.filter((kind) => chosen[kind] === true);
  const kinds = some.length === 0 ? undefined : some;
  const summaries = await context.withShipments(
    async (shipments) => await shipments.events({ kinds, limit }),
  );
  context.print(json === true ? JSON.stringify(summaries, null, 2) : renderEvents(summaries));
}

/** `consign events replay`. */
export async function replay(
  context: CliContext,
  { account: name, listingId, json }: ReplayOptions,
): Promise<void> {
  const account = { name, environment: (await context.accounts()).environmentOf(name) };
  const { workflowId } = await context.withShipments(
    async (shipments) => await shipments.replayEvent(account, listingId),
  );
  const whose =
    workflowId === null
      ? 'foreign: it belongs to no Consign order'
      : `belongs to ${workflowId}; event delivered`;
  context.print(
    json === true
      ? JSON.stringify({ account: name, listingId, workflowId }, null, 2)
      : `listing ${listingId}: ${whose}`,
  );
}

/** `consign events acknowledge`. */
export async function acknowledge(
  context: CliContext,
  text: string,
  { by, reason, listing, json }: AcknowledgeOptions,
): Promise<void> {
  const { account, orderId } = await context.orderOf(text);
  await context.withShipments(
    async (shipments) =>
      await confirm(
        { context, json, what: 'acknowledgement' },
        async () => await shipments.acknowledge(account, orderId, { by, reason, listingId: listing }),
      ),
  );
}

/** `consign events list` for people. */
export function renderEvents(summaries: readonly EventSummary[]): string {
  if (summaries.length === 0) return 'No such events.';
  return table(
    ['KIND', 'ACCOUNT', 'LISTING', 'ORDER', 'STATUS', 'SINCE', 'SAYS'],
    summaries.map(({ kind, account, listingId, orderId, status, needsAttention, startedAt, says }) => [
      ...[kind, account, listingId ?? '-', orderId ?? '-'],
      `${status.toLowerCase()}${needsAttention ? ' !' : ''}`,
      timeText(startedAt),
      says ?? '-',
    ]),
  );
}
