import { z } from 'zod';
import {
  additionalServices,
  addressTypes,
  addressTypeShortForms,
  stopAccessorials,
  timeFrameTypes,
} from '../model/codes';
import { codeRule } from '../model/errors';
import type { Stop, StopAddress, TimeFrame } from '../model/state';
import type { SandboxSwitches } from '../model/switches';
import { oneOf, type Fields } from './fields';
import { dayOf, readAccessorials, todayUtc } from './values';

/** A route stop as both flows have it; each flow adds rules of its own. */
export type StopReading = ReturnType<typeof readStop>;

const countryCode = z.string().regex(/^[A-Z]{2,3}$/u, 'must be a country code');
const latitude = z.number().min(-90).max(90);
const longitude = z.number().min(-180).max(180);

const everyAddressType: ReadonlySet<string> = new Set([...addressTypes, ...addressTypeShortForms]);

export function readRoute(parent: Fields, switches: SandboxSwitches): readonly StopReading[] {
  const route = parent.object('route', true);
  const stops = route?.objects('items', { required: true, atLeast: 2 }) ?? [];
  return stops.map((fields) => readStop(fields, switches));
}

/** Returns the address's given type apart. */
function readStop(fields: Fields, switches: SandboxSwitches) {
  const address = fields.object('address', true);
  const givenType = address?.text('type', { schema: oneOf(addressTypesUnder(switches.addressTypeNames)) });
  const timeFrame = readTimeFrame(fields);
  const contact = readContact(fields);
  const stop: Stop = {
    // Contract, route rule 2: without a type it is a residence.
    address: { ...(address && readAddress(address)), type: givenType ?? 'Residence' },
    accessorials: readStopAccessorials(fields, switches),
    ...{ timeFrame, contact },
  };
  return { fields, address, givenType, stop };
}

/** The rules of the route shorten one type of the lookup; the switch takes either name or one. */
function addressTypesUnder(names: SandboxSwitches['addressTypeNames']): ReadonlySet<string> {
  if (names === 'either') return everyAddressType;
  if (names === 'lookup') return addressTypes;
  const isShortened = (type: string): boolean =>
    [...addressTypeShortForms].some((short) => type !== short && type.startsWith(short));
  return new Set([...everyAddressType].filter((type) => !isShortened(type)));
}

const readAddress = (address: Fields): Omit<StopAddress, 'type'> => ({
  streetAddress: address.text('streetAddress'),
  alternateStreetAddress: address.text('alternateStreetAddress'),
  majorMunicipality: address.text('majorMunicipality'),
  postalCode: address.text('postalCode'),
  stateProvince: address.text('stateProvince'),
  country: address.text('country', { schema: countryCode }),
  latitude: address.number('latitude', { schema: latitude }),
  longitude: address.number('longitude', { schema: longitude }),
  timeZone: address.text('timeZone'),
});

const contactFields = ['name', 'companyName', 'phoneNumber', 'email', 'firstName', 'lastName'];

const readContact = (fields: Fields): Stop['contact'] =>
  fields.within('contact', (contact) =>
    Object.fromEntries(contactFields.map((name) => [name, contact.text(name)] as const)),
  );

const day = z.string().refine((text) => dayOf(text) !== undefined, 'must be a date in the form YYYY/MM/DD');

function readTimeFrame(fields: Fields): TimeFrame | undefined {
  const frame = fields.within('timeFrame', (frame) => ({
    timeFrameType: frame.text('timeFrameType', { required: true, schema: oneOf(timeFrameTypes) }) ?? '',
    earliestArrival: frame.text('earliestArrival', { schema: day }),
    latestArrival: frame.text('latestArrival', { schema: day }),
  }));
  const { earliestArrival: earliest, latestArrival: latest } = frame ?? {};
  // Days written as `YYYY/MM/DD` sort as texts.
  if (earliest !== undefined && latest !== undefined && latest < earliest)
    fields.refuse('timeFrame.latestArrival', 'must not be before earliestArrival', codeRule);
  return frame;
}

export const hasPosition = ({ address: { latitude, longitude } }: Stop): boolean =>
  latitude !== undefined && longitude !== undefined;

/**
 * A pickup is at least one day ahead. The rule is about the stop's own time zone, which a test clock cannot know for
 * sure: only days before today in UTC are refused.
 */
export function refusePastPickup({ fields, stop }: StopReading): void {
  const { latestArrival, earliestArrival } = stop.timeFrame ?? {};
  const day = dayOf(latestArrival ?? earliestArrival ?? '');
  if (day !== undefined && day < todayUtc())
    fields.refuse('timeFrame.latestArrival', 'the pickup must be at least one day ahead', codeRule);
}

function readStopAccessorials(fields: Fields, switches: SandboxSwitches): readonly string[] {
  const known = accessorialsUnder(switches);
  return readAccessorials(fields, switches.stopAccessorials, known, (object) => {
    for (const name of Object.keys(object.value))
      if (!known.has(name)) object.refuse(name, 'is not an accessorial of a stop');
    return [...known].filter((name) => object.flag(name) === true);
  });
}

/** A call before the arrival has two names in the contract; the switch takes either or one. */
function accessorialsUnder({
  callAheadName: name,
  additionalServicesIn,
}: SandboxSwitches): ReadonlySet<string> {
  const others = ['callAhead', 'callBeforeArrival'].filter((other) => name !== 'either' && other !== name);
  const elsewhere = additionalServicesIn === 'request' ? [...additionalServices] : [];
  return new Set([...stopAccessorials].filter((one) => ![...others, ...elsewhere].includes(one)));
}
