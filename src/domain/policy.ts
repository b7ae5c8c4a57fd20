import type { LatenessKind } from './lateness';
import type { Money } from './money';

/** How often to repeat a call: the delay starts at the first value and doubles up to the second. Milliseconds. */
export interface PollPace {
  readonly initialMs: number;
  readonly maximumMs: number;
}

/** The delay before the next try: it doubles with each try, up to the pace's maximum. */
export function delayAfter(pace: PollPace, tries: number): number {
  return Math.min(pace.maximumMs, pace.initialMs * 2 ** Math.min(tries, 20));
}

export const MISSED_PICKUP_RULES = ['ask', 'nextBusinessDay'] as const;
/** What happens when the pickup day passes before a booking. */
export type MissedPickupRule = (typeof MISSED_PICKUP_RULES)[number];

export const RATE_PREFERENCES = ['cheapest', 'fastest', 'bestRated'] as const;
/** Which of the acceptable rates is accepted. */
export type RatePreference = (typeof RATE_PREFERENCES)[number];

/** Which rates Consign may accept without asking, and which of them it prefers. */
export interface RateRule {
  readonly prefer: RatePreference;
  readonly priceCap: Money | null;
  /** Empty allows any. */
  readonly serviceTypes: readonly string[];
  /** Carrier names, compared without case; empty allows any. */
  readonly allowedCarriers: readonly string[];
  readonly refusedCarriers: readonly string[];
  readonly minimumStars: number | null;
  readonly minimumFeedbackCount: number | null;
}

/** Timing, limits and choices for an order. All durations in milliseconds. */
export interface ShipmentPolicy {
  readonly rateRule: RateRule;
  readonly pickup: {
    /** Days without pickups, besides weekends. */
    readonly closedDays: readonly string[];
    /** From this hour on, in the zone of the pickup, tomorrow is too early for a pickup; null means never. */
    readonly cutOffHour: number | null;
    /** What to do when an LTL order waited until its pickup day passed. */
    readonly whenMissed: MissedPickupRule;
  };
  /** Payment method for LTL; null uses the account's primary method. */
  readonly paymentMethodId: string | null;
  readonly rates: {
    /** Carriers answer late: choose no rate earlier than this. */
    readonly minimumWaitMs: number;
    /** Rates count as complete after this long without a new one. */
    readonly quietMs: number;
    /** Stop waiting once this many rates have arrived. */
    readonly enough: number;
    /** Choose from the available rates after this long. */
    readonly maximumWaitMs: number;
    /** Do not accept a rate that expires within this time. */
    readonly expiryMarginMs: number;
    /** Ask a person after this many rate requests without a person's decision. */
    readonly maximumRequests: number;
    /** How many percent above the agreed price a rate of a new request may be before Consign asks a person. */
    readonly driftPercent: number;
    readonly pace: PollPace;
  };
  readonly acceptance: {
    readonly pace: PollPace;
    /** After a failed acceptance, how long an event may still report a booking before Consign tries the next rate. */
    readonly failureWaitMs: number;
    /** A carrier has a business day to answer; after this the outcome is in doubt. */
    readonly windowMs: number;
  };
  /** How long a lost answer may still arrive before Consign asks a person. */
  readonly doubtWaitMs: number;
  /**
   * How long a write may run after its mark without a heartbeat; this detects a lost worker. A sixth of it may pass
   * before the first byte leaves, two thirds until the answer is complete.
   */
  readonly writeTimeoutMs: number;
  /**
   * Whether a 503 with `Retry-After` to a write means that it had no effect. If so, Consign sends it again without
   * asking. The contract does not say so.
   */
  readonly busyMeansNotSent: boolean;
  /** Pace of sending a write again that certainly was not sent. */
  readonly notSentPace: PollPace;
  /**
   * How long a listing may be unreadable before Consign reports it: `consign attention` lists it, and a 404 asks a
   * question.
   */
  readonly unreadableAfterMs: number;
  /** How often to read the listing when no event comes. This repairs lost events. */
  readonly sweepPace: PollPace;
  /** Multiplies the sweep's delays while events come and the sweep had nothing to repair. */
  readonly sweepWidening: number;
  readonly trackingPace: PollPace;
  /** Accept a new truck position without other news at most once in this time. */
  readonly trackingPositionMs: number;
  readonly documentPace: PollPace;
  /** How long to wait for contacts and the bill of lading after a booking. */
  readonly documentWindowMs: number;
  readonly lateness: {
    /** How long before the end of the last pickup day a listing without a booking is late. */
    readonly unbookedMs: number;
    /** How long after the end of the last pickup day goods that are not picked up are late. */
    readonly pickupMs: number;
    /** How long after the end of the last delivery day goods that are not delivered are late. */
    readonly deliveryMs: number;
    /** How long a truck may be silent. */
    readonly silenceMs: number;
    /** What a person is asked about; a notice reports the rest. */
    readonly ask: readonly LatenessKind[];
  };
  /** How many percent above the accepted price a booked listing's price may be before Consign asks a person. */
  readonly priceTolerancePercent: number;
  /** How long to watch the price after delivery, because it may still be corrected. */
  readonly settlementWindowMs: number;
  /**
   * UNSAFE: sends every write in doubt again at once, which books twice. It proves that the judge of `npm run chaos`
   * detects double bookings. No order or account document can set it; only code that builds a policy by hand.
   */
  readonly unsafeResendInDoubt?: boolean;
}
