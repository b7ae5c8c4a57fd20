import type { EarlierAcceptance } from './acceptance';
import type { AccountTrouble } from './account-pause';
import { refusalOf, type CallFailure, type Refusal } from './call-failure';
import type { WriteAttempt } from './doubt';
import { FailureType } from './failure-type';

/** What is known about a write after its one attempt. */
export type SendOutcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** `waitMs`: how long the marketplace asked to wait, if it did. */
  | { readonly kind: 'notSent'; readonly reason: string; readonly waitMs: number | null }
  | { readonly kind: 'rejected'; readonly reason: string; readonly refusal: Refusal | null }
  | ({ readonly kind: 'accountTrouble' } & AccountTrouble)
  | { readonly kind: 'inDoubt'; readonly reason: string; readonly activityId: string | null };

/** How a write really ended, reported after Temporal timed its activity out. */
export interface LateOutcome extends WriteAttempt {
  readonly end:
    | { readonly kind: 'done'; readonly value: unknown }
    | {
        readonly kind: 'failed';
        readonly type: string | null;
        readonly message: string;
        readonly call: CallFailure | null;
      };
}

type AcceptanceName = Pick<EarlierAcceptance, 'rateId' | 'executionId'>;

/** Name of the signal that carries a late outcome. */
export const LATE_OUTCOME_SIGNAL = 'lateOutcomeReceived';

/** How a write's activity failed, as plain data. */
export type WriteFailure =
  | {
      readonly kind: 'application';
      readonly type: string | null;
      readonly message: string;
      readonly call: CallFailure | null;
    }
  /** `marked`: the server recorded the heartbeat that precedes the first byte. */
  | { readonly kind: 'timeout'; readonly marked: boolean }
  | { readonly kind: 'other'; readonly message: string };

/**
 * Classifies a failed write. Everything that is not provably without effect is in doubt: a wrong "not sent" books a
 * second truck, a wrong "in doubt" only asks a question.
 * @param isBusyTrusted whether the policy trusts a busy marketplace that it had not begun
 */
export function sortWriteFailure(
  failure: WriteFailure,
  activityId: string | null,
  isBusyTrusted = false,
): Exclude<SendOutcome<never>, { kind: 'done' }> {
  const inDoubt = (reason: string) => ({ kind: 'inDoubt', reason, activityId }) as const;
  switch (failure.kind) {
    case 'timeout':
      return failure.marked
        ? inDoubt('the worker was lost while the request was under way')
        : { kind: 'notSent', reason: 'the worker was lost before the request was sent', waitMs: null };
    case 'application':
      return sortApplicationFailure(failure, isBusyTrusted) ?? inDoubt(failure.message);
    default:
      return inDoubt(failure.message);
  }
}

/** @returns null when it is unknown whether the write had an effect */
function sortApplicationFailure(
  { type, message: reason, call }: Extract<WriteFailure, { kind: 'application' }>,
  isBusyTrusted: boolean,
): Extract<SendOutcome<never>, { kind: 'notSent' | 'rejected' | 'accountTrouble' }> | null {
  const waitMs = call?.retryAfterMs ?? null;
  // A 503 with `Retry-After`: a service that answers so has mostly not begun.
  const isBusy = call?.status === 503 && waitMs !== null;
  switch (type) {
    case FailureType.NotSent:
      return { kind: 'notSent', reason, waitMs };
    case FailureType.Rejected:
      return { kind: 'rejected', reason, refusal: call === null ? null : refusalOf(call) };
    case FailureType.AccountTrouble:
    case FailureType.AccountMismatch:
      return { kind: 'accountTrouble', reason, status: call?.status ?? null };
    case FailureType.InDoubt:
      return isBusy && isBusyTrusted ? { kind: 'notSent', reason, waitMs } : null;
    default:
      return null;
  }
}

/** The listing that a late outcome reports, for any kind of write; null when it names none. */
export function listingIdOfOutcome({ end }: LateOutcome): string | null {
  if (end.kind !== 'done' || typeof end.value !== 'object' || end.value === null) return null;
  return 'listingId' in end.value && typeof end.value.listingId === 'string' ? end.value.listingId : null;
}

/** The acceptance that a late outcome reports as running; null for another write, or one that failed. */
export function acceptanceOfOutcome({ end }: LateOutcome): AcceptanceName | null {
  if (end.kind !== 'done' || typeof end.value !== 'object' || end.value === null) return null;
  const { value } = end;
  if (!('rateId' in value && 'executionId' in value)) return null;
  const { rateId, executionId } = value;
  return typeof rateId === 'string' && typeof executionId === 'string' ? { rateId, executionId } : null;
}

/** Classifies a late outcome as if it had come in time. An outcome in doubt adds nothing. */
export function sortLateOutcome<T>({ end }: LateOutcome): SendOutcome<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made by the same activity, crossed Temporal as its result would have
  if (end.kind === 'done') return { kind: 'done', value: end.value as T };
  const { type, message, call } = end;
  return sortWriteFailure({ kind: 'application', type, message, call }, null);
}
