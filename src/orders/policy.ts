import { z } from 'zod';
import { parseMoney } from '../domain/money';
import { RATE_PREFERENCES, type RateRule, type ShipmentPolicy } from '../domain/policy';
import { jsonPath, type Problem } from './problem';

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `1500ms`, `20s`, `10m`, `28h`, `9d`, or milliseconds as a number. */
const duration = z.union([
  z.number().int().nonnegative(),
  z
    .string()
    .regex(/^\d+(ms|s|m|h|d)$/, 'give a duration such as 20s, 10m, 28h or 9d')
    .transform((text) => {
      const unit = /[a-z]+$/.exec(text)?.[0];
      const factor =
        unit === 'ms' || unit === 's' || unit === 'm' || unit === 'h' || unit === 'd' ? UNIT_MS[unit] : 1;
      return Number.parseInt(text, 10) * factor;
    }),
]);

const pace = z.strictObject({ initial: duration, maximum: duration }).transform(({ initial, maximum }) => ({
  initialMs: initial,
  maximumMs: maximum,
}));

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

export const policySchema = z.strictObject({
  choose: chooseSchema.optional(),
  paymentMethodId: z.string().min(1).optional(),
  ratesMinimumWait: duration.optional(),
  ratesQuiet: duration.optional(),
  ratesEnough: z.number().int().positive().optional(),
  ratesMaximumWait: duration.optional(),
  ratesExpiryMargin: duration.optional(),
  ratesPace: pace.optional(),
  acceptanceWindow: duration.optional(),
  acceptancePace: pace.optional(),
  doubtWait: duration.optional(),
  notSentPace: pace.optional(),
  sweepPace: pace.optional(),
  trackingPace: pace.optional(),
  documentPace: pace.optional(),
  documentWindow: duration.optional(),
  settlementWindow: duration.optional(),
});

export type PolicyWire = z.infer<typeof policySchema>;
export type MergedPolicy =
  | { readonly ok: true; readonly policy: ShipmentPolicy }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** A policy with what an account or an order says otherwise. */
export function mergePolicy(base: ShipmentPolicy, overrides: unknown): MergedPolicy {
  const parsed = policySchema.safeParse(overrides);
  if (parsed.success) return { ok: true, policy: applyPolicy(base, parsed.data) };
  const problems = parsed.error.issues.map(({ path, message }) => ({
    path: jsonPath(path),
    problem: message,
    remedy: 'see the table of policies in the README',
  }));
  return { ok: false, problems };
}

export function applyPolicy(base: ShipmentPolicy, wire: PolicyWire): ShipmentPolicy {
  return {
    rateRule: applyChoice(base.rateRule, wire.choose ?? {}),
    paymentMethodId: wire.paymentMethodId ?? base.paymentMethodId,
    rates: {
      minimumWaitMs: wire.ratesMinimumWait ?? base.rates.minimumWaitMs,
      quietMs: wire.ratesQuiet ?? base.rates.quietMs,
      enough: wire.ratesEnough ?? base.rates.enough,
      maximumWaitMs: wire.ratesMaximumWait ?? base.rates.maximumWaitMs,
      expiryMarginMs: wire.ratesExpiryMargin ?? base.rates.expiryMarginMs,
      pace: wire.ratesPace ?? base.rates.pace,
    },
    acceptance: {
      pace: wire.acceptancePace ?? base.acceptance.pace,
      windowMs: wire.acceptanceWindow ?? base.acceptance.windowMs,
    },
    doubtWaitMs: wire.doubtWait ?? base.doubtWaitMs,
    notSentPace: wire.notSentPace ?? base.notSentPace,
    sweepPace: wire.sweepPace ?? base.sweepPace,
    trackingPace: wire.trackingPace ?? base.trackingPace,
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
