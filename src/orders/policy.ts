import type { RateRule, ShipmentPolicy } from '../domain/policy';
import { policySchema, type PolicyWire, type RateRuleWire } from './policy-schema';
import type { Problem } from './problem';
import { schemaProblems } from './schema-problems';

const PAYMENT_METHOD_ID_LENGTH = 36;

/**
 * What is odd about the id of a payment method, or null. The service documents its length, but not its alphabet. Without
 * this check a mistyped id would show only as a question of a running shipment.
 */
export function oddPaymentMethodId(id: unknown): string | null {
  if (typeof id !== 'string' || id.length === PAYMENT_METHOD_ID_LENGTH) return null;
  return `has ${id.length} characters; ids of payment methods have ${PAYMENT_METHOD_ID_LENGTH}`;
}

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
  const { rateRule = {}, pickup = {}, rates = {}, acceptance = {}, lateness = {} } = wire;
  return {
    rateRule: applyRateRule(base.rateRule, rateRule),
    pickup: {
      closedDays: pickup.closedDays ?? base.pickup.closedDays,
      cutOffHour: pickup.cutOffHour ?? base.pickup.cutOffHour,
      whenMissed: pickup.whenMissed ?? base.pickup.whenMissed,
    },
    paymentMethodId: wire.paymentMethodId ?? base.paymentMethodId,
    rates: {
      minimumWaitMs: rates.minimumWait ?? base.rates.minimumWaitMs,
      quietMs: rates.quiet ?? base.rates.quietMs,
      enough: rates.enough ?? base.rates.enough,
      maximumWaitMs: rates.maximumWait ?? base.rates.maximumWaitMs,
      expiryMarginMs: rates.expiryMargin ?? base.rates.expiryMarginMs,
      maximumRequests: rates.maximumRequests ?? base.rates.maximumRequests,
      driftPercent: rates.driftPercent ?? base.rates.driftPercent,
      pace: rates.pace ?? base.rates.pace,
    },
    acceptance: {
      pace: acceptance.pace ?? base.acceptance.pace,
      failureWaitMs: acceptance.failureWait ?? base.acceptance.failureWaitMs,
      windowMs: acceptance.window ?? base.acceptance.windowMs,
    },
    doubtWaitMs: wire.doubtWait ?? base.doubtWaitMs,
    writeTimeoutMs: wire.writeTimeout ?? base.writeTimeoutMs,
    busyMeansNotSent: wire.busyMeansNotSent ?? base.busyMeansNotSent,
    notSentPace: wire.notSentPace ?? base.notSentPace,
    unreadableAfterMs: wire.unreadableAfter ?? base.unreadableAfterMs,
    sweepPace: wire.sweepPace ?? base.sweepPace,
    sweepWidening: wire.sweepWidening ?? base.sweepWidening,
    trackingPace: wire.trackingPace ?? base.trackingPace,
    trackingPositionMs: wire.trackingPosition ?? base.trackingPositionMs,
    documentPace: wire.documentPace ?? base.documentPace,
    documentWindowMs: wire.documentWindow ?? base.documentWindowMs,
    lateness: {
      unbookedMs: lateness.unbooked ?? base.lateness.unbookedMs,
      pickupMs: lateness.pickup ?? base.lateness.pickupMs,
      deliveryMs: lateness.delivery ?? base.lateness.deliveryMs,
      silenceMs: lateness.silence ?? base.lateness.silenceMs,
      ask: lateness.ask ?? base.lateness.ask,
    },
    priceTolerancePercent: wire.priceTolerancePercent ?? base.priceTolerancePercent,
    settlementWindowMs: wire.settlementWindow ?? base.settlementWindowMs,
  };
}

export function applyRateRule(base: RateRule, wire: RateRuleWire): RateRule {
  return {
    prefer: wire.prefer ?? base.prefer,
    priceCap: wire.priceCap ?? base.priceCap,
    serviceTypes: wire.serviceTypes ?? base.serviceTypes,
    allowedCarriers: wire.allowedCarriers ?? base.allowedCarriers,
    refusedCarriers: wire.refusedCarriers ?? base.refusedCarriers,
    minimumStars: wire.minimumStars ?? base.minimumStars,
    minimumFeedbackCount: wire.minimumFeedbackCount ?? base.minimumFeedbackCount,
  };
}
