import {
  additionalServices,
  addressTypes,
  addressTypeShortForms,
  stopAccessorials,
  timeFrameTypes,
} from '../model/codes';
import { codeRule } from '../model/errors';
import { compact } from '../model/json';
import type { Stop, StopAddress, TimeFrame } from '../model/state';
import type { SandboxSwitches } from '../model/switches';
import type { Fields } from './fields';
import { dayOf, todayUtc } from './values';

/** A route stop as both flows have it; each flow adds rules of its own. Returns the address's given type apart. */
export interface StopReading {
  readonly fields: Fields;
  readonly address: Fields | undefined;
  readonly givenType: string | undefined;
  readonly stop: Stop;
}

type StopSwitches = Pick<
  SandboxSwitches,
  'stopAccessorials' | 'callAheadName' | 'addressTypeNames' | 'additionalServicesIn'
>;

const everyAddressType: ReadonlySet<string> = new Set([...addressTypes, ...addressTypeShortForms]);

export function readRoute(parent: Fields, switches: StopSwitches): readonly StopReading[] {
  const route = parent.object('route', true);
  const stops = route?.objects('items', { required: true, atLeast: 2 }) ?? [];
  route?.done();
  return stops.map((fields) => readStop(fields, switches));
}

function readStop(fields: Fields, switches: StopSwitches): StopReading {
  const address = fields.object('address', true);
  const givenType = address?.text('type', { allowed: addressTypesUnder(switches.addressTypeNames) });
  const timeFrame = readTimeFrame(fields);
  const contact = readContact(fields);
  const stop: Stop = {
    // Contract, route rule 2: without a type it is a residence.
    address: { ...(address === undefined ? {} : readAddress(address)), type: givenType ?? 'Residence' },
    accessorials: readAccessorials(fields, switches),
    ...(timeFrame === undefined ? {} : { timeFrame }),
    ...(contact === undefined ? {} : { contact }),
  };
  fields.done();
  return { fields, address, givenType, stop };
}

/** The rules of the route shorten one type of the lookup; the switch takes either name or one. */
function addressTypesUnder(names: StopSwitches['addressTypeNames']): ReadonlySet<string> {
  if (names === 'either') return everyAddressType;
  if (names === 'lookup') return addressTypes;
  const isShortened = (type: string): boolean =>
    [...addressTypeShortForms].some((short) => type !== short && type.startsWith(short));
  return new Set([...everyAddressType].filter((type) => !isShortened(type)));
}

function readAddress(address: Fields): Omit<StopAddress, 'type'> {
  const value = compact({
    streetAddress: address.text('streetAddress'),
    alternateStreetAddress: address.text('alternateStreetAddress'),
    majorMunicipality: address.text('majorMunicipality'),
    postalCode: address.text('postalCode'),
    stateProvince: address.text('stateProvince'),
    country: address.text('country', { pattern: /^[A-Z]{2,3}$/u, hint: 'must be a country code' }),
    latitude: address.number('latitude', { from: -90, to: 90 }),
    longitude: address.number('longitude', { from: -180, to: 180 }),
    timeZone: address.text('timeZone'),
  });
  address.done();
  return value;
}

function readContact(fields: Fields): Readonly<Record<string, string>> | undefined {
  const contact = fields.object('contact');
  if (contact === undefined) return undefined;
  const names = ['name', 'companyName', 'phoneNumber', 'email', 'firstName', 'lastName'];
  const given = names.map((name) => [name, contact.text(name)] as const);
  contact.done();
  return Object.fromEntries(given.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
}

export function readTimeFrame(fields: Fields): TimeFrame | undefined {
  const frame = fields.object('timeFrame');
  if (frame === undefined) return undefined;
  const timeFrameType = frame.text('timeFrameType', { required: true, allowed: timeFrameTypes });
  const earliest = readDay(frame, 'earliestArrival');
  const latest = readDay(frame, 'latestArrival');
  frame.done();
  if (earliest !== undefined && latest !== undefined && latest.time < earliest.time)
    frame.refuse('latestArrival', 'must not be before earliestArrival', codeRule);
  return {
    timeFrameType: timeFrameType ?? '',
    ...(earliest === undefined ? {} : { earliestArrival: earliest.text }),
    ...(latest === undefined ? {} : { latestArrival: latest.text }),
  };
}

function readDay(frame: Fields, name: string): { text: string; time: number } | undefined {
  const text = frame.text(name);
  if (text === undefined) return undefined;
  const time = dayOf(text);
  if (time === undefined) frame.refuse(name, 'must be a date in the form YYYY/MM/DD');
  return time === undefined ? undefined : { text, time };
}

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

/** The contract has an object of booleans; samples also show a list of names. The switch takes either or one. */
function readAccessorials(
  fields: Fields,
  { stopAccessorials: form, ...names }: StopSwitches,
): readonly string[] {
  const value = fields.raw('accessorials');
  if (value === undefined) return [];
  const isList = Array.isArray(value);
  if (form !== 'either' && isList !== (form === 'list')) {
    fields.refuse(
      'accessorials',
      form === 'list' ? 'must be an array of names' : 'must be an object of booleans',
    );
    return [];
  }
  const known = accessorialsUnder(names);
  if (isList) return fields.texts('accessorials', known) ?? [];
  const object = fields.object('accessorials');
  if (object === undefined) return [];
  for (const name of Object.keys(object.value))
    if (!known.has(name)) object.refuse(name, 'is not an accessorial of a stop');
  return [...known].filter((name) => object.flag(name) === true);
}

/** A call before the arrival has two names in the contract; the switch takes either or one. */
function accessorialsUnder({
  callAheadName: name,
  additionalServicesIn,
}: Pick<StopSwitches, 'callAheadName' | 'additionalServicesIn'>): ReadonlySet<string> {
  const others = ['callAhead', 'callBeforeArrival'].filter((other) => name !== 'either' && other !== name);
  const elsewhere = additionalServicesIn === 'request' ? [...additionalServices] : [];
  return new Set([...stopAccessorials].filter((one) => ![...others, ...elsewhere].includes(one)));
}
