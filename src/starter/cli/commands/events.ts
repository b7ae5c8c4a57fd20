import { WorkflowFailedError } from '@temporalio/client';
import { commandLines } from '../../../domain/command-lines';
import type { OrderKey } from '../../../domain/workflow-id';
import { acceptedText, confirm, printOutcome } from '../confirm';
import type { CliContext } from '../context';
import { EventClient, type EventKind, type EventSummary } from '../../client/event-client';
import { ExitCode } from '../../../platform/exit-code';
import { UserError } from '../../../platform/user-error';
import { table } from '../table';
import { timeText } from '../time-text';
import { acknowledgeEnd, findUnclearEnd } from '../../client/unclear-ends';

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

/** The worker retries a listing that is not found for a minute. */
const REPLAY_DEADLINE_MS = 90_000;
const KINDS = ['foreign', 'unrouted', 'late'] as const satisfies readonly EventKind[];

/** `consign events list`. */
export async function listEvents(
  context: CliContext,
  { limit, json, ...chosen }: ListEventsOptions,
): Promise<void> {
  const some = KINDS.filter((kind) => chosen[kind] === true);
  const kinds = some.length === 0 ? KINDS : some;
  const summaries = await context.withShipments(
    async (_shipments, client) => await new EventClient(client).list({ kinds, limit }),
  );
  context.print(json === true ? JSON.stringify(summaries, null, 2) : renderEvents(summaries));
}

/** `consign events replay`. */
export async function replay(
  context: CliContext,
  { account: name, listingId, json }: ReplayOptions,
): Promise<void> {
  if (!/^\d{1,12}$/.test(listingId)) {
    context.warn(`A listing id has up to 12 digits; \`${commandLines.events()}\` shows the ids.`);
    process.exitCode = ExitCode.Invalid;
    return;
  }
  const account = { name, environment: (await context.accounts()).environmentOf(name) };
  await context.withShipments(async (_shipments, client) => {
    try {
      const { workflowId } = await new EventClient(client).replay(account, listingId, REPLAY_DEADLINE_MS);
      const whose =
        workflowId === null
          ? 'foreign: it belongs to no Consign order'
          : `belongs to ${workflowId}; event delivered`;
      context.print(
        json === true
          ? JSON.stringify({ account: name, listingId, workflowId }, null, 2)
          : `listing ${listingId}: ${whose}`,
      );
    } catch (error) {
      if (!(error instanceof WorkflowFailedError)) throw error;
      const why = error.cause?.message ?? error.message;
      throw new UserError(why, { exitCode: ExitCode.Failed, cause: error });
    }
  });
}

/** `consign events acknowledge`. */
export async function acknowledge(
  context: CliContext,
  text: string,
  { by, reason, listing, json }: AcknowledgeOptions,
): Promise<void> {
  const order = await context.orderOf(text);
  await context.withShipments(async (_shipments, client) => {
    const events = new EventClient(client);
    const asking = await askingOf(events, order, listing);
    const [only] = asking;
    const end = only === undefined ? await findUnclearEnd(client, order) : null;
    if (end !== null) {
      await acknowledgeEnd(client, end, { by, reason });
      printOutcome({ context, json }, 'taken', acceptedText('acknowledgement'));
      return;
    }
    if (only === undefined || asking.length > 1) {
      const ids = asking.map(({ listingId }) => listingId ?? 'none').join(', ');
      context.warn(
        only === undefined
          ? `${order.account}/${order.orderId} has nothing to acknowledge.`
          : `Several listings need a person; choose one with --listing: ${ids}.`,
      );
      process.exitCode = ExitCode.Invalid;
      return;
    }
    const { listingId } = only;
    await confirm(
      { context, client, json, what: 'acknowledgement' },
      async () => await events.acknowledge({ ...order, listingId }, { by, reason }),
    );
  });
}

async function askingOf(
  events: EventClient,
  order: OrderKey,
  listing: string | undefined,
): Promise<EventSummary[]> {
  const late = await events.lateEventsOf(order);
  return late.filter(
    ({ needsAttention, listingId }) => needsAttention && (listing === undefined || listingId === listing),
  );
}

function renderEvents(summaries: readonly EventSummary[]): string {
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
