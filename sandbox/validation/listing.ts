import { listingServiceTypes } from '../model/codes';
import { isObject, objectOf } from '../model/json';
import type { Item, ListingDraft, Money, Stop } from '../model/state';
import type { SandboxSwitches } from '../model/switches';
import { Fields, Problems } from './fields';
import { readFurnitureItem } from './items';
import { readRoute, refusePastPickup } from './stops';
import { readInsurance, readMoney, readReferenceNumbers } from './values';

const coverageNames = {
  coverageAmount: ['coverageAmount'],
  coverage: ['coverage'],
  either: ['coverageAmount', 'coverage'],
} as const;

const title = { maxLength: 50, ascii: true } as const;
const description = { maxLength: 5000, ascii: true } as const;

/** Contract, "Listing create request". */
export function readListing(body: unknown, switches: SandboxSwitches): ListingDraft {
  const problems = new Problems(switches.unknownFields === 'refused');
  const fields = new Fields(objectOf(body), '', problems);
  const pricing = readPricing(fields, switches);
  const coverage = readInsurance(fields, coverageNames[switches.listingInsurance]);
  const draft: ListingDraft = {
    title: fields.text('title', { ...title, required: true }) ?? '',
    ...texts(fields, ['confidentialDescription', 'requestedRateTypes']),
    ...text('description', fields.text('description', description)),
    ...(pricing === undefined ? {} : { pricing }),
    ...(coverage === undefined ? {} : { coverage }),
    route: readListingRoute(fields, switches),
    items: readItems(fields, switches, true) ?? [],
    referenceNumbers:
      readReferenceNumbers(fields, { types: 'any', correlation: switches.priceCorrelationType }) ?? [],
    serviceTypes: fields.texts('serviceTypes', listingServiceTypes) ?? [],
    gallery: fields.texts('gallery') ?? [],
    attributes: readAttributes(fields) ?? {},
    accessorials: [],
  };
  fields.done();
  problems.throwIfAny();
  return draft;
}

export interface ListingChanges {
  readonly checksum?: string;
  readonly changes: Partial<ListingDraft>;
}

/** Contract, "Listing update model": every field is optional, and objects of a record are taken back as they are. */
export function readListingChanges(body: unknown, switches: SandboxSwitches): ListingChanges {
  const problems = new Problems(switches.unknownFields === 'refused');
  const fields = new Fields(objectOf(body), '', problems);
  const checksum = fields.text('checksum');
  for (const flag of ['isAuction', 'isDutchAuction', 'isItineraryMandatory']) fields.flag(flag);
  const route = fields.raw('route') === undefined ? undefined : readListingRoute(fields, switches);
  const changes: Partial<ListingDraft> = {
    ...text('title', fields.text('title', title)),
    ...text('description', fields.text('description', description)),
    ...texts(fields, ['importSource']),
    ...part('pricing', readPriceChange(fields, switches)),
    ...part('route', route),
    ...part('items', readItems(fields, switches, false)),
    ...part('referenceNumbers', readReferenceNumbers(fields, { types: 'any' })),
    ...part('serviceTypes', readServiceTypes(fields)),
    ...part('attributes', readAttributes(fields)),
  };
  fields.done();
  problems.throwIfAny();
  return { changes, ...(checksum === undefined ? {} : { checksum }) };
}

function part<Name extends keyof ListingDraft>(
  name: Name,
  value: ListingDraft[Name] | undefined,
): Partial<ListingDraft> {
  return value === undefined ? {} : { [name]: value };
}

const text = (name: 'title' | 'description', value: string | undefined): Partial<ListingDraft> =>
  part(name, value);

function texts(
  fields: Fields,
  names: readonly ('confidentialDescription' | 'requestedRateTypes' | 'importSource')[],
): Partial<ListingDraft> {
  return Object.assign({}, ...names.map((name) => part(name, fields.text(name))));
}

function readListingRoute(fields: Fields, switches: SandboxSwitches): readonly Stop[] {
  const readings = readRoute(fields, switches);
  const pickup = readings[0];
  if (pickup !== undefined) refusePastPickup(pickup);
  for (const { address, stop } of readings) {
    const { postalCode, latitude, longitude } = stop.address;
    if (
      address !== undefined &&
      postalCode === undefined &&
      (latitude === undefined || longitude === undefined)
    )
      address.refuse('postalCode', 'is required where latitude and longitude are not given');
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
  pricing.done();
  const kind = given[0];
  if (kind === undefined || given.length > 1) {
    fields.refuse('pricing', 'must have exactly one of namedPrice and offerPrice');
    return undefined;
  }
  refuseOtherPrice(pricing, kind, switches);
  const amount = pricing.object(kind);
  const price = amount === undefined ? undefined : readMoney(amount, { above: 0 });
  amount?.done();
  return price === undefined ? undefined : { kind, price };
}

function readPriceChange(fields: Fields, switches: SandboxSwitches): ListingDraft['pricing'] {
  for (const kind of priceKinds) {
    const value = fields.object(kind);
    if (value !== undefined) refuseOtherPrice(fields, kind, switches);
    const price = value === undefined ? undefined : moneyOfRecord(value, switches.changedPrice);
    if (price !== undefined) return { kind, price };
  }
  return undefined;
}

/** The request's `{amount, currencyType}` or the record's `{value, …, currencyType: {value}}`, as the switch says. */
function moneyOfRecord(fields: Fields, form: SandboxSwitches['changedPrice']): Money | undefined {
  const { amount: plain, value: shown, currencyType: currency } = fields.value;
  if (form !== 'either' && (plain !== undefined) !== (form === 'amount'))
    fields.problems.add(fields.path, `must have the form of ${form === 'amount' ? 'a request' : 'a record'}`);
  const amount = plain ?? shown;
  const currencyType = isObject(currency) ? currency['value'] : (currency ?? 'USD');
  if (typeof amount === 'number' && amount > 0 && typeof currencyType === 'string')
    return { amount, currencyType };
  fields.problems.add(fields.path, 'must have a positive amount and a currencyType');
  return undefined;
}

function readServiceTypes(fields: Fields): readonly string[] | undefined {
  const values = fields.list('serviceTypes')?.map((entry) => (isObject(entry) ? entry['value'] : entry));
  return values?.flatMap((value, index) => {
    if (typeof value === 'string' && listingServiceTypes.has(value)) return [value];
    fields.problems.add(`${fields.at('serviceTypes')}[${index}]`, 'is not one of the allowed values');
    return [];
  });
}

function readAttributes(fields: Fields): Readonly<Record<string, boolean>> | undefined {
  const attributes = fields.object('attributes');
  if (attributes === undefined) return undefined;
  const given = ['crated', 'stackable', 'palletized'].map((name) => [name, attributes.flag(name)] as const);
  attributes.done();
  return Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
