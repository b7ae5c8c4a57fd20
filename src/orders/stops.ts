import type { Stop } from '../domain/shipment';
import { ADDRESS_TYPES, nearest, WITHOUT_DOCK } from './codes';
import { isTimeZone } from './dates';
import type { OrderAccount } from './order-account';
import { jsonPath, type Problems } from './problem';
import { stopSchema, type StopWire } from './schema';

type Side = 'origin' | 'destination';
type Kind = 'furniture' | 'ltl';

/** A stop with everything that its location knows; what the order says itself wins. */
function withLocation(stop: StopWire, side: Side, account: OrderAccount, problems: Problems): StopWire {
  if (stop.location === undefined) return stop;
  const names = Object.keys(account.locations);
  const found = account.locations[stop.location];
  if (found === undefined) {
    const guess = nearest(stop.location, names);
    problems.add(
      `$.${side}.location`,
      `account ${account.name} has no location ${stop.location}`,
      guess === null ? `use one of: ${names.join(', ') || '(none is configured)'}` : `did you mean ${guess}?`,
    );
    return stop;
  }
  const parsed = stopSchema.safeParse(found);
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) {
      problems.add(
        `$.${side}.location`,
        `location ${stop.location} of the accounts file: ${jsonPath(path)} ${message}`,
        'mend the accounts file',
      );
    }
    return stop;
  }
  return { ...parsed.data, ...stop, services: { ...parsed.data.services, ...stop.services } };
}

/** Postal codes of the US and Canada; four digits in the US are a lost leading zero. */
export function readPostalCode(code: string, country: 'US' | 'CA', path: string, problems: Problems): string {
  const clean = code.trim().toUpperCase();
  if (country === 'CA') {
    const match = /^([A-Z]\d[A-Z])[ -]?(\d[A-Z]\d)$/.exec(clean);
    if (match !== null) return `${match[1] ?? ''} ${match[2] ?? ''}`;
    problems.add(path, `${code} is no Canadian postal code`, 'letters and digits alternate, such as M5V 2T6');
  } else if (!/^\d{5}(-\d{4})?$/.test(clean)) {
    if (/^\d{4}$/.test(clean))
      problems.add(path, `${code} has lost its leading zero`, `write "0${clean}", in quotes`);
    else problems.add(path, `${code} is no US postal code`, 'five digits in quotes, such as "78703"');
  }
  return clean;
}

function readZone(stop: StopWire, side: Side, account: OrderAccount, problems: Problems): string {
  const zone = stop.timeZone ?? account.timeZone;
  if (zone === null) {
    problems.add(
      `$.${side}.timeZone`,
      'nothing says in which time zone the dates of this stop are meant',
      'set timeZone on the stop, its location or the account, such as "America/Chicago"',
    );
    return 'UTC';
  }
  if (isTimeZone(zone)) return zone;
  problems.add(`$.${side}.timeZone`, `${zone} is no time zone`, 'use a name such as "America/Chicago"');
  return 'UTC';
}

function readAddressType(stop: StopWire, side: Side, problems: Problems): string | null {
  const path = `$.${side}.addressType`;
  if (stop.addressType === undefined) {
    problems.warn(
      path,
      'no address type: the marketplace silently takes Residence',
      `say one of: ${ADDRESS_TYPES.join(', ')}`,
    );
    return null;
  }
  if (!ADDRESS_TYPES.includes(stop.addressType)) {
    const guess = nearest(stop.addressType, ADDRESS_TYPES);
    problems.warn(
      path,
      `${stop.addressType} is no address type that is known here`,
      guess === null ? `known: ${ADDRESS_TYPES.join(', ')}` : `did you mean ${guess}?`,
    );
  }
  return stop.addressType;
}

function checkServices(
  stop: StopWire,
  side: Side,
  kind: Kind,
  type: string | null,
  problems: Problems,
): void {
  if (kind === 'furniture') {
    if (Object.values(stop.services ?? {}).includes(true) && stop.location === undefined) {
      problems.add(
        `$.${side}.services`,
        'furniture listings have no services',
        'put the wish into the description',
      );
    }
    return;
  }
  if (WITHOUT_DOCK.includes(type ?? 'Residence') && stop.services?.liftgate === undefined) {
    problems.add(
      `$.${side}.services.liftgate`,
      `a ${type ?? 'Residence'} has no dock, and nothing says whether a liftgate is needed`,
      'set it to true or false; a wrong one is billed afterwards',
    );
  }
}

/** One stop, complete; null when it lacks what nothing can be made up for. */
export function readStop(
  wire: StopWire,
  side: Side,
  kind: Kind,
  account: OrderAccount,
  problems: Problems,
): Stop | null {
  const stop = withLocation(wire, side, account, problems);
  const timeZone = readZone(stop, side, account, problems);
  const addressType = readAddressType(stop, side, problems);
  checkServices(stop, side, kind, addressType, problems);
  if (stop.address === undefined)
    problems.add(`$.${side}.address`, 'there is no address', 'give an address, or a location of the account');
  if (stop.contact === undefined) {
    problems.add(`$.${side}.contact`, 'there is no contact', 'give a contact with name and phone');
  } else if (stop.contact.phone.replaceAll(/\D/g, '').length < 10) {
    problems.add(
      `$.${side}.contact.phone`,
      'the phone number has fewer than ten digits',
      'write it with its area code',
    );
  }
  if (
    kind === 'ltl' &&
    addressType !== null &&
    addressType !== 'Residence' &&
    stop.contact?.company === undefined
  ) {
    problems.add(
      `$.${side}.contact.company`,
      `a ${addressType} needs the name of its company`,
      'set contact.company',
    );
  }
  if (stop.address === undefined || stop.contact === undefined) return null;
  const { address, contact, services } = stop;
  const postalCode = readPostalCode(
    address.postalCode,
    address.country,
    `$.${side}.address.postalCode`,
    problems,
  );
  return {
    address: {
      ...address,
      postalCode,
      unit: address.unit ?? null,
      latitude: address.latitude ?? null,
      longitude: address.longitude ?? null,
    },
    addressType,
    timeZone,
    contact: {
      name: contact.name,
      companyName: contact.company ?? null,
      phone: contact.phone,
      email: contact.email ?? null,
    },
    services: {
      inside: services?.inside ?? false,
      liftgate: services?.liftgate ?? false,
      callBeforeArrival: services?.callBeforeArrival ?? false,
      appointment: services?.appointment ?? false,
    },
  };
}
