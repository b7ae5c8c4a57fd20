import type { Money } from '../domain/money';
import type { ShipmentPolicy } from '../domain/policy';
import type { LtlItem, Stop } from '../domain/shipment';
import type { OrderAccount } from './order-account';
import type { Problem, Problems } from './problem';
import type { OrderDraft } from './schema';

/**
 * Nobody outside knows the marketplace's limits, and they only warn. Weights are seen in its texts (150 to 15,000
 * lb); sides are what goes through the door of a 28 ft trailer; beyond the units a load is no longer partial.
 */
export const LTL_LIMITS = {
  minimumGrams: 68_039,
  maximumGrams: 6_803_886,
  text: '150 to 15,000 lb, 68 to 6,804 kg',
  maximumMeters: { length: 8.53, width: 2.59, height: 2.74 },
  maximumUnits: 20,
};

type Measured = Pick<
  LtlItem,
  'quantity' | 'lengthInMeters' | 'widthInMeters' | 'heightInMeters' | 'weightInGrams'
>;

function weightExcess(items: readonly (Measured | null)[]): Problem[] {
  const grams = items.reduce((sum, item) => sum + (item?.weightInGrams ?? 0) * (item?.quantity ?? 0), 0);
  const isWhole = items.every((item) => item !== null && item.weightInGrams !== null);
  const isHeavy = grams > LTL_LIMITS.maximumGrams;
  if (!isHeavy && (grams >= LTL_LIMITS.minimumGrams || grams === 0 || !isWhole)) return [];
  const problem = `${Math.round(grams / 1_000)} kg in all are outside what LTL usually takes (${LTL_LIMITS.text})`;
  const remedy = isHeavy ? 'split the order' : 'check the weights; a parcel service may be meant';
  return [{ path: '$.items', problem, remedy }];
}

function unitExcess(items: readonly (Measured | null)[]): Problem[] {
  const units = items.reduce((sum, item) => sum + (item?.quantity ?? 0), 0);
  if (units <= LTL_LIMITS.maximumUnits) return [];
  const problem = `${units} handling units are more than LTL usually takes (${LTL_LIMITS.maximumUnits})`;
  const remedy = 'split the order, or count what is fixed to one pallet as one';
  return [{ path: '$.items', problem, remedy }];
}

function sideExcesses(item: Measured | null, index: number): Problem[] {
  if (item === null) return [];
  return (['length', 'width', 'height'] as const).flatMap((side) => {
    const meters = item[`${side}InMeters`];
    const maximum = LTL_LIMITS.maximumMeters[side];
    if (meters === null || meters <= maximum) return [];
    const problem = `a ${side} of ${meters} m does not fit a common trailer (${maximum} m)`;
    return [{ path: `$.items[${index}].size.${side}`, problem, remedy: 'check the unit' }];
  });
}

/**
 * What of a load is beyond the limits: all that is known before rates are asked for, and again when none came.
 * @param items null where one could not be read; it counts as unknown
 */
export function beyondLtlLimits(items: readonly (Measured | null)[]): Problem[] {
  return [...weightExcess(items), ...unitExcess(items), ...items.flatMap(sideExcesses)];
}

export function warnLtlLimits(
  items: readonly (LtlItem | null)[],
  account: OrderAccount | null,
  problems: Problems,
): void {
  if (account !== null && !account.hasIntegrator) {
    const problem = 'the account has no integratorId: no webhooks and no custom rates';
    problems.warn('$.account', problem, 'set it in the accounts file');
  }
  for (const { path, problem, remedy } of beyondLtlLimits(items)) {
    // A side that can hardly be meant is a problem already.
    if (problems.problems.some((told) => told.path === path)) continue;
    problems.warn(path, problem, `${remedy}; else expect no rates`);
  }
}

/**
 * The protection is for moves within the US, and its currency is that of price and account; otherwise the premium
 * cannot be had, which would show only once the shipment runs.
 */
export function checkCoverage(
  { coverage }: OrderDraft,
  { account, stops }: { readonly account: OrderAccount | null; readonly stops: readonly (Stop | null)[] },
  problems: Problems,
): void {
  if (coverage === undefined) return;
  if (coverage.minorUnits === 0) {
    problems.add('$.coverage.amount', 'covers nothing', 'leave coverage out to decline it');
  }
  if (stops.some((stop) => stop !== null && stop.address.country !== 'US')) {
    const problem = 'the protection is for moves within the US only';
    problems.add('$.coverage', problem, 'leave coverage out, and insure the goods elsewhere');
  } else if (account !== null && coverage.currency !== account.currency) {
    const problem = `account ${account.name} is priced in ${account.currency}, and covered in nothing else`;
    problems.add('$.coverage.currency', problem, `give the amount in ${account.currency}`);
  }
}

/** A limit in another currency than the price is exceeded by any price: there is no rate of exchange here. */
export function warnLimitCurrencies(
  wire: OrderDraft,
  account: OrderAccount | null,
  problems: Problems,
): void {
  if (account === null) return;
  const priceCap = wire.kind === 'ltl' ? wire.choose?.priceCap : undefined;
  const limits: readonly (readonly [string, Money | undefined])[] = [
    ['$.priceLimit.currency', wire.priceLimit],
    ['$.choose.priceCap.currency', priceCap],
  ];
  for (const [path, limit] of limits) {
    if (limit === undefined || limit.currency === account.currency) continue;
    const problem = `prices come in ${account.currency}, so that every one counts as above this limit`;
    problems.warn(path, problem, `give the amount in ${account.currency}`);
  }
}

/** Overrides are merged key by key, so that two which are each right can contradict each other. */
export function checkPolicy({ rates }: ShipmentPolicy, problems: Problems): void {
  if (rates.minimumWaitMs > rates.maximumWaitMs) {
    const problem = `rates are awaited for at least ${rates.minimumWaitMs} ms and at most ${rates.maximumWaitMs} ms`;
    problems.add('$.policy', problem, 'set ratesMinimumWait and ratesMaximumWait together');
  }
}
