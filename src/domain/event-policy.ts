import type { PollPace } from './policy';

/** How events are treated that no running shipment takes. All durations in milliseconds. */
export interface EventPolicy {
  /** An event can be faster than its listing's record: how long, and how often, a missing listing is read again. */
  readonly notFoundMs: number;
  readonly notFoundPace: PollPace;
  /**
   * How long a look-up goes on where the account is in trouble, or the answer makes no sense, and how often. The next event
   * of the listing is another reason to look, and may never come. None where somebody waits for the answer.
   */
  readonly unreadableMs: number;
  readonly unreadablePace: PollPace;
  /** Between two looks at a listing that a person was asked about. */
  readonly latePace: PollPace;
  /** How long a price that was corrected after the end waits for a person. */
  readonly adjustmentWindowMs: number;
  /** How long what was acknowledged is not asked again. */
  readonly acknowledgedMs: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** The same pace for a shipment, which waits for the record of its own listing. */
export const OWN_LISTING_PACE: PollPace = { initialMs: 2 * SECOND, maximumMs: 20 * SECOND };

export const DEFAULT_EVENT_POLICY: EventPolicy = {
  notFoundMs: MINUTE,
  // Anybody can send events of listings that do not exist: each is read four times.
  notFoundPace: { initialMs: 8 * SECOND, maximumMs: 30 * SECOND },
  unreadableMs: 3 * DAY,
  unreadablePace: { initialMs: 10 * SECOND, maximumMs: 60 * MINUTE },
  latePace: { initialMs: 10 * MINUTE, maximumMs: 6 * 60 * MINUTE },
  // 72 business hours to dispute a corrected price, and a weekend on either side.
  adjustmentWindowMs: 9 * DAY,
  acknowledgedMs: 30 * DAY,
};
