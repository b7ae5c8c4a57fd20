import { ApplicationFailure } from '@temporalio/common';
import { Context } from '@temporalio/activity';
import { FailureType } from '../domain/failure-type';
import { delayAfter, type PollPace } from '../domain/policy';

interface Patience extends PollPace {
  readonly tellAfterMs: number | null;
  /** Since when readings before this activity have failed, in epoch milliseconds; null where the last one did not. */
  readonly failingSinceMs: number | null;
}

/** What a listing can fail with that may pass by itself. */
const MAY_PASS: ReadonlySet<string> = new Set([
  FailureType.Unavailable,
  FailureType.NotFound,
  FailureType.UnexpectedResponse,
]);

/** What one attempt leaves for the next. */
interface Failing {
  /** Null once a reading succeeded. */
  readonly failingSinceMs: number | null;
}

/**
 * Retries a watch whose readings fail, although each of them is final by itself, until they have failed for too long. The
 * time is Temporal's, because attempts may meet several workers.
 * @throws ApplicationFailure not retryable, of the type of the last failure, once `tellAfterMs` is over
 */
export async function patiently<T>(
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
      // It could be read: a failure after this one begins a new time.
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
      // Without patience, what passes by itself is retried all the same.
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
