import { z } from 'zod';
import { parseMoney } from '../domain/money';
import { MISSED_PICKUP_RULES, RATE_PREFERENCES, type RateRule, type ShipmentPolicy } from '../domain/policy';
import { LEAST_SHUTDOWN_GRACE_MS, WRITE_TIMEOUT_BOUNDS_MS } from '../domain/write-timing';
import { isDate } from './dates';
import type { Problem } from './problem';
import { schemaProblems } from './schema-problems';

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const YEAR_MS = 365 * UNIT_MS.d;
const isUnit = (text: string): text is keyof typeof UNIT_MS => Object.hasOwn(UNIT_MS, text);

/** `1500ms`, `20s`, `10m`, `28h`, `9d`, or milliseconds as a number; null when it is none of these. */
function parseDuration(given: string | number): number | null {
  if (typeof given === 'number') return Number.isInteger(given) && given >= 0 ? given : null;
  const [, count = '', unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(given.trim()) ?? [];
  return isUnit(unit) ? Number(count) * UNIT_MS[unit] : null;
}

const DURATION_HINT = 'give a duration such as "20s", "10m", "28h" or "9d", of at most a year';

const duration = z
  .union([z.string(), z.number()], { error: DURATION_HINT })
  .transform((given, context): number => {
    const milliseconds = parseDuration(given);
    if (milliseconds !== null && milliseconds <= YEAR_MS) return milliseconds;
    context.addIssue({ code: 'custom', message: DURATION_HINT });
    return z.NEVER;
  });

/** A pace of 0 would ask the marketplace without a pause, and a maximum below the initial pace is a mistake. */
const pace = z
  .strictObject({ initial: duration, maximum: duration })
  .refine(({ initial }) => initial > 0, { path: ['initial'], error: 'give more than 0' })
  .refine(({ initial, maximum }) => initial <= maximum, {
    path: ['maximum'],
    error: 'give at least the value of initial',
  })
  .transform(({ initial, maximum }) => ({ initialMs: initial, maximumMs: maximum }));

const { least, greatest } = WRITE_TIMEOUT_BOUNDS_MS;
const seconds = (milliseconds: number): string => `${Math.ceil(milliseconds / 1_000)}s`;

const writeTimeout = duration.refine((given) => given >= least && given <= greatest, {
  error:
    `give ${seconds(least)} to ${seconds(greatest)}: with less, no answer arrives in time and every order is in doubt; ` +
    `with more, a write, which may take five sixths of it, outlasts the ${seconds(LEAST_SHUTDOWN_GRACE_MS)} that ` +
    'a stopping worker waits',
});

export const moneySchema = z
  .strictObject({
    amount: z.union([z.string(), z.number()], { error: 'give the amount as text, such as "650.00"' }),
    currency: z.enum(['USD', 'CAD']),
  })
  .transform(({ amount, currency }, context) => {
    const money = parseMoney(String(amount), currency);
    if (money !== null && money.minorUnits >= 0) return money;
    context.addIssue({ code: 'custom', path: ['amount'], message: 'give a decimal amount such as "650.00"' });
    return z.NEVER;
  });

export const chooseSchema = z.strictObject({
  prefer: z.enum(RATE_PREFERENCES).optional(),
  priceCap: moneySchema.optional(),
  serviceTypes: z.array(z.string()).optional(),
  allowCarriers: z.array(z.string()).optional(),
  refuseCarriers: z.array(z.string()).optional(),
  minimumStars: z.number().min(1).max(5).optional(),
  minimumFeedback: z.number().int().nonnegative().optional(),
});

const day = z.string().refine(isDate, { error: 'write days as YYYY-MM-DD' });

export const policySchema = z.strictObject({
  choose: chooseSchema.optional(),
  closedDays: z.array(day).max(366).optional(),
  cutOffHour: z.number().int().min(0).max(23).optional(),
  whenPickupMissed: z.enum(MISSED_PICKUP_RULES).optional(),
  paymentMethodId: z.string().min(1).optional(),
  ratesMinimumWait: duration.optional(),
  ratesQuiet: duration.optional(),
  ratesEnough: z.number().int().positive().optional(),
  ratesMaximumWait: duration.optional(),
  ratesExpiryMargin: duration.optional(),
  ratesMaximumRequests: z.number().int().positive().optional(),
  ratesDriftPercent: z.number().nonnegative().optional(),
  ratesPace: pace.optional(),
  acceptanceFailureWait: duration.optional(),
  acceptanceWindow: duration.optional(),
  acceptancePace: pace.optional(),
  doubtWait: duration.optional(),
  writeTimeout: writeTimeout.optional(),
  busyMeansNotSent: z.boolean().optional(),
  notSentPace: pace.optional(),
  unreadableAfter: duration.optional(),
  sweepPace: pace.optional(),
  sweepWidening: z.number().min(1).max(100).optional(),
  trackingPace: pace.optional(),
  trackingPositionEvery: duration.optional(),
  documentPace: pace.optional(),
  documentWindow: duration.optional(),
  settlementWindow: duration.optional(),
});

const PAYMENT_METHOD_ID_LENGTH = 36;

/**
 * What is odd about the id of a payment method, or null. The service documents its length, but not its alphabet. Without
 * this check a mistyped id would show only as a question of a running shipment.
 */
export function oddPaymentMethodId(id: unknown): string | null {
  if (typeof id !== 'string' || id.length === PAYMENT_METHOD_ID_LENGTH) return null;
  return `has ${id.length} characters; ids of payment methods have ${PAYMENT_METHOD_ID_LENGTH}`;
}

export type PolicyWire = z.infer<typeof policySchema>;
export type MergedPolicy =
  | { readonly ok: true; readonly policy: ShipmentPolicy }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** A policy with the overrides of an account or an order. */
export function mergePolicy(base: ShipmentPolicy, overrides: unknown): MergedPolicy {
  const parsed = policySchema.safeParse(overrides);
  if (parsed.success) return { ok: true, policy: applyPolicy(base, parsed.data) };
  return { ok: false, problems: schemaProblems(policySchema, parsed.error, overrides) };
}

export function applyPolicy(base: ShipmentPolicy, wire: PolicyWire): ShipmentPolicy {
  return {
    rateRule: applyChoice(base.rateRule, wire.choose ?? {}),
    pickup: {
      closedDays: wire.closedDays ?? base.pickup.closedDays,
      cutOffHour: wire.cutOffHour ?? base.pickup.cutOffHour,
      whenMissed: wire.whenPickupMissed ?? base.pickup.whenMissed,
    },
    paymentMethodId: wire.paymentMethodId ?? base.paymentMethodId,
    rates: {
      minimumWaitMs: wire.ratesMinimumWait ?? base.rates.minimumWaitMs,
      quietMs: wire.ratesQuiet ?? base.rates.quietMs,
      enough: wire.ratesEnough ?? base.rates.enough,
      maximumWaitMs: wire.ratesMaximumWait ?? base.rates.maximumWaitMs,
      expiryMarginMs: wire.ratesExpiryMargin ?? base.rates.expiryMarginMs,
      maximumRequests: wire.ratesMaximumRequests ?? base.rates.maximumRequests,
      driftPercent: wire.ratesDriftPercent ?? base.rates.driftPercent,
      pace: wire.ratesPace ?? base.rates.pace,
    },
    acceptance: {
      pace: wire.acceptancePace ?? base.acceptance.pace,
      failureWaitMs: wire.acceptanceFailureWait ?? base.acceptance.failureWaitMs,
      windowMs: wire.acceptanceWindow ?? base.acceptance.windowMs,
    },
    doubtWaitMs: wire.doubtWait ?? base.doubtWaitMs,
    writeTimeoutMs: wire.writeTimeout ?? base.writeTimeoutMs,
    busyMeansNotSent: wire.busyMeansNotSent ?? base.busyMeansNotSent,
    notSentPace: wire.notSentPace ?? base.notSentPace,
    unreadableAfterMs: wire.unreadableAfter ?? base.unreadableAfterMs,
    sweepPace: wire.sweepPace ?? base.sweepPace,
    sweepWidening: wire.sweepWidening ?? base.sweepWidening,
    trackingPace: wire.trackingPace ?? base.trackingPace,
    trackingPositionMs: wire.trackingPositionEvery ?? base.trackingPositionMs,
    documentPace: wire.documentPace ?? base.documentPace,
    documentWindowMs: wire.documentWindow ?? base.documentWindowMs,
    settlementWindowMs: wire.settlementWindow ?? base.settlementWindowMs,
  };
}

export function applyChoice(base: RateRule, wire: z.infer<typeof chooseSchema>): RateRule {
  return {
    prefer: wire.prefer ?? base.prefer,
    priceCap: wire.priceCap ?? base.priceCap,
    serviceTypes: wire.serviceTypes ?? base.serviceTypes,
    allowedCarriers: wire.allowCarriers ?? base.allowedCarriers,
    refusedCarriers: wire.refuseCarriers ?? base.refusedCarriers,
    minimumStars: wire.minimumStars ?? base.minimumStars,
    minimumFeedbackCount: wire.minimumFeedback ?? base.minimumFeedbackCount,
  };
}
