import type { PollPace } from './policy';

/** How Consign treats events that no running shipment takes. All durations in milliseconds. */
export interface EventPolicy {
  /**
   * An event can arrive before its listing's record exists. How long, and how often, Consign reads a missing listing
   * again.
   */
  readonly notFoundMs: number;
  readonly notFoundPace: PollPace;
  /**
   * How long, and how often, a look-up continues when the account is in trouble or the answer is invalid. The next
   * event of the listing starts it again, but may never come. Zero when a person waits for the result.
   */
  readonly unreadableMs: number;
  readonly unreadablePace: PollPace;
  /** Pace of reading a listing that a person was asked about. */
  readonly latePace: PollPace;
  /** How long a price that was corrected after the end waits for a person. */
  readonly adjustmentWindowMs: number;
  /** How long an acknowledged problem is not asked about again. */
  readonly acknowledgedMs: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** The same pace for a shipment that waits for its own listing's record. */
export const OWN_LISTING_PACE: PollPace = { initialMs: 2 * SECOND, maximumMs: 20 * SECOND };

export const DEFAULT_EVENT_POLICY: EventPolicy = {
  notFoundMs: MINUTE,
  // Anyone can send events about listings that do not exist, so each costs only four readings.
  notFoundPace: { initialMs: 8 * SECOND, maximumMs: 30 * SECOND },
  unreadableMs: 3 * DAY,
  unreadablePace: { initialMs: 10 * SECOND, maximumMs: 60 * MINUTE },
  latePace: { initialMs: 10 * MINUTE, maximumMs: 6 * 60 * MINUTE },
  // The contract gives 72 business hours to dispute a corrected price; this adds a weekend on either side.
  adjustmentWindowMs: 9 * DAY,
  acknowledgedMs: 30 * DAY,
};
