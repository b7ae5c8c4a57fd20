import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { FailureType } from '../domain/failure-type';
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

/**
 * The only place where the client's errors become Temporal failures. Anything that is not a
 * `MarketplaceError` passes through as it is: it is a bug, and a write then counts as in doubt.
 */
export function toFailure(error: unknown, call: 'read' | 'write'): unknown {
  if (!(error instanceof MarketplaceError)) return error;
  const type = call === 'write' ? WRITE_FAILURE[error.outcome] : readFailureType(error);
  return ApplicationFailure.create({
    message: error.message,
    type,
    nonRetryable: type !== FailureType.Unavailable,
    details: [{ status: error.status ?? null, codes: error.codes }],
    ...(error.retryAfterMs === null ? {} : { nextRetryDelay: error.retryAfterMs }),
  });
}

/** A poll that has nothing yet. Benign: it is no error, and raises no alarm in logs and metrics. */
export function notYet(message: string, nextRetryDelayMs: number): ApplicationFailure {
  return ApplicationFailure.create({
    message,
    type: FailureType.NotYet,
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay: nextRetryDelayMs,
  });
}
