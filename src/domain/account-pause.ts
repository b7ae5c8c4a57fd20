import type { AccountPin } from './account-pin';
import { commandLines } from './command-lines';
import { delayAfter, type PollPace } from './policy';
import type { IsoInstant } from './shipment';

/** Why a shipment waits for its account. */
export interface AccountTrouble {
  /** For people. */
  readonly reason: string;
  /** With which the marketplace refused; null where it is known without a call. */
  readonly status: number | null;
}

/**
 * The one question about an account in trouble. Nothing in it grows with the number of shipments that wait: they read
 * the pause, and do not register in it.
 */
export interface AccountPause {
  readonly account: AccountPin;
  readonly supportAddress: string | null;
  readonly since: IsoInstant;
  /** Why shipments wait, each reason once. At most `MAX_REASONS`. */
  readonly reasons: readonly AccountTrouble[];
  /** How many shipments waited when they were last counted; null before the first count. */
  readonly waiting: number | null;
  /** Whether the account's key was refused on a harmless call too, so that the same call can prove that it is good again. */
  readonly isRefused: boolean;
}

/** What a worker knows of a pause that runs. */
export interface PauseFact {
  /** The same for as long as the pause lasts. */
  readonly pauseId: string;
  readonly waiting: number;
  readonly isRefused: boolean;
}

export const MAX_REASONS = 3;
const MAX_REASON_LENGTH = 300;

/** A reason as it is kept and compared. */
export const cutReason = (reason: string): string =>
  reason.length > MAX_REASON_LENGTH ? `${reason.slice(0, MAX_REASON_LENGTH - 1)}…` : reason;

/** The pause with one more reason, while there is room. */
export function withReason(pause: AccountPause, { reason, status }: AccountTrouble): AccountPause {
  const cut = cutReason(reason);
  const isKnown = pause.reasons.some((known) => known.reason === cut);
  if (isKnown || pause.reasons.length >= MAX_REASONS) return pause;
  return { ...pause, reasons: [...pause.reasons, { reason: cut, status }] };
}

/** What a 401 or a 403 may mean. */
export const ACCOUNT_HINT =
  'The key may be wrong, expired or of the other environment, and for LTL the static IP addresses of the workers ' +
  "must be on the marketplace's list of allowed ones.";

const isRefusedKey = ({ status }: AccountTrouble): boolean => status === 401 || status === 403;

const howMany = (waiting: number | null): string => {
  if (waiting === null) return 'shipments';
  return waiting === 1 ? 'about 1 shipment' : `about ${waiting} shipments`;
};

/** Who waits, and why. */
export const pausedText = ({ account, reasons, waiting }: AccountPause): string =>
  `a person: ${howMany(waiting)} of account ${account.name} wait: ${whyText(reasons)}`;

const whyText = (reasons: readonly AccountTrouble[]): string =>
  reasons.map(({ reason }) => reason).join('; ');

/** What a person reads: how many wait, since when, why, what it may be, and what to do. */
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

/** Why the shipments cannot be resumed, or null when they can. */
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
/** With few shipments a resume is felt within this time, and a little jitter. */
const QUICK_LOOK_MS = 7_000;
const SLOWEST_LOOK_MS = 10 * 60_000;
/** How many of the shipments that wait look each second, all workers together. They also resume at this rate. */
const LOOKS_PER_SECOND = 50;

/**
 * Milliseconds until a shipment looks again whether its account is still paused. The more shipments wait, the more rarely
 * each one looks: this spreads the looks, and after the pause the calls.
 * @param looks how often it has looked already
 * @param random from 0 to 1
 */
export function lookAgainAfter(looks: number, waiting: number, random: number): number {
  const spreadMs = (waiting / LOOKS_PER_SECOND) * 1_000;
  const maximumMs = Math.min(SLOWEST_LOOK_MS, Math.max(QUICK_LOOK_MS, spreadMs));
  const delayMs = delayAfter({ initialMs: FIRST_LOOK_MS, maximumMs }, looks);
  return Math.round(delayMs * (0.75 + 0.5 * random));
}

/** Of the harmless call that tries the account's key. */
export const TEST_CALL_PACE: PollPace = { initialMs: 5_000, maximumMs: 5 * 60_000 };

/** Between two counts of the shipments that wait: a pause fills quickly at first. */
export const COUNT_PACE: PollPace = { initialMs: 2_000, maximumMs: 5 * 60_000 };

/** Whether a count is worth a new text: by a quarter, so that the number of texts stays small however many shipments wait. */
export function isNewCount(known: number | null, count: number): boolean {
  return known === null || (count === 0) !== (known === 0) || Math.abs(count - known) > known / 4;
}
