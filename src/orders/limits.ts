import type { ShipmentPolicy } from '../domain/policy';
import type { LtlItem, Stop } from '../domain/shipment';
import type { OrderAccount } from './order-account';
import type { Problems } from './problem';
import type { OrderDraft } from './schema';

/** Seen in the marketplace's texts only (150 to 15,000 lb, and the contract names none): they warn, and do not stop. */
const LTL_LIMITS = {
  minimumGrams: 68_039,
  maximumGrams: 6_803_886,
  text: '150 to 15,000 lb, 68 to 6,804 kg',
};

export function warnLtlLimits(
  items: readonly (LtlItem | null)[],
  account: OrderAccount | null,
  problems: Problems,
): void {
  if (account !== null && !account.hasIntegrator) {
    const problem = 'the account has no integratorId: no webhooks and no custom rates';
    problems.warn('$.account', problem, 'set it in the accounts file');
  }
  const grams = items.reduce((sum, item) => sum + (item?.weightInGrams ?? 0) * (item?.quantity ?? 0), 0);
  if (grams > 0 && (grams < LTL_LIMITS.minimumGrams || grams > LTL_LIMITS.maximumGrams)) {
    const problem = `${Math.round(grams / 1_000)} kg are outside what LTL usually takes (${LTL_LIMITS.text})`;
    problems.warn('$.items', problem, 'expect no rates');
  }
}

export function checkCoverage(
  { coverage }: OrderDraft,
  stops: readonly (Stop | null)[],
  problems: Problems,
): void {
  if (coverage === undefined) return;
  if (coverage.minorUnits === 0) {
    problems.add('$.coverage.amount', 'covers nothing', 'leave coverage out to decline it');
  }
  if (stops.some((stop) => stop !== null && stop.address.country !== 'US')) {
    problems.warn('$.coverage', 'protection is for moves within the US', 'expect it to be refused');
  }
}

/** Overrides are merged key by key, so that two which are each right can contradict each other. */
export function checkPolicy({ rates }: ShipmentPolicy, problems: Problems): void {
  if (rates.minimumWaitMs > rates.maximumWaitMs) {
    const problem = `rates are awaited for at least ${rates.minimumWaitMs} ms and at most ${rates.maximumWaitMs} ms`;
    problems.add('$.policy', problem, 'set ratesMinimumWait and ratesMaximumWait together');
  }
}
