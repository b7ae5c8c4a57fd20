import { beyondLtlLimits } from '../domain/ltl-limits';
import type { Money } from '../domain/money';
import type { ShipmentPolicy } from '../domain/policy';
import type { LtlItem, Stop } from '../domain/shipment';
import type { OrderAccount } from './order-account';
import type { Problems } from './problem';
import type { OrderShape } from './schema';

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
    // An implausible side is already a problem.
    if (problems.problems.some((reported) => reported.path === path)) continue;
    problems.warn(path, problem, `${remedy}; otherwise expect no rates`);
  }
}

/**
 * The protection is only for moves within the US, in the currency of the account. Otherwise there is no premium, which
 * would show only when the shipment runs.
 */
export function checkCoverage(
  { coverage }: OrderShape,
  { account, stops }: { readonly account: OrderAccount | null; readonly stops: readonly (Stop | null)[] },
  problems: Problems,
): void {
  if (coverage === undefined) return;
  if (coverage.minorUnits === 0) {
    problems.add('$.coverage.amount', 'covers nothing', 'leave coverage out to decline it');
  }
  if (stops.some((stop) => stop !== null && stop.address.country !== 'US')) {
    const problem = 'the protection is for moves within the US only';
    problems.add('$.coverage', problem, 'leave coverage out and insure the goods elsewhere');
  } else if (account !== null && coverage.currency !== account.currency) {
    const problem = `account ${account.name} is priced in ${account.currency}, and coverage must use the same currency`;
    problems.add('$.coverage.currency', problem, `give the amount in ${account.currency}`);
  }
}

/** Every price exceeds a limit in another currency, because Consign has no exchange rates. */
export function warnLimitCurrencies(
  wire: OrderShape,
  account: OrderAccount | null,
  problems: Problems,
): void {
  if (account === null) return;
  const priceCap = wire.kind === 'ltl' ? wire.rateRule?.priceCap : undefined;
  const limits: readonly (readonly [string, Money | undefined])[] = [
    ['$.priceLimit.currency', wire.priceLimit],
    ['$.rateRule.priceCap.currency', priceCap],
  ];
  for (const [path, limit] of limits) {
    if (limit === undefined || limit.currency === account.currency) continue;
    const problem = `prices are in ${account.currency}, and every price counts as above a limit in another currency`;
    problems.warn(path, problem, `give the amount in ${account.currency}`);
  }
}

/** Overrides are merged key by key: two valid ones can contradict each other. */
export function checkPolicy({ rates }: ShipmentPolicy, problems: Problems): void {
  if (rates.minimumWaitMs > rates.maximumWaitMs) {
    const problem = `the minimum wait for rates (${rates.minimumWaitMs} ms) exceeds the maximum (${rates.maximumWaitMs} ms)`;
    problems.add('$.policy', problem, 'set rates.minimumWait and rates.maximumWait together');
  }
}
