import type { Money } from './money';

/** How often to ask again: the first delay, doubled up to the greatest. Milliseconds. */
export interface PollPace {
  readonly initialMs: number;
  readonly maximumMs: number;
}

/** The delay before the next try after so many: doubled each time, up to the pace's greatest. */
export function delayAfter(pace: PollPace, tries: number): number {
  return Math.min(pace.maximumMs, pace.initialMs * 2 ** Math.min(tries, 20));
}

export const MISSED_PICKUP_RULES = ['ask', 'nextBusinessDay'] as const;
/** What happens when the pickup day passes before a booking. */
export type MissedPickupRule = (typeof MISSED_PICKUP_RULES)[number];

export const RATE_PREFERENCES = ['cheapest', 'fastest', 'bestRated'] as const;
/** Which of the acceptable rates is accepted. */
export type RatePreference = (typeof RATE_PREFERENCES)[number];

/** What a rate must be to be taken without asking, and which of those is taken. */
export interface RateRule {
  readonly prefer: RatePreference;
  readonly priceCap: Money | null;
  /** Empty means any. */
  readonly serviceTypes: readonly string[];
  /** Names of carriers, compared without case; empty means any. */
  readonly allowedCarriers: readonly string[];
  readonly refusedCarriers: readonly string[];
  readonly minimumStars: number | null;
  readonly minimumFeedbackCount: number | null;
}

/** Everything about an order that is not the order: timing, limits and choices. All durations in milliseconds. */
export interface ShipmentPolicy {
  readonly rateRule: RateRule;
  readonly pickup: {
    /** Days on which nobody loads, beside weekends. */
    readonly closedDays: readonly string[];
    /** From this hour on, in the zone of the pickup, a pickup tomorrow is too late to ask for; null is never. */
    readonly cutOffHour: number | null;
    /** What happens when an LTL order waited until its pickup could not be kept any more. */
    readonly whenMissed: MissedPickupRule;
  };
  /** Id of the payment method for LTL; null takes the account's primary one. */
  readonly paymentMethodId: string | null;
  readonly rates: {
    /** Carriers answer late: nothing is chosen earlier than this. */
    readonly minimumWaitMs: number;
    /** No new rate for this long means that they are all there. */
    readonly quietMs: number;
    /** With this many rates there is no waiting for quiet. */
    readonly enough: number;
    /** After this the choice is made from what is there. */
    readonly maximumWaitMs: number;
    /** A rate this near to its expiry is not taken. */
    readonly expiryMarginMs: number;
    /** Requests in a row without a person's decision; then one is asked. */
    readonly maximumRequests: number;
    /** How much dearer than the price agreed on a rate of a new request may be, in percent, before a person is asked. */
    readonly driftPercent: number;
    readonly pace: PollPace;
  };
  readonly acceptance: {
    readonly pace: PollPace;
    /** After a failure, how long an event may still tell that it was booked all the same, before the next rate. */
    readonly failureWaitMs: number;
    /** A carrier has a business day; after this the outcome is in doubt. */
    readonly windowMs: number;
  };
  /** How long a lost answer may still turn up before a person is asked. */
  readonly doubtWaitMs: number;
  /**
   * How long after its mark a write may go without a sign of life; a lost worker is noticed by this. A sixth of it may
   * pass before the first byte leaves, two thirds until the answer is whole.
   */
  readonly writeTimeoutMs: number;
  /**
   * Whether a 503 with `Retry-After` to a write means that it had no effect, so that it is sent again without asking. The
   * contract does not say so.
   */
  readonly busyMeansNotSent: boolean;
  /** Between two attempts of a write that was certainly not sent. */
  readonly notSentPace: PollPace;
  /** A listing that answers no reading for this long is told of: `attention` lists it, and a 404 asks. */
  readonly unreadableAfterMs: number;
  /** Reading the listing although no event came: how lost events are repaired. */
  readonly sweepPace: PollPace;
  /** The sweep's delays are this many times as long while events come and nothing had to be repaired. */
  readonly sweepWidening: number;
  readonly trackingPace: PollPace;
  /** A new position of the truck, and nothing else, is taken at most once in this time. */
  readonly trackingPositionMs: number;
  readonly documentPace: PollPace;
  /** How long contacts and the bill of lading are waited for after booking. */
  readonly documentWindowMs: number;
  /** After delivery the price may still be corrected; watched this long. */
  readonly settlementWindowMs: number;
  /**
   * UNSAFE, for proving that the judge of `npm run chaos` can see: every write in doubt is sent again at once, which
   * books twice. No order or account document can say it; only code that builds a policy by hand.
   */
  readonly unsafeResendInDoubt?: boolean;
}
