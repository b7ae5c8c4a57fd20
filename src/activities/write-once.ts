import { ApplicationFailure, CompleteAsyncError, Context } from '@temporalio/activity';
import { ActivityNotFoundError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccountPin } from '../domain/account-pin';
import { callFailureOf } from '../domain/call-failure';
import { DEFAULT_EVENT_POLICY } from '../domain/event-policy';
import { FailureType } from '../domain/failure-type';
import { hintOf } from '../domain/marketplace-event';
import { delayAfter, type PollPace } from '../domain/policy';
import {
  LATE_OUTCOME_SIGNAL,
  listingIdOfOutcome,
  sortLateOutcome,
  type LateOutcome,
} from '../domain/send-outcome';
import { parseShipmentWorkflowId } from '../domain/workflow-id';
import { CALL_SHARE, SEND_SHARE } from '../domain/write-timing';
import { startLateEvent } from '../temporal/late-event';
import type { CallOptions } from '../marketplace/marketplace';
import { toFailure } from './failures';

const RPC_DEADLINE_MS = 5_000;
const DELIVERY_PACE: PollPace = { initialMs: 250, maximumMs: 5_000 };

/** What a write is given to recognise that its run was reset. */
export interface WriteGuard {
  readonly originalExecutionRunId: string;
}

/** Who writes. */
export interface Writer {
  readonly client: Client;
  readonly account: AccountPin;
  /** Null for what does no harm when it is repeated. */
  readonly guard: WriteGuard | null;
}

type End<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: unknown };

/**
 * The one attempt of a write. Deaf to cancellation, because a cancelled request may still book.
 *
 * Before the first byte it awaits a heartbeat that the server has recorded: a time-out without that mark was
 * never sent, one with it is in doubt, and a worker whose task was given up meanwhile cannot mark, so it does
 * not send. One that was frozen after its mark finds its time to send past, and does not send either.
 *
 * It delivers its own outcome, because the SDK reports one for about ten seconds only: a Temporal that is away for
 * longer would lose a booking that was made. Where the server has given the activity up meanwhile, the workflow is
 * told by a signal.
 * @throws CompleteAsyncError once the outcome is delivered
 */
export async function writeOnce<T>(
  { client, account, guard }: Writer,
  call: (options: CallOptions) => Promise<T>,
): Promise<T> {
  const { info } = Context.current();
  if (guard !== null && info.workflowExecution?.runId !== guard.originalExecutionRunId) {
    throw ApplicationFailure.nonRetryable(
      'the workflow was reset: the write may have been made by the run before, so it is not repeated',
      FailureType.RunWasReset,
    );
  }
  if (guard !== null) refuseSecondDispatch(info);
  const { heartbeatTimeoutMs } = info;
  if (heartbeatTimeoutMs === undefined) throw new TypeError('a write needs a heartbeat time-out');
  const elapsedMs = startClock();
  const sendWithinMs = heartbeatTimeoutMs * SEND_SHARE;
  const notMarked = await mark(client, info.taskToken, sendWithinMs);
  const end: End<T> =
    notMarked === null
      ? await attempt(call, {
          timeoutMs: Math.floor(heartbeatTimeoutMs * CALL_SHARE),
          mayStillSend: () => elapsedMs() <= sendWithinMs,
        })
      : // The server may have recorded it all the same, and then it counts as sent until it is told otherwise.
        { ok: false, failure: notMarked };
  await deliver({ client, account }, end);
  throw new CompleteAsyncError();
}

/**
 * Workflows ask for one attempt, but whoever operates Temporal can change the retry policy of a running activity. What
 * the attempt before did is unknown, also without its mark: that may have been lost.
 * @throws ApplicationFailure `InDoubt`
 */
function refuseSecondDispatch({ attempt, heartbeatDetails }: Context['info']): void {
  if (attempt === 1 && heartbeatDetails == null) return;
  throw ApplicationFailure.nonRetryable(
    `Temporal dispatched this write again (attempt ${attempt}); Consign does not send it a second time`,
    FailureType.InDoubt,
  );
}

/** The one clock stands still while the machine is suspended, the other can be set: the later one counts. */
function startClock(): () => number {
  const [monotonic, wall] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - monotonic, Date.now() - wall);
}

