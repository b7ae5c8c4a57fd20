import type { RateRequestWire } from '../schemas/rate-requests';
import type { MarketplaceSettings } from '../settings';

/** Names that route rule 7 spells differently from the array's names with a small first letter. */
const BOOLEAN_NAMES: Readonly<Record<string, string>> = { SortAndSegregate: 'sortandSegregate' };

const booleanName = (name: string): string =>
  BOOLEAN_NAMES[name] ?? `${name.charAt(0).toLowerCase()}${name.slice(1)}`;

type Services = readonly string[];

const toBooleans = (services: Services): Record<string, true> =>
  Object.fromEntries(services.map((name) => [booleanName(name), true as const]));

/** Contract: rate request, `accessorials`. Absent when none is wanted, or when the stops contain them. */
export function toAdditionalServices(
  services: Services,
  { additionalServices }: MarketplaceSettings,
): RateRequestWire['accessorials'] {
  if (services.length === 0 || additionalServices === 'perStop') return undefined;
  return additionalServices === 'names' ? [...services] : toBooleans(services);
}

/** Contract: route rule 7, as booleans among the accessorials of each stop. Empty when the request contains them. */
export function toServicesOfStop(
  services: Services,
  { additionalServices }: MarketplaceSettings,
): Record<string, true> {
  return additionalServices === 'perStop' ? toBooleans(services) : {};
}
