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
import { messageOf } from '../platform/message-of';

const RPC_DEADLINE_MS = 5_000;
const DELIVERY_PACE: PollPace = { initialMs: 250, maximumMs: 5_000 };

/** Lets a write detect that its run was reset. */
export interface WriteGuard {
  readonly originalExecutionRunId: string;
}

/** What a write needs besides its call. */
export interface Writer {
  readonly client: Client;
  readonly account: AccountPin;
  /** Null for a write that does no harm when repeated. */
  readonly guard: WriteGuard | null;
}

type End<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: unknown };

/**
 * The one attempt of a write. It ignores cancellation, because a cancelled request may still book.
 *
 * Before the first byte it waits until the server has recorded a heartbeat, the mark. A time-out without a mark means
 * that nothing was sent; with a mark, the write is in doubt. A worker whose task has timed out cannot mark, so it
 * does not send. A worker that froze after its mark has missed its time to send, and does not send either.
 *
 * It delivers its own outcome, because the SDK tries for only about ten seconds: if Temporal is away for longer, the
 * outcome of a booking would be lost. If the server has timed the activity out, the outcome reaches the workflow as a
 * signal.
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
      : // The server may still have recorded the mark; then the write counts as sent until this report arrives.
        { ok: false, failure: notMarked };
  await deliver({ client, account }, end);
  throw new CompleteAsyncError();
}

/**
 * Workflows request one attempt, but an operator of Temporal can change the retry policy of a running activity. The
 * effect of the previous attempt is unknown, even without its mark, which may have been lost.
 * @throws ApplicationFailure `InDoubt`
 */
function refuseSecondDispatch({ attempt, heartbeatDetails }: Context['info']): void {
  if (attempt === 1 && heartbeatDetails == null) return;
  throw ApplicationFailure.nonRetryable(
    `Temporal dispatched this write again (attempt ${attempt}); Consign does not send it a second time`,
    FailureType.InDoubt,
  );
}

/** The monotonic clock stops while the machine is suspended, and the wall clock can be set: the later one counts. */
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
      `not sent: Temporal did not take the mark (${messageOf(error)})`,
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

type OutcomeSender = Omit<Writer, 'guard'>;

/** Repeats the report until Temporal accepts it, for as long as the activity may run. */
async function deliver<T>(sender: OutcomeSender, end: End<T>): Promise<void> {
  const { client } = sender;
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
      if (error instanceof ActivityNotFoundError) return await signalOutcome(sender, end, until);
      if (Date.now() > until) throw error;
      log.warn('the outcome of a write waits for Temporal', { tries: tries + 1, reason: messageOf(error) });
    }
    await delay(delayAfter(DELIVERY_PACE, tries));
  }
}

/**
 * The server timed the activity out: the outcome reaches the workflow as a signal, and settles its doubt. If the
 * shipment is over, for example terminated, a `lateEvent` workflow handles the outcome.
 */
async function signalOutcome<T>(
  { client, account }: OutcomeSender,
  end: End<T>,
  until: number,
): Promise<void> {
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
          await reportAfterTheEnd({ client, account }, workflowId, outcome);
        }
      });
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
    }
    await delay(delayAfter(DELIVERY_PACE, tries));
  }
}

async function reportAfterTheEnd(
  { client, account }: OutcomeSender,
  workflowId: string,
  outcome: LateOutcome,
): Promise<void> {
  const { activityType } = Context.current().info;
  const listingId = listingIdOfOutcome(outcome);
  const orderId = parseShipmentWorkflowId(workflowId)?.orderId ?? null;
  // A carrier may still book this request, and no workflow waits for it.
  const mayBook = BOOKINGS.has(activityType) && ['done', 'inDoubt'].includes(sortLateOutcome(outcome).kind);
  if (orderId === null || (listingId === null && !mayBook)) {
    const what = 'the outcome of a write cannot be reported: the shipment is over';
    Context.current().log.error(what, { outcome });
    return;
  }
  const hint = hintOf({ about: listingId ?? outcome.activityId, listingId }, new Date().toISOString());
  await startLateEvent(client, { account, orderId, listingId, policy: DEFAULT_EVENT_POLICY }, hint);
}

/** Writes that can lead to a booking. */
const BOOKINGS: ReadonlySet<string> = new Set(['createListing', 'acceptRate']);

function failedWith(failure: unknown): LateOutcome['end'] {
  return failure instanceof ApplicationFailure
    ? {
        kind: 'failed',
        type: failure.type ?? null,
        message: failure.message,
        call: callFailureOf(failure.details),
      }
    : { kind: 'failed', type: null, message: messageOf(failure), call: null };
}