/** @returns why nothing may be sent; null when the mark is recorded */
async function mark(
  client: Client,
  taskToken: Uint8Array,
  withinMs: number,
): Promise<ApplicationFailure | null> {
  try {
    await client.withDeadline(
      Date.now() + withinMs,
      async () => await client.activity.heartbeat(taskToken, { sending: true }),
    );
    return null;
  } catch (error) {
    return ApplicationFailure.nonRetryable(
      `not sent: Temporal did not take the mark (${wordsOf(error)})`,
      FailureType.NotSent,
    );
  }
}

async function attempt<T>(call: (options: CallOptions) => Promise<T>, options: CallOptions): Promise<End<T>> {
  try {
    return { ok: true, value: await call(options) };
  } catch (error) {
    return { ok: false, failure: toFailure(error, 'write') };
  }
}

type Teller = Omit<Writer, 'guard'>;

/** Reports the outcome until it is taken: for as long as the activity may run, whatever happens to Temporal. */
async function deliver<T>(teller: Teller, end: End<T>): Promise<void> {
  const { client } = teller;
  const { info, log } = Context.current();
  const until = Date.now() + info.startToCloseTimeoutMs;
  const report = async (): Promise<void> => {
    if (end.ok) await client.activity.complete(info.taskToken, end.value);
    else await client.activity.fail(info.taskToken, end.failure);
  };
  for (let tries = 0; ; tries += 1) {
    try {
      await client.withDeadline(Date.now() + RPC_DEADLINE_MS, report);
      return;
    } catch (error) {
      if (error instanceof ActivityNotFoundError) return await tellWorkflow(teller, end, until);
      if (Date.now() > until) throw error;
      log.warn('the outcome of a write waits for Temporal', { tries: tries + 1, reason: wordsOf(error) });
    }
    await delay(delayAfter(DELIVERY_PACE, tries));
  }
}

/**
 * The server gave the activity up: the outcome reaches the workflow as a signal, where it settles the doubt. Where the
 * shipment is over, because somebody terminated it, what was made is looked after as after a late event.
 */
async function tellWorkflow<T>({ client, account }: Teller, end: End<T>, until: number): Promise<void> {
  const { info } = Context.current();
  const { workflowId, runId } = info.workflowExecution ?? {};
  if (workflowId === undefined || runId === undefined) throw new TypeError('a write runs in a workflow only');
  const outcome: LateOutcome = {
    runId,
    activityId: info.activityId,
    end: end.ok ? { kind: 'done', value: end.value } : failedWith(end.failure),
  };
  for (let tries = 0; ; tries += 1) {
    try {
      await client.withDeadline(Date.now() + RPC_DEADLINE_MS, async () => {
        try {
          await client.workflow.getHandle(workflowId).signal(LATE_OUTCOME_SIGNAL, outcome);
        } catch (error) {
          if (!(error instanceof WorkflowNotFoundError)) throw error;
          await tellAfterTheEnd({ client, account }, workflowId, outcome);
        }
      });
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
    }
    await delay(delayAfter(DELIVERY_PACE, tries));
  }
}

async function tellAfterTheEnd(
  { client, account }: Teller,
  workflowId: string,
  outcome: LateOutcome,
): Promise<void> {
  const { activityType } = Context.current().info;
  const listingId = listingIdOfOutcome(outcome);
  const orderId = parseShipmentWorkflowId(workflowId)?.orderId ?? null;
  // A carrier may still book what was taken, or may have been, and nobody waits for it.
  const mayBook = BOOKINGS.has(activityType) && ['done', 'inDoubt'].includes(sortLateOutcome(outcome).kind);
  if (orderId === null || (listingId === null && !mayBook)) {
    const what = 'the outcome of a write cannot be reported: the shipment is over';
    Context.current().log.error(what, { outcome });
    return;
  }
  const hint = hintOf({ about: listingId ?? outcome.activityId, listingId }, new Date().toISOString());
  await startLateEvent(client, { account, orderId, listingId, policy: DEFAULT_EVENT_POLICY }, hint);
}

/** The writes by which a carrier comes. */
const BOOKINGS: ReadonlySet<string> = new Set(['createListing', 'acceptRate']);

function failedWith(failure: unknown): LateOutcome['end'] {
  return failure instanceof ApplicationFailure
    ? {
        kind: 'failed',
        type: failure.type ?? null,
        message: failure.message,
        call: callFailureOf(failure.details),
      }
    : { kind: 'failed', type: null, message: wordsOf(failure), call: null };
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
