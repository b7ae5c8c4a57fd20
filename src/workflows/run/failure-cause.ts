import { ActivityFailure, ApplicationFailure, type TemporalFailure } from '@temporalio/workflow';
import { cutText, TEXT_BYTES } from '../../domain/bounds';
import { callFailureOf, type CallFailure } from '../../domain/call-failure';
import { FailureType } from '../../domain/failure-type';

/** What an activity failed with; any other failure is its own cause. */
function causeOf(error: unknown): unknown {
  return error instanceof ActivityFailure ? error.cause : error;
}

/** One of `FailureType` where it is ours; null when it has none, such as a time-out. */
export function failureTypeOf(error: unknown): string | null {
  const cause = causeOf(error);
  return cause instanceof ApplicationFailure ? (cause.type ?? null) : null;
}

/** What is known of the call that failed; null where the failure is none of a call. */
export function callOf(error: unknown): CallFailure | null {
  const cause = causeOf(error);
  return cause instanceof ApplicationFailure ? callFailureOf(cause.details) : null;
}

/** The status that the marketplace answered with; null where it gave no answer, or the failure is none of a call. */
export const statusOf = (error: unknown): number | null => callOf(error)?.status ?? null;

/** The listing that the call was about, if it was about one. */
export function listingIdsOf(error: unknown): readonly string[] {
  const listingId = callOf(error)?.listingId ?? null;
  return listingId === null ? [] : [listingId];
}

/** Why it failed, in the words of the activity. */
export function reasonOf(error: TemporalFailure): string {
  const cause = causeOf(error);
  return cutText(cause instanceof Error ? cause.message : error.message, TEXT_BYTES.failure);
}

/** Trouble that is true of every shipment of the account, and a person's to mend. */
export function isAccountTrouble(error: unknown): boolean {
  const type = failureTypeOf(error);
  return type === FailureType.AccountTrouble || type === FailureType.AccountMismatch;
}
