import { WorkflowFailedError } from '@temporalio/client';
import { Command } from 'commander';
import { commandLines } from '../../domain/command-lines';
import type { OrderKey } from '../../domain/workflow-id';
import { parseLimit } from '../parse-limit';
import { confirm, tellOutcome } from '../confirm';
import type { CliContext } from '../context';
import { EventClient, type EventKind, type EventSummary } from '../event-client';
import { ExitCode } from '../../processes/exit-code';
import { UserError } from '../../processes/user-error';
import { orderArgument } from '../order-argument';
import { table } from '../table';
import { timeText } from '../time-text';
import { acknowledgeEnd, findUnclearEnd } from '../unclear-ends';

interface ListOptions {
  readonly foreign?: boolean;
  readonly unrouted?: boolean;
  readonly late?: boolean;
  readonly limit: number;
  readonly json?: boolean;
}

interface AcknowledgeOptions {
  readonly by: string;
  readonly reason: string;
  readonly listing?: string;
  readonly json?: boolean;
}

/** A listing that is not found is asked for again for a minute. */
const REPLAY_DEADLINE_MS = 90_000;
const KINDS = ['foreign', 'unrouted', 'late'] as const satisfies readonly EventKind[];

/** `consign events`: what became of events that no running shipment took. */
export function eventsCommand(context: CliContext): Command {
  return new Command('events')
    .description('events that no running shipment took: foreign ones, unrouted ones, late ones')
    .addCommand(listCommand(context))
    .addCommand(replayCommand(context))
    .addCommand(acknowledgeCommand(context));
}

function listCommand(context: CliContext): Command {
  return new Command('list')
    .description('one line for each listing, the newest first')
    .option('--foreign', 'of listings that name no order of ours')
    .option('--unrouted', 'of listings that are being looked up, or that cannot be read')
    .option('--late', 'of orders that are over')
    .option('--limit <n>', 'how many at the most', parseLimit, 50)
    .option('--json', 'print JSON')
    .action(async ({ limit, json, ...chosen }: ListOptions) => {
      const some = KINDS.filter((kind) => chosen[kind] === true);
      const kinds = some.length === 0 ? KINDS : some;
      const summaries = await context.withShipments(
        async (_shipments, client) => await new EventClient(client).list({ kinds, limit }),
      );
      context.print(json === true ? JSON.stringify(summaries, null, 2) : renderEvents(summaries));
    });
}

function replayCommand(context: CliContext): Command {
  return new Command('replay')
    .description('find the order that a listing belongs to, and deliver its event')
    .argument('<account>', 'the account whose key reads the listing')
    .argument('<listingId>', 'the listing')
    .option('--json', 'print what was found as JSON')
    .action(async (name: string, listingId: string, { json }: { json?: boolean }) => {
      if (!/^\d{1,12}$/.test(listingId)) {
        context.warn(`A listing id is up to 12 digits; \`${commandLines.events()}\` shows them.`);
        process.exitCode = ExitCode.Invalid;
        return;
      }
      const account = { name, environment: context.accounts().environmentOf(name) };
      await context.withShipments(async (_shipments, client) => {
        try {
          const { workflowId } = await new EventClient(client).replay(account, listingId, REPLAY_DEADLINE_MS);
          const whose =
            workflowId === null ? 'foreign: it names no order of ours' : `of ${workflowId}; handed on`;
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
    });
}

function acknowledgeCommand(context: CliContext): Command {
  return new Command('acknowledge')
    .description(
      'take a late event, or a shipment that Temporal ended, off the list of attention: somebody has seen to it',
    )
    .addArgument(orderArgument())
    .requiredOption('--by <name>', 'who has seen to it')
    .requiredOption('--reason <text>', 'what was done')
    .option('--listing <id>', 'which listing; needed where several listings of the order ask')
    .option('--json', 'print the outcome as JSON')
    .action(async (text: string, { by, reason, listing, json }: AcknowledgeOptions) => {
      const order = context.orderOf(text);
      await context.withShipments(async (_shipments, client) => {
        const events = new EventClient(client);
        const asking = await askingOf(events, order, listing);
        const [only] = asking;
        const end = only === undefined ? await findUnclearEnd(client, order) : null;
        if (end !== null) {
          await acknowledgeEnd(client, end, { by, reason });
          tellOutcome({ context, json }, 'taken');
          return;
        }
        if (only === undefined || asking.length > 1) {
          const ids = asking.map(({ listingId }) => listingId ?? 'none').join(', ');
          context.warn(
            only === undefined
              ? `Nothing of ${order.account}/${order.orderId} is to be acknowledged.`
              : `Several listings ask; name one with --listing: ${ids}.`,
          );
          process.exitCode = ExitCode.Invalid;
          return;
        }
        const { listingId } = only;
        await confirm(
          { context, client, json, again: 'repeating it is safe' },
          async () => await events.acknowledge({ ...order, listingId }, { by, reason }),
        );
      });
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
