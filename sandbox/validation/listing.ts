import { z } from 'zod';
import { listingServiceTypes } from '../model/codes';
import { compact, isObject, objectOf, type JsonObject } from '../model/json';
import type { Item, ListingDraft, Money, Stop } from '../model/state';
import type { SandboxSwitches } from '../model/switches';
import { oneOf, readBody, type Fields } from './fields';
import { readFurnitureItem } from './items';
import { hasPosition, readRoute, refusePastPickup } from './stops';
import { readInsurance, readMoney, readReferenceNumbers } from './values';

const coverageNames = {
  coverageAmount: ['coverageAmount'],
  coverage: ['coverage'],
  either: ['coverageAmount', 'coverage'],
} as const;

const ascii = z.string().regex(/^[\t\n\r\u{20}-\u{7e}]*$/u, 'must be ASCII');
const serviceType = oneOf(listingServiceTypes);
const title = ascii.max(50);
const description = ascii.max(5000);

/** Contract, "Listing create request". */
export function readListing(body: unknown, switches: SandboxSwitches): ListingDraft {
  return readBody(body, switches, (fields) => {
    const types = { types: 'any', correlation: switches.priceCorrelationType } as const;
    return {
      pricing: readPricing(fields, switches),
      coverage: readInsurance(fields, coverageNames[switches.listingInsurance]),
      title: fields.text('title', { required: true, schema: title }) ?? '',
      confidentialDescription: fields.text('confidentialDescription'),
      requestedRateTypes: fields.text('requestedRateTypes'),
      description: fields.text('description', { schema: description }),
      route: readListingRoute(fields, switches),
      items: readItems(fields, switches, true) ?? [],
      referenceNumbers: readReferenceNumbers(fields, types) ?? [],
      serviceTypes: fields.texts('serviceTypes', serviceType) ?? [],
      gallery: fields.texts('gallery') ?? [],
      attributes: readAttributes(fields) ?? {},
      accessorials: [],
    };
  });
}

/** Contract, "Listing update model": every field is optional, and objects of a record are taken back as they are. */
export function readListingChanges(
  body: unknown,
  switches: SandboxSwitches,
): { readonly changes: Partial<ListingDraft>; readonly checksum?: string } {
  return readBody(body, switches, (fields) => {
    const checksum = fields.text('checksum');
    for (const flag of ['isAuction', 'isDutchAuction', 'isItineraryMandatory']) fields.flag(flag);
    const route = fields.raw('route') === undefined ? undefined : readListingRoute(fields, switches);
    const changes: Partial<ListingDraft> = {
      title: fields.text('title', { schema: title }),
      description: fields.text('description', { schema: description }),
      importSource: fields.text('importSource'),
      pricing: readPriceChange(fields, switches),
      route,
      items: readItems(fields, switches, false),
      referenceNumbers: readReferenceNumbers(fields, { types: 'any' }),
      serviceTypes: fields.texts('serviceTypes', z.preprocess(valueOfRecord, serviceType)),
      attributes: readAttributes(fields),
    };
    return { changes: compact(changes), checksum };
  });
}

function readListingRoute(fields: Fields, switches: SandboxSwitches): readonly Stop[] {
  const readings = readRoute(fields, switches);
  const pickup = readings[0];
  if (pickup !== undefined) refusePastPickup(pickup);
  for (const { address, stop } of readings) {
    if (stop.address.postalCode === undefined && !hasPosition(stop))
      address?.refuse('postalCode', 'is required where latitude and longitude are not given');
  }
  return readings.map(({ stop }) => stop);
}

function readItems(
  fields: Fields,
  { furnitureWeight: weight, listingItemKeys: keys }: SandboxSwitches,
  required: boolean,
): readonly Item[] | undefined {
  const lines = fields.objects('items', { required, atLeast: 1 });
  return lines?.map((line) => readFurnitureItem(line, { sized: false, weight, keys }));
}

const priceKinds = ['namedPrice', 'offerPrice'] as const;
type PriceKind = (typeof priceKinds)[number];

/** "Only one of its properties is to be used": the switch takes either or insists on one. */
function refuseOtherPrice(fields: Fields, given: PriceKind, { pricing }: SandboxSwitches): void {
  if (pricing !== 'either' && pricing !== given) fields.refuse(given, `is not taken here; use ${pricing}`);
}

function readPricing(fields: Fields, switches: SandboxSwitches): ListingDraft['pricing'] {
  const pricing = fields.object('pricing');
  if (pricing === undefined) return undefined;
  const given = priceKinds.filter((kind) => pricing.raw(kind) !== undefined);
  const kind = given[0];
  if (kind === undefined || given.length > 1) {
    fields.refuse('pricing', 'must have exactly one of namedPrice and offerPrice');
    return undefined;
  }
  refuseOtherPrice(pricing, kind, switches);
  const price = pricing.within(kind, readMoney);
  return price && { kind, price };
}

function readPriceChange(fields: Fields, switches: SandboxSwitches): ListingDraft['pricing'] {
  for (const kind of priceKinds) {
    const value = fields.raw(kind);
    if (value === undefined) continue;
    refuseOtherPrice(fields, kind, switches);
    const refuse = (reason: string): void => fields.refuse(kind, reason);
    const price = moneyOfRecord(objectOf(value), switches.changedPrice, refuse);
    if (price !== undefined) return { kind, price };
  }
  return undefined;
}

/** The request's `{amount, currencyType}` or the record's `{value, …, currencyType: {value}}`, as the switch says. */
function moneyOfRecord(
  { amount: plain, value: shown, currencyType: currency }: JsonObject,
  form: SandboxSwitches['changedPrice'],
  refuse: (reason: string) => void,
): Money | undefined {
  if (form !== 'either' && (plain !== undefined) !== (form === 'amount'))
    refuse(`must have the form of ${form === 'amount' ? 'a request' : 'a record'}`);
  const amount = plain ?? shown;
  const currencyType = valueOfRecord(currency ?? 'USD');
  if (typeof amount === 'number' && amount > 0 && typeof currencyType === 'string')
    return { amount, currencyType };
  refuse('must have a positive amount and a currencyType');
  return undefined;
}

/** A record has a trio in place of the name. */
const valueOfRecord = (entry: unknown): unknown => (isObject(entry) ? entry['value'] : entry);

const attributeNames = ['crated', 'stackable', 'palletized'];

const readAttributes = (fields: Fields): ListingDraft['attributes'] | undefined =>
  fields.within('attributes', (attributes) =>
    Object.fromEntries(attributeNames.map((name) => [name, attributes.flag(name)] as const)),
  );
