import { ApplicationFailure } from '@temporalio/common';
import { Context } from '@temporalio/activity';
import { FailureType } from '../domain/failure-type';
import { delayAfter, type PollPace } from '../domain/policy';

interface Patience extends PollPace {
  readonly tellAfterMs: number | null;
  /** Since when readings before this activity fail, in epoch milliseconds; null when the last one succeeded. */
  readonly failingSinceMs: number | null;
}

/** Failures of reading a listing that may pass by themselves. */
const MAY_PASS: ReadonlySet<string> = new Set([
  FailureType.Unavailable,
  FailureType.NotFound,
  FailureType.UnexpectedResponse,
]);

/** What one attempt leaves for the next. */
interface Failing {
  /** Null after a successful reading. */
  readonly failingSinceMs: number | null;
}

/**
 * Retries a watch whose readings fail, even with final failures, until they have failed for too long. Uses Temporal's
 * clock, because attempts may run on different workers.
 * @throws ApplicationFailure not retryable, with the type of the last failure, once `tellAfterMs` is over
 */
export async function retryFailingReading<T>(
  { tellAfterMs, failingSinceMs, ...pace }: Patience,
  watch: () => Promise<T>,
): Promise<T> {
  const context = Context.current();
  const { currentAttemptScheduledTimestampMs: now, heartbeatDetails, attempt } = context.info;
  try {
    return await watch();
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error;
    if (!MAY_PASS.has(error.type ?? '')) {
      // The listing was read: a later failure starts a new period.
      if (error.type === FailureType.NotYet) context.heartbeat({ failingSinceMs: null } satisfies Failing);
      throw error;
    }
    const before = isFailing(heartbeatDetails) ? heartbeatDetails.failingSinceMs : failingSinceMs;
    const since = before ?? now;
    const left: Failing = { failingSinceMs: since };
    context.heartbeat(left);
    const isOver =
      tellAfterMs !== null &&
      now - since >= tellAfterMs &&
      // Without patience, a failure that may pass is still retried.
      (tellAfterMs > 0 || error.nonRetryable === true);
    throw ApplicationFailure.create({
      message: error.message,
      type: error.type ?? FailureType.Unavailable,
      details: error.details ?? [],
      nonRetryable: isOver,
      nextRetryDelay: error.nextRetryDelay ?? delayAfter(pace, attempt - 1),
    });
  }
}

const isFailing = (left: unknown): left is Failing =>
  typeof left === 'object' && left !== null && 'failingSinceMs' in left;
