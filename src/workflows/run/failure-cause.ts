import { ActivityFailure, ApplicationFailure, type TemporalFailure } from '@temporalio/workflow';
import { cutText, TEXT_BYTES } from '../../domain/bounds';
import { callFailureOf, type CallFailure } from '../../domain/call-failure';
import { FailureType } from '../../domain/failure-type';

/** The cause of an activity's failure; any other failure is its own cause. */
function causeOf(error: unknown): unknown {
  return error instanceof ActivityFailure ? error.cause : error;
}

/** The failure type; null without one, as for a time-out. */
export function failureTypeOf(error: unknown): string | null {
  const cause = causeOf(error);
  return cause instanceof ApplicationFailure ? (cause.type ?? null) : null;
}

/** Details of the failed call; null when no call failed. */
export function callOf(error: unknown): CallFailure | null {
  const cause = causeOf(error);
  return cause instanceof ApplicationFailure ? callFailureOf(cause.details) : null;
}

/** HTTP status of the answer; null when there was none, or no call failed. */
export const statusOf = (error: unknown): number | null => callOf(error)?.status ?? null;

/** The listing that the call was about, if any. */
export function listingIdsOf(error: unknown): readonly string[] {
  const listingId = callOf(error)?.listingId ?? null;
  return listingId === null ? [] : [listingId];
}

/** Why it failed, in the activity's words. */
export function reasonOf(error: TemporalFailure): string {
  const cause = causeOf(error);
  return cutText(cause instanceof Error ? cause.message : error.message, TEXT_BYTES.failure);
}

/** Trouble of the whole account, which a person must fix. */
export function isAccountTrouble(error: unknown): boolean {
  const type = failureTypeOf(error);
  return type === FailureType.AccountTrouble || type === FailureType.AccountMismatch;
}
