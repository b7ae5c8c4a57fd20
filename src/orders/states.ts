import type { Problems } from './problem';
import {
  isDcPostalCode,
  isPuertoRico,
  isWashingtonDc,
  meantRegion,
  readRegion,
  regionRemedy,
  unreachablePlace,
  type Country,
} from './regions';
import type { StopShape } from './stop-schema';

export type AddressShape = NonNullable<StopShape['address']>;

/** The remedy for a place that trucks cannot reach. */
export const FORWARDER = 'give the address of a port or a forwarder that trucks can reach';

/** The postal service and the marketplace treat Puerto Rico as a US state, even when it is given as the country. */
export function withPuertoRico(address: AddressShape, at: string, problems: Problems): AddressShape {
  const { country = '', state = 'PR' } = address;
  if (!isPuertoRico(country)) return address;
  if (!isPuertoRico(state)) {
    const problem = `${state} is not in Puerto Rico, the given country`;
    problems.add(`${at}.state`, problem, 'write "PR", and "US" as the country');
  }
  return { ...address, country: 'US', state: 'PR' };
}

/** The state or province; null when it is unknown, which is then reported at its path. */
export function checkState(
  address: AddressShape,
  country: Country,
  at: string,
  problems: Problems,
): string | null {
  const { state, city = '' } = address;
  const path = `${at}.state`;
  const isDc = country === 'US' && isWashingtonDc(city);
  if (state === undefined) {
    if (!isDc) problems.add(path, 'is missing', 'give its two letters, such as "TX" or "ON"');
    return isDc ? 'DC' : null;
  }
  const read = readRegion(state, country);
  if (isDc && read !== null && read !== 'DC') {
    const fix = isInDc(address) ? { path, value: 'DC' } : undefined;
    problems.add(path, `${city} is not in ${read}`, 'write "DC"', fix);
    return null;
  }
  if (read === null) tellNoState(state, address, country, { path, problems });
  return read;
}

const isInDc = ({ postalCode = '' }: AddressShape): boolean => isDcPostalCode(postalCode);

function tellNoState(
  state: string,
  address: AddressShape,
  country: Country,
  { path, problems }: { readonly path: string; readonly problems: Problems },
): void {
  const unreachable = country === 'US' ? unreachablePlace(state, 'state') : null;
  if (unreachable !== null) {
    problems.add(path, `${state} (${unreachable}) is a place that trucks cannot reach`, FORWARDER);
    return;
  }
  const named = meantRegion(state, country);
  // Washington is a state, and also a city elsewhere: the postal code or the full city name decides.
  const isDc = named === 'WA' && (isInDc(address) || isWashingtonDc(address.city ?? ''));
  const meant = isDc ? 'DC' : named;
  const what = country === 'US' ? 'not a US state' : 'not a Canadian province';
  const remedy = meant === null ? regionRemedy(state, country) : `write "${meant}"`;
  problems.add(path, `${state} is ${what}`, remedy, meant === null ? undefined : { path, value: meant });
}
