import { formatMoney, isAbove } from './money';
import type { RatePreference, RateRule } from './policy';
import type { LtlRate, RateDescription } from './rate';
import type { IsoInstant } from './shipment';
import { byCodeUnits } from './text-order';

/** Why a rate was not chosen. */
export interface RateLoss extends RateDescription {
  readonly rateId: string;
  readonly carrier: string;
  readonly price: string;
  readonly why: string;
  /** The rate lost only because it has expired, or expires soon. */
  readonly isExpired: boolean;
}

/** Kept in the shipment's state: the chosen rate, the rule, and why each other rate lost. */
export interface RateDecision {
  readonly decidedAt: IsoInstant;
  /** What chose the rate: the policy's preference, or a person because no rate fits the policy. */
  readonly rule: RatePreference | 'person';
  readonly chosen: LtlRate | null;
  readonly losses: readonly RateLoss[];
}

export interface RateChoiceInput {
  readonly rates: readonly LtlRate[];
  readonly rule: RateRule;
  /** Rates whose acceptance failed. */
  readonly excludedRateIds: readonly string[];
  readonly expiryMarginMs: number;
  readonly now: IsoInstant;
}

/** Whether a rate has expired, or expires too soon to be accepted. */
export function isOver(
  { expiresAt }: LtlRate,
  { expiryMarginMs, now }: Pick<RateChoiceInput, 'expiryMarginMs' | 'now'>,
): boolean {
  return Date.parse(expiresAt) - expiryMarginMs <= Date.parse(now);
}

/** Prices in two currencies cannot be compared, and the marketplace books only in the account's currency. */
function foreignCurrency(rate: LtlRate): string | null {
  const { totalPrice, accountCurrency } = rate;
  return totalPrice.currency !== accountCurrency
    ? `priced in ${totalPrice.currency}, the account in ${accountCurrency}`
    : null;
}

/**
 * Why the account cannot accept any rate: every usable rate is in another currency than the account's configured one.
 * A new request does not change that. Null when that is not the reason.
 */
export function currencyTrouble({ rates, excludedRateIds, ...input }: RateChoiceInput): string | null {
  const lasting = rates.filter((rate) => !excludedRateIds.includes(rate.rateId) && !isOver(rate, input));
  const foreign = lasting.flatMap((rate) => foreignCurrency(rate) ?? []);
  const [first] = foreign;
  return first === undefined || foreign.length < lasting.length ? null : `the rates are ${first}`;
}

/** Why a rate is not acceptable, apart from its expiry. */
function unacceptable(rate: LtlRate, { rule, excludedRateIds }: RateChoiceInput): string | null {
  const carrier = rate.carrier.displayName.toLowerCase();
  const names = (list: readonly string[]): boolean => list.some((name) => name.toLowerCase() === carrier);
  if (excludedRateIds.includes(rate.rateId)) return 'was tried before and failed';
  const foreign = foreignCurrency(rate);
  if (foreign !== null) return `is ${foreign}`;
  if (rule.priceCap !== null && isAbove(rate.totalPrice, rule.priceCap)) {
    return `is above the price cap of ${formatMoney(rule.priceCap)}`;
  }
  if (rule.serviceTypes.length > 0 && !rule.serviceTypes.includes(rate.serviceType ?? '')) {
    return `its service type ${rate.serviceType ?? '(none)'} is not among ${rule.serviceTypes.join(', ')}`;
  }
  if (names(rule.refusedCarriers)) return 'its carrier is refused';
  if (rule.allowedCarriers.length > 0 && !names(rule.allowedCarriers)) return 'its carrier is not allowed';
  if (rule.minimumStars !== null && (rate.carrier.starRating ?? 0) < rule.minimumStars) {
    return `its carrier has ${rate.carrier.starRating ?? 'no'} stars, fewer than ${rule.minimumStars}`;
  }
  if (rule.minimumFeedbackCount !== null && (rate.carrier.feedbackCount ?? 0) < rule.minimumFeedbackCount) {
    return `its carrier has ${rate.carrier.feedbackCount ?? 'no'} ratings, fewer than ${rule.minimumFeedbackCount}`;
  }
  return null;
}

/** A carrier without a delay may take any time, so it comes last when speed matters. */
const speed = (rate: LtlRate): number => rate.deliveryDelayInDays ?? Number.MAX_SAFE_INTEGER;
const stars = (rate: LtlRate): number => rate.carrier.starRating ?? 0;
const byPrice = (a: LtlRate, b: LtlRate): number => a.totalPrice.minorUnits - b.totalPrice.minorUnits;

const ORDER: Record<RatePreference, (a: LtlRate, b: LtlRate) => number> = {
  cheapest: (a, b) => byPrice(a, b) || speed(a) - speed(b) || stars(b) - stars(a),
  fastest: (a, b) => speed(a) - speed(b) || byPrice(a, b) || stars(b) - stars(a),
  bestRated: (a, b) => stars(b) - stars(a) || byPrice(a, b) || speed(a) - speed(b),
};

const RANK: Record<RatePreference, (rate: LtlRate) => string> = {
  cheapest: (rate) => `costs more (${formatMoney(rate.totalPrice)})`,
  fastest: (rate) =>
    rate.deliveryDelayInDays === null
      ? 'names no delivery time'
      : `is not faster (${rate.deliveryDelayInDays} days, ${formatMoney(rate.totalPrice)})`,
  bestRated: (rate) => `is not rated better (${stars(rate)} stars, ${formatMoney(rate.totalPrice)})`,
};

/** Chooses the best acceptable rate. Ties are broken by rate id: the same rates always give the same choice. */
export function chooseRate(input: RateChoiceInput): RateDecision {
  const { prefer } = input.rule;
  const loss = (rate: LtlRate, why: string, isExpired = false): RateLoss => ({
    rateId: rate.rateId,
    carrier: rate.carrier.displayName,
    price: formatMoney(rate.totalPrice),
    serviceType: rate.serviceType,
    transportMode: rate.transportMode,
    vehicleType: rate.vehicleType,
    additionalInformation: rate.additionalInformation,
    why,
    isExpired,
  });
  const refused = input.rates.flatMap((rate) => {
    const why = unacceptable(rate, input);
    if (why !== null) return [loss(rate, why)];
    return isOver(rate, input) ? [loss(rate, `expires too soon (${rate.expiresAt})`, true)] : [];
  });
  const refusedIds = new Set(refused.map(({ rateId }) => rateId));
  const [chosen, ...outbid] = input.rates
    .filter(({ rateId }) => !refusedIds.has(rateId))
    .toSorted((a, b) => ORDER[prefer](a, b) || byCodeUnits(a.rateId, b.rateId));
  return {
    decidedAt: input.now,
    rule: prefer,
    chosen: chosen ?? null,
    losses: [...outbid.map((rate) => loss(rate, RANK[prefer](rate))), ...refused],
  };
}

/** A person's choice among rates that all lost by the policy. */
export function selectRate(losses: readonly RateLoss[], rate: LtlRate, now: IsoInstant): RateDecision {
  const others = losses.filter(({ rateId }) => rateId !== rate.rateId);
  return { decidedAt: now, rule: 'person', chosen: rate, losses: others };
}
