import type { Address, Contact } from '../domain/shipment';
import { checkCoordinates } from './coordinates';
import { readPostalCode } from './postal-code';
import type { Problems } from './problem';
import type { OrderAccount } from './order-account';
import { readPhone } from './phone';
import { warnPoBox } from './po-box';
import {
  isCountryCode,
  isMilitaryPost,
  isWashingtonDc,
  readCountry,
  unreachablePlace,
  type Country,
} from './regions';
import type { StopShape } from './stop-schema';
import { checkState, FORWARDER, withPuertoRico, type AddressShape } from './states';

export interface PartReading {
  /** JSON path of the stop, such as `$.origin`. */
  readonly path: string;
  readonly problems: Problems;
  /** Null for a location of the accounts file, which serves both kinds. */
  readonly kind: 'furniture' | 'ltl' | null;
  readonly ltlCountries: OrderAccount['ltlCountries'];
}

/** Where LTL does not go, and what to do about it. */
function countryRemedy(given: string, { kind }: PartReading): string {
  if (kind === 'furniture') return 'the marketplace prices furniture in US and CA only';
  return isCountryCode(given)
    ? "if the marketplace serves this country by LTL, set ltlCountries: any in the account's settings"
    : 'write the two letters of the country, such as US';
}

function checkCountry({ country: given }: AddressShape, at: string, reading: PartReading) {
  const { country, meant } = readCountry(given ?? '');
  if (country === null && given !== undefined) {
    const path = `${at}.country`;
    const unreachable = unreachablePlace(given, 'country');
    if (unreachable !== null) {
      reading.problems.add(path, `${given} (${unreachable}) is a place that trucks cannot reach`, FORWARDER);
      return { country: null, judged: null };
    }
    const remedy = meant === null ? countryRemedy(given, reading) : `write "${meant}"`;
    const fix = meant === null ? undefined : { path, value: meant };
    reading.problems.add(path, `${given} is neither US nor CA`, remedy, fix);
  }
  return { country, judged: country ?? meant };
}

/**
 * Furniture is priced by postal code. LTL accepts coordinates instead (contract, route rule 5), if both stops have
 * them: `checkPlaceForms`.
 * @returns the code; empty where coordinates replace it; null when it is missing
 */
function checkPostalCode(
  { postalCode, latitude, longitude }: AddressShape,
  { country, state }: { readonly country: Country | null; readonly state: string | null },
  { path, kind, problems }: PartReading,
): string | null {
  const at = `${path}.address.postalCode`;
  if (postalCode !== undefined) {
    return country === null ? null : readPostalCode(postalCode, { country, state, path: at, problems });
  }
  if (kind !== 'furniture' && latitude !== undefined && longitude !== undefined) return '';
  const remedy =
    kind === 'furniture'
      ? 'give it in quotes, such as "78703"; furniture is priced by it'
      : 'give it in quotes, such as "78703", or latitude and longitude';
  problems.add(at, 'is missing', remedy);
  return null;
}

/** The code of a country other than the US and Canada, if the account's LTL goes there; null otherwise. */
function foreignCountry({ country }: AddressShape, { kind, ltlCountries }: PartReading): string | null {
  const code = country?.trim().toUpperCase() ?? '';
  const isAllowed = kind !== 'furniture' && ltlCountries === 'any';
  const isServedOtherwise = readCountry(code).meant !== null || unreachablePlace(code, 'country') !== null;
  return isAllowed && isCountryCode(code) && !isServedOtherwise ? code : null;
}

/** For other countries there is no list of states and no format of postal codes to check an address with. */
function readForeignAddress(address: AddressShape, country: string, reading: PartReading): Address | null {
  const { path, problems } = reading;
  const at = `${path}.address`;
  checkCoordinates(address, at, problems);
  const { latitude, longitude } = address;
  const postalCode = address.postalCode?.trim().toUpperCase();
  const hasPlace = postalCode !== undefined || (latitude !== undefined && longitude !== undefined);
  if (!hasPlace)
    problems.add(`${at}.postalCode`, 'is missing', 'give it in quotes, or latitude and longitude');
  const { state } = address;
  if (state === undefined) problems.add(`${at}.state`, 'is missing', 'give the state, province or region');
  if (state === undefined || !hasPlace) return null;
  return toAddress(address, { state, postalCode: postalCode ?? '', country });
}

/** The address of a stop (contract: route stop); null when it lacks a part that has no default. */
export function readAddress(stop: StopShape, reading: PartReading): Address | null {
  const { path, problems } = reading;
  if (stop.address === undefined) {
    const remedy = 'give an address, or a location of the account';
    problems.add(`${path}.address`, 'the address is missing', remedy);
    return null;
  }
  const at = `${path}.address`;
  const address = withPuertoRico(stop.address, at, problems);
  warnPoBox(address.street, `${at}.street`, problems);
  warnPoBox(address.unit, `${at}.unit`, problems);
  if (isMilitaryPost(address.city ?? '')) {
    problems.add(`${at}.city`, `${address.city} is a military post, which trucks cannot reach`, FORWARDER);
  }
  const foreign = foreignCountry(address, reading);
  if (foreign !== null) return readForeignAddress(address, foreign, reading);
  const { country, judged } = checkCountry(address, at, reading);
  const state = judged === null ? null : checkState(address, judged, at, problems);
  const postalCode = checkPostalCode(address, { country: judged, state }, reading);
  checkCoordinates(address, at, problems);
  if (country === null || state === null || postalCode === null) return null;
  return toAddress(address, { state, postalCode, country });
}

function toAddress(
  { street, unit, city, latitude, longitude }: AddressShape,
  place: Pick<Address, 'state' | 'postalCode' | 'country'>,
): Address | null {
  if (street === undefined || city === undefined) return null;
  return {
    ...{ street, ...place },
    // The state already names the district.
    city: place.state === 'DC' && isWashingtonDc(city) ? 'Washington' : city,
    unit: unit ?? null,
    latitude: latitude ?? null,
    longitude: longitude ?? null,
  };
}

/** The person whom the carrier calls at a stop. */
export function readContact(stop: StopShape, { path, problems }: PartReading): Contact | null {
  const { contact } = stop;
  if (contact === undefined) {
    problems.add(`${path}.contact`, 'the contact is missing', 'give a contact with name and phone');
    return null;
  }
  const { name } = contact;
  const phone =
    contact.phone === undefined ? undefined : readPhone(contact.phone, `${path}.contact.phone`, problems);
  if (name === undefined || phone === undefined) return null;
  return { name, phone, companyName: contact.company ?? null, email: contact.email ?? null };
}
