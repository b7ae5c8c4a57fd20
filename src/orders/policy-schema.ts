import { z } from 'zod';
import { DEFAULT_POLICY } from '../domain/default-policy';
import { LATENESS_KINDS } from '../domain/lateness';
import { MISSED_PICKUP_RULES, RATE_PREFERENCES } from '../domain/policy';
import { LEAST_SHUTDOWN_GRACE_MS, WRITE_TIMEOUT_BOUNDS_MS } from '../domain/write-timing';
import { isDate } from './dates';
import { described } from '../platform/described';
import { durationSchema, durationText, paceSchema, paceText } from './durations';
import { moneySchema } from './money-schema';

const { least, greatest } = WRITE_TIMEOUT_BOUNDS_MS;
const seconds = (milliseconds: number): string => `${Math.ceil(milliseconds / 1_000)}s`;

const writeTimeout = durationSchema.refine((given) => given >= least && given <= greatest, {
  error:
    `give ${seconds(least)} to ${seconds(greatest)}: with less, no answer arrives in time and every order is in doubt; ` +
    `with more, a write, which may take five sixths of it, outlasts the ${seconds(LEAST_SHUTDOWN_GRACE_MS)} that ` +
    'a stopping worker waits',
});

const day = z
  .string()
  .meta({ pattern: String.raw`^\d{4}-\d{2}-\d{2}$` })
  .refine(isDate, { error: 'write days as YYYY-MM-DD' });

const { rateRule, pickup, paymentMethodId, rates, acceptance, lateness, ...others } = DEFAULT_POLICY;

/** Which rate is taken: part of a policy, and a shorter way to say it in an LTL order. */
export const rateRuleSchema = z.strictObject({
  prefer: described(
    z.enum(RATE_PREFERENCES),
    "Which rate wins, of those that fit and are in the account's currency.",
    rateRule.prefer,
  ).optional(),
  priceCap: described(moneySchema, "A rate above this price needs a person's approval.").optional(),
  serviceTypes: described(
    z.array(z.string()),
    'Only rates of these service types, such as `LtlTransportOnly`; an empty list means any.',
    rateRule.serviceTypes,
  ).optional(),
  allowedCarriers: described(
    z.array(z.string()),
    'Only these carriers, by name; an empty list means any.',
    rateRule.allowedCarriers,
  ).optional(),
  refusedCarriers: described(
    z.array(z.string()),
    'Never these carriers, by name.',
    rateRule.refusedCarriers,
  ).optional(),
  minimumStars: described(
    z.number().min(1).max(5),
    'The lowest rating of a carrier, 1 to 5 stars.',
  ).optional(),
  minimumFeedbackCount: described(
    z.number().int().nonnegative(),
    'The lowest number of ratings of a carrier.',
  ).optional(),
});

const pickupSchema = z.strictObject({
  closedDays: described(
    z.array(day).max(366),
    'Days without pickup beside weekends and public holidays, as `YYYY-MM-DD`; at most 366.',
    pickup.closedDays,
  ).optional(),
  cutOffHour: described(
    z.number().int().min(0).max(23),
    "From this hour on, 0 to 23 in the pickup's time zone, an LTL pickup tomorrow is too late.",
    pickup.cutOffHour,
  ).optional(),
  whenMissed: described(
    z.enum(MISSED_PICKUP_RULES),
    'What Consign does when an LTL pickup can no longer be kept.',
    pickup.whenMissed,
  ).optional(),
});

const ratesSchema = z.strictObject({
  minimumWait: described(
    durationSchema,
    'Consign chooses no rate earlier than this.',
    durationText(rates.minimumWaitMs),
  ).optional(),
  quiet: described(
    durationSchema,
    'Rates count as complete after this long without a new one.',
    durationText(rates.quietMs),
  ).optional(),
  enough: described(
    z.number().int().positive(),
    'Consign stops waiting for quiet once this many rates have arrived.',
    rates.enough,
  ).optional(),
  maximumWait: described(
    durationSchema,
    'After this, Consign chooses from the rates that have arrived.',
    durationText(rates.maximumWaitMs),
  ).optional(),
  expiryMargin: described(
    durationSchema,
    'Consign takes no rate that expires within this time.',
    durationText(rates.expiryMarginMs),
  ).optional(),
  maximumRequests: described(
    z.number().int().positive(),
    "How many times in a row Consign requests rates without a person's decision.",
    rates.maximumRequests,
  ).optional(),
  driftPercent: described(
    z.number().nonnegative(),
    'How many percent above the agreed price a rate of a later request may cost.',
    rates.driftPercent,
  ).optional(),
  pace: described(paceSchema, 'The delay between two reads of the rates.', paceText(rates.pace)).optional(),
});

