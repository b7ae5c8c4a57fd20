import type { ShipmentPolicy } from './policy';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The policy when neither the account nor the order sets a value. */
export const DEFAULT_POLICY: ShipmentPolicy = {
  rateRule: {
    prefer: 'cheapest',
    priceCap: null,
    serviceTypes: [],
    allowedCarriers: [],
    refusedCarriers: [],
    minimumStars: null,
    minimumFeedbackCount: null,
  },
  pickup: { closedDays: [], cutOffHour: null, whenMissed: 'ask' },
  paymentMethodId: null,
  rates: {
    minimumWaitMs: 20 * SECOND,
    quietMs: 45 * SECOND,
    enough: 8,
    maximumWaitMs: 10 * MINUTE,
    expiryMarginMs: 30 * MINUTE,
    maximumRequests: 5,
    driftPercent: 10,
    pace: { initialMs: 5 * SECOND, maximumMs: 30 * SECOND },
  },
  acceptance: {
    pace: { initialMs: 2 * SECOND, maximumMs: 5 * MINUTE },
    failureWaitMs: 10 * SECOND,
    windowMs: 28 * HOUR,
  },
  doubtWaitMs: 30 * SECOND,
  writeTimeoutMs: 30 * SECOND,
  busyMeansNotSent: false,
  notSentPace: { initialMs: 5 * SECOND, maximumMs: 5 * MINUTE },
  unreadableAfterMs: HOUR,
  sweepPace: { initialMs: 10 * MINUTE, maximumMs: 30 * MINUTE },
  sweepWidening: 8,
  trackingPace: { initialMs: 15 * MINUTE, maximumMs: 2 * HOUR },
  trackingPositionMs: 6 * HOUR,
  documentPace: { initialMs: 15 * SECOND, maximumMs: 15 * MINUTE },
  documentWindowMs: 2 * DAY,
  lateness: {
    unbookedMs: 12 * HOUR,
    pickupMs: 12 * HOUR,
    deliveryMs: DAY,
    silenceMs: 4 * DAY,
    ask: ['unbooked', 'notPickedUp', 'notDelivered'],
  },
  priceTolerancePercent: 5,
  // The contract gives 72 business hours to dispute a corrected price; this adds a weekend on either side.
  settlementWindowMs: 9 * DAY,
};
