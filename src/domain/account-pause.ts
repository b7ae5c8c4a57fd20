import type { AccountPin } from './account-pin';
import { commandLines } from './command-lines';
import { delayAfter, type PollPace } from './policy';
import type { IsoInstant } from './shipment';

/** Why a shipment waits for its account. */
export interface AccountTrouble {
  /** For people. */
  readonly reason: string;
  /** HTTP status of the refusal; null when Consign knows the trouble without a call. */
  readonly status: number | null;
}

/**
 * The one question about an account in trouble. Its size does not depend on how many shipments wait: they read the
 * pause, and do not register in it.
 */
export interface AccountPause {
  readonly account: AccountPin;
  readonly supportAddress: string | null;
  readonly since: IsoInstant;
  /** Why shipments wait, each reason once; at most `MAX_REASONS`. */
  readonly reasons: readonly AccountTrouble[];
  /** How many shipments waited at the last count; null before the first count. */
  readonly waiting: number | null;
  /** Whether a harmless test call was refused too: then a later one can prove that the key works again. */
  readonly isRefused: boolean;
}

/** What a worker knows of a running pause. */
export interface PauseFact {
  /** Stays the same while the pause lasts. */
  readonly pauseId: string;
  readonly waiting: number;
  readonly isRefused: boolean;
}

export const MAX_REASONS = 3;
const MAX_REASON_LENGTH = 300;

/** A reason in the length in which it is stored and compared. */
export const cutReason = (reason: string): string =>
  reason.length > MAX_REASON_LENGTH ? `${reason.slice(0, MAX_REASON_LENGTH - 1)}…` : reason;

/** The pause with one more reason, if there is room. */
export function withReason(pause: AccountPause, { reason, status }: AccountTrouble): AccountPause {
  const cut = cutReason(reason);
  const isKnown = pause.reasons.some((known) => known.reason === cut);
  if (isKnown || pause.reasons.length >= MAX_REASONS) return pause;
  return { ...pause, reasons: [...pause.reasons, { reason: cut, status }] };
}

export const ACCOUNT_HINT =
  'The key may be wrong, expired or of the other environment, and for LTL the static IP addresses of the workers ' +
  "must be on the marketplace's list of allowed ones.";

const isRefusedKey = ({ status }: AccountTrouble): boolean => status === 401 || status === 403;

const howMany = (waiting: number | null): string => {
  if (waiting === null) return 'shipments';
  return waiting === 1 ? 'about 1 shipment' : `about ${waiting} shipments`;
};

export const pausedText = ({ account, reasons, waiting }: AccountPause): string =>
  `a person: ${howMany(waiting)} of account ${account.name} wait: ${whyText(reasons)}`;

const whyText = (reasons: readonly AccountTrouble[]): string =>
  reasons.map(({ reason }) => reason).join('; ');

/** The whole question: how many wait, since when, why, possible causes, and what to do. */
export function accountPauseText(pause: AccountPause): string {
  const { account, supportAddress, since, reasons, waiting, isRefused } = pause;
  const hint = isRefused || reasons.some(isRefusedKey) ? ` ${ACCOUNT_HINT}` : '';
  const byItself = isRefused ? ' The shipments also resume by themselves once a test call succeeds.' : '';
  const support = supportAddress === null ? '' : ` Support: ${supportAddress}.`;
  return (
    `a person: ${howMany(waiting)} of account ${account.name} wait since ${since}: ${whyText(reasons)}.${hint} ` +
    `Fix the account, then run \`${commandLines.retryAccount(account.name)}\`.${byItself}${support}`
  );
}

/** Why the shipments cannot be resumed; null when they can. */
export function refuseResume({
  by,
  reason,
}: {
  readonly by: string;
  readonly reason: string;
}): string | null {
  if (by.trim() === '') return 'say who fixed the account: `by` must not be empty';
  if (reason.trim() === '') return 'say what was done: `reason` must not be empty';
  return null;
}

const FIRST_LOOK_MS = 1_500;
/** With few shipments, each notices a resume within this time, plus a little jitter. */
const QUICK_LOOK_MS = 7_000;
const SLOWEST_LOOK_MS = 10 * 60_000;
/** How many waiting shipments look each second, over all workers. They also resume at this rate. */
const LOOKS_PER_SECOND = 50;

/**
 * Milliseconds until a shipment checks again whether its account is still paused. The more shipments wait, the less
 * often each one checks. This spreads the checks, and the calls after the pause.
 * @param looks how often the shipment has checked already
 * @param random from 0 to 1
 */
export function lookAgainAfter(looks: number, waiting: number, random: number): number {
  const spreadMs = (waiting / LOOKS_PER_SECOND) * 1_000;
  const maximumMs = Math.min(SLOWEST_LOOK_MS, Math.max(QUICK_LOOK_MS, spreadMs));
  const delayMs = delayAfter({ initialMs: FIRST_LOOK_MS, maximumMs }, looks);
  return Math.round(delayMs * (0.75 + 0.5 * random));
}

/** Pace of the harmless call that tests the account's key. */
export const TEST_CALL_PACE: PollPace = { initialMs: 5_000, maximumMs: 5 * 60_000 };

/** Pace of counting the waiting shipments: at first a pause fills quickly. */
export const COUNT_PACE: PollPace = { initialMs: 2_000, maximumMs: 5 * 60_000 };

/**
 * Whether a count is worth a new text: it differs by a quarter. This keeps the number of texts small for any number
 * of shipments.
 */
export function isNewCount(known: number | null, count: number): boolean {
  return known === null || (count === 0) !== (known === 0) || Math.abs(count - known) > known / 4;
}
