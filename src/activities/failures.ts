import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { assertNever } from '../domain/assert-never';
import type { CallFailure } from '../domain/call-failure';
import { FailureType } from '../domain/failure-type';
import { withJitter } from '../domain/jitter';
import { ApiError, MarketplaceError, UnexpectedResponseError } from '../marketplace/errors';

function readFailureType(error: MarketplaceError): FailureType {
  if (error instanceof UnexpectedResponseError) return FailureType.UnexpectedResponse;
  if (error instanceof ApiError && error.status === 404) return FailureType.NotFound;
  if (error.outcome === 'rejected') return FailureType.Rejected;
  if (error.outcome === 'accountTrouble') return FailureType.AccountTrouble;
  // Whether a read was sent does not matter: asking again is harmless.
  return FailureType.Unavailable;
}

const WRITE_FAILURE = {
  notSent: FailureType.NotSent,
  rejected: FailureType.Rejected,
  accountTrouble: FailureType.AccountTrouble,
  inDoubt: FailureType.InDoubt,
} as const;

/** The reading comes before the write: whatever becomes of it, the write was not sent. */
function failureTypeBeforeWrite(error: MarketplaceError): FailureType {
  if (error.outcome === 'accountTrouble') return FailureType.AccountTrouble;
  // Nothing that comes back by itself: the record cannot be read, so that nobody can say what would be changed.
  if (error.outcome === 'rejected' || error instanceof UnexpectedResponseError) return FailureType.Rejected;
  return FailureType.NotSent;
}

/** Which call an error is of; `readBeforeWrite` is a reading within the one attempt of a write. */
type CallKind = 'read' | 'write' | 'readBeforeWrite';

function failureTypeOf(error: MarketplaceError, call: CallKind): FailureType {
  switch (call) {
    case 'read':
      return readFailureType(error);
    case 'write':
      return WRITE_FAILURE[error.outcome];
    case 'readBeforeWrite':
      return failureTypeBeforeWrite(error);
    default:
      return assertNever(call);
  }
}

/**
 * The only place where the client's errors become Temporal failures. Anything that is not a
 * `MarketplaceError` passes through as it is: it is a bug, and a write then counts as in doubt.
 * @param retryDelayMs until the next try, where the marketplace names no time; null leaves it to the retry policy
 */
export function toFailure(error: unknown, call: CallKind, retryDelayMs: number | null = null): unknown {
  if (!(error instanceof MarketplaceError)) return error;
  const delayMs = error.retryAfterMs ?? retryDelayMs;
  const type = failureTypeOf(error, call);
  return ApplicationFailure.create({
    message: error.message,
    type,
    nonRetryable: type !== FailureType.Unavailable,
    details: [describeCall(error)],
    ...(delayMs === null ? {} : { nextRetryDelay: withJitter(delayMs, Math.random()) }),
  });
}

/** What a workflow decides by; the message is for people. */
function describeCall(error: MarketplaceError): CallFailure {
  const { operation, listingId, status, codes, fields, retryAfterMs } = error;
  const words = error instanceof ApiError ? error.words : null;
  return { operation, listingId, status, codes, fields, retryAfterMs, words };
}

/** A poll that has nothing yet. Benign: it is no error, and raises no alarm in logs and metrics. */
export function notYet(message: string, nextRetryDelayMs: number): ApplicationFailure {
  const failure = ApplicationFailure.create({
    message,
    type: FailureType.NotYet,
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay: nextRetryDelayMs,
  });
  // The web UI shows it beside every poll, where it would read as a crash.
  failure.stack = '';
  return failure;
}
