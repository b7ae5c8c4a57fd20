import type { Address, Contact } from '../domain/shipment';
import { readPostalCode } from './postal-code';
import type { Problems } from './problem';
import { readCountry, readRegion, regionRemedy } from './regions';
import type { StopDraft } from './schema';

export interface PartReading {
  /** JSON path of the stop, such as `$.origin`. */
  readonly path: string;
  readonly problems: Problems;
}

/** The address of a stop (contract: route stop); null when it lacks what nothing can be made up for. */
export function readAddress(stop: StopDraft, { path, problems }: PartReading): Address | null {
  const { address } = stop;
  if (address === undefined) {
    const remedy = 'give an address, or a location of the account';
    problems.add(`${path}.address`, 'there is no address', remedy);
    return null;
  }
  const at = `${path}.address`;
  const { country, meant } = readCountry(address.country ?? '');
  if (country === null && address.country !== undefined) {
    const remedy = meant === null ? 'the marketplace serves US and CA only' : `write "${meant}"`;
    problems.add(`${at}.country`, `${address.country} is neither US nor CA`, remedy);
  }
  const judged = country ?? meant;
  const given = { state: address.state ?? '', postalCode: address.postalCode ?? '' };
  const state = judged === null ? null : readRegion(given.state, judged);
  if (judged !== null && state === null && address.state !== undefined) {
    const what = judged === 'US' ? 'no state of the US' : 'no province of Canada';
    problems.add(`${at}.state`, `${given.state} is ${what}`, regionRemedy(given.state, judged));
  }
  const postalCode =
    judged === null || address.postalCode === undefined
      ? null
      : readPostalCode(given.postalCode, judged, `${at}.postalCode`, problems);
  const { street, city } = address;
  if (street === undefined || city === undefined) return null;
  if (country === null || state === null || postalCode === null) return null;
  return {
    ...{ street, city, state, postalCode, country },
    unit: address.unit ?? null,
    latitude: address.latitude ?? null,
    longitude: address.longitude ?? null,
  };
}

/** Whom the carrier calls at a stop. */
export function readContact(stop: StopDraft, { path, problems }: PartReading): Contact | null {
  const { contact } = stop;
  if (contact === undefined) {
    problems.add(`${path}.contact`, 'there is no contact', 'give a contact with name and phone');
    return null;
  }
  const { name, phone } = contact;
  if (phone !== undefined && phone.replaceAll(/\D/g, '').length < 10) {
    const problem = 'the phone number has fewer than ten digits';
    problems.add(`${path}.contact.phone`, problem, 'write it with its area code');
  }
  if (name === undefined || phone === undefined) return null;
  return { name, phone, companyName: contact.company ?? null, email: contact.email ?? null };
}
