import { ActivityFailure, ApplicationFailure, type TemporalFailure } from '@temporalio/workflow';
import { cutText, TEXT_BYTES } from '../domain/bounds';
import { FailureType } from '../domain/failure-type';

/** What an activity failed with; any other failure is its own cause. */
function causeOf(error: unknown): unknown {
  return error instanceof ActivityFailure ? error.cause : error;
}

/** One of `FailureType` where it is ours; null when it has none, such as a time-out. */
export function failureTypeOf(error: unknown): string | null {
  const cause = causeOf(error);
  return cause instanceof ApplicationFailure ? (cause.type ?? null) : null;
}

/** The status that the marketplace answered with; null where it gave no answer, or the failure is none of a call. */
export function statusOf(error: unknown): number | null {
  const cause = causeOf(error);
  const [detail] = cause instanceof ApplicationFailure ? (cause.details ?? []) : [];
  if (typeof detail !== 'object' || detail === null || !('status' in detail)) return null;
  return typeof detail.status === 'number' ? detail.status : null;
}

/** Why it failed, in the words of the activity. */
export function reasonOf(error: TemporalFailure): string {
  const cause = causeOf(error);
  return cutText(cause instanceof Error ? cause.message : error.message, TEXT_BYTES.failure);
}

/** What the marketplace said, as far as it may be shown; null where it said nothing, or the failure is none of a call. */
export function wordsOf(error: unknown): string | null {
  const cause = causeOf(error);
  const [detail] = cause instanceof ApplicationFailure ? (cause.details ?? []) : [];
  if (typeof detail !== 'object' || detail === null || !('words' in detail)) return null;
  return typeof detail.words === 'string' ? detail.words : null;
}

/** Trouble that is true of every shipment of the account, and a person's to mend. */
export function isAccountTrouble(error: unknown): boolean {
  const type = failureTypeOf(error);
  return type === FailureType.AccountTrouble || type === FailureType.AccountMismatch;
}
