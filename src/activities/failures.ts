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
  // Whether a read was sent does not matter: repeating it is harmless.
  return FailureType.Unavailable;
}

const WRITE_FAILURE = {
  notSent: FailureType.NotSent,
  rejected: FailureType.Rejected,
  accountTrouble: FailureType.AccountTrouble,
  inDoubt: FailureType.InDoubt,
} as const;

/** A reading before the write failed: the write was not sent. */
function failureTypeBeforeWrite(error: MarketplaceError): FailureType {
  if (error.outcome === 'accountTrouble') return FailureType.AccountTrouble;
  // The record cannot be read, and that will not pass by itself, so it is unknown what the write would change.
  if (error.outcome === 'rejected' || error instanceof UnexpectedResponseError) return FailureType.Rejected;
  return FailureType.NotSent;
}

/** `readBeforeWrite` is a reading within the one attempt of a write. */
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
 * The only place where the client's errors become Temporal failures. Any other error passes through unchanged: it is
 * a bug, and a write then counts as in doubt.
 * @param retryDelayMs delay until the next try, if the marketplace names none; null leaves it to the retry policy
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

/** Data for the workflow's decisions; the message is only for people. */
function describeCall(error: MarketplaceError): CallFailure {
  const { operation, listingId, status, codes, fields, retryAfterMs } = error;
  const words = error instanceof ApiError ? error.words : null;
  return { operation, listingId, status, codes, fields, retryAfterMs, words };
}

/** The benign failure of a poll without a result yet: no error in logs and metrics. */
export function notYet(message: string, nextRetryDelayMs: number): ApplicationFailure {
  const failure = ApplicationFailure.create({
    message,
    type: FailureType.NotYet,
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay: nextRetryDelayMs,
  });
  // The web UI shows the stack for every poll, where it would look like a crash.
  failure.stack = '';
  return failure;
}