const acceptanceSchema = z.strictObject({
  pace: described(
    paceSchema,
    'The delay between two reads of an acceptance.',
    paceText(acceptance.pace),
  ).optional(),
  failureWait: described(
    durationSchema,
    'How long a failed acceptance waits for an event that contradicts it, before the next rate.',
    durationText(acceptance.failureWaitMs),
  ).optional(),
  window: described(
    durationSchema,
    'How long a carrier may take to accept; after that the outcome is in doubt.',
    durationText(acceptance.windowMs),
  ).optional(),
});

const latenessSchema = z.strictObject({
  unbooked: described(
    durationSchema,
    'How long before the end of the last pickup day a listing that nobody has booked is late.',
    durationText(lateness.unbookedMs),
  ).optional(),
  pickup: described(
    durationSchema,
    'How long after the end of the last pickup day goods that are not picked up are late.',
    durationText(lateness.pickupMs),
  ).optional(),
  delivery: described(
    durationSchema,
    'How long goods may arrive after the last delivery day of the record, the order or the accepted rate.',
    durationText(lateness.deliveryMs),
  ).optional(),
  silence: described(
    durationSchema,
    'How long a truck may go without a new position or status.',
    durationText(lateness.silenceMs),
  ).optional(),
  ask: described(
    z.array(z.enum(LATENESS_KINDS)),
    'Which delays ask a person; the others are only notices.',
    lateness.ask,
  ).optional(),
});

/**
 * The policy of an account or an order. Each key is spelled as in `ShipmentPolicy`, without `Ms`: a document writes
 * durations with their unit.
 */
export const policySchema = z.strictObject({
  rateRule: described(rateRuleSchema, 'Which rate Consign takes.').optional(),
  pickup: described(pickupSchema, 'On which days a pickup is possible.').optional(),
  paymentMethodId: described(
    z.string().min(1),
    "The payment method of LTL, 36 characters; left out, Consign takes the account's primary one.",
    paymentMethodId,
  ).optional(),
  rates: described(ratesSchema, 'How Consign waits for rates.').optional(),
  acceptance: described(acceptanceSchema, 'How Consign waits for a carrier that accepts.').optional(),
  doubtWait: described(
    durationSchema,
    'How long a lost answer may still arrive before Consign asks a person.',
    durationText(others.doubtWaitMs),
  ).optional(),
  writeTimeout: described(
    writeTimeout,
    `How long a write may go without a heartbeat, ${seconds(least)} to ${seconds(greatest)}; then its worker counts as lost.`,
    durationText(others.writeTimeoutMs),
  ).optional(),
  busyMeansNotSent: described(
    z.boolean(),
    'Whether a 503 with `Retry-After` means that a write had no effect and Consign sends it again.',
    others.busyMeansNotSent,
  ).optional(),
  notSentPace: described(
    paceSchema,
    'The delay between two attempts of a write that certainly was not sent.',
    paceText(others.notSentPace),
  ).optional(),
  unreadableAfter: described(
    durationSchema,
    'A listing that cannot be read for this long is shown as unreadable; one that answers 404 asks.',
    durationText(others.unreadableAfterMs),
  ).optional(),
  sweepPace: described(
    paceSchema,
    'The delay between two reads of a listing without an event; each varies by up to half.',
    paceText(others.sweepPace),
  ).optional(),
  sweepWidening: described(
    z.number().min(1).max(100),
    'Multiplies `sweepPace`, 1 to 100, while webhooks arrive and no read finds anything they missed.',
    others.sweepWidening,
  ).optional(),
  trackingPace: described(
    paceSchema,
    'The delay between two reads of the position.',
    paceText(others.trackingPace),
  ).optional(),
  trackingPosition: described(
    durationSchema,
    'A new position without a new status or place is recorded at most once in this time.',
    durationText(others.trackingPositionMs),
  ).optional(),
  documentPace: described(
    paceSchema,
    'The delay between two requests for bill of lading and contacts.',
    paceText(others.documentPace),
  ).optional(),
  documentWindow: described(
    durationSchema,
    'How long Consign waits for documents after the pickup day, or the booking if that is later.',
    durationText(others.documentWindowMs),
  ).optional(),
  lateness: described(latenessSchema, 'When a shipment is late, and what happens then.').optional(),
  priceTolerancePercent: described(
    z.number().nonnegative(),
    'How many percent above the accepted price a booked listing may cost before Consign asks.',
    others.priceTolerancePercent,
  ).optional(),
  settlementWindow: described(
    durationSchema,
    'How long Consign watches for price corrections after delivery.',
    durationText(others.settlementWindowMs),
  ).optional(),
});

export type PolicyWire = z.infer<typeof policySchema>;
export type RateRuleWire = z.infer<typeof rateRuleSchema>;
