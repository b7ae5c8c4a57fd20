import type { ShipmentPolicy } from './policy';
import type { LtlRate } from './rate';
import type { IsoInstant } from './shipment';

/**
 * Whether the rates of a request are all there, as far as that can be known: carriers answer one by one over
 * seconds to minutes, and nothing says that the last one has.
 */
export function areRatesSettled(
  rates: readonly LtlRate[],
  requestedAt: IsoInstant,
  now: IsoInstant,
  policy: ShipmentPolicy['rates'],
): boolean {
  const waited = Date.parse(now) - Date.parse(requestedAt);
  if (waited >= policy.maximumWaitMs) return true;
  if (rates.length === 0 || waited < policy.minimumWaitMs) return false;
  if (rates.length >= policy.enough) return true;
  const newest = Math.max(...rates.map(({ createdAt }) => Date.parse(createdAt ?? requestedAt)));
  return Date.parse(now) - newest >= policy.quietMs;
}
