import { expect } from '@jest/globals';
import {
  addressTypes,
  freightClasses,
  handlingUnits,
  liftgateAddressTypes,
  listingServiceTypes,
  ltlCommodities,
  rateRequestAccessorials,
  referenceTypes,
} from '../../../sandbox/model/codes';

/**
 * The contract's rules on what is sent, written down once more from its text: nothing here comes from `src/orders`
 * or `src/marketplace`, so that both cannot be wrong together. The code lists are the sandbox's, which shares no code
 * with them either.
 */

type Wire = Readonly<Record<string, unknown>>;
const wire = (value: unknown): Wire => value as Wire;
const list = (value: unknown): readonly Wire[] => value as readonly Wire[];

/** An order document as it was given, before anything was read out of it. */
export interface GivenOrder {
  readonly account: string;
  readonly orderId: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly references: Readonly<Record<string, unknown>>;
  readonly destination: {
    readonly address: { readonly street: string; readonly unit?: string | undefined };
    readonly services?: { readonly callBeforeArrival?: boolean; readonly callAhead?: boolean };
  };
  readonly pickup: object;
  readonly items: readonly GivenItem[];
}

interface GivenItem {
  readonly quantity?: number | undefined;
  readonly size?: {
    readonly length: number;
    readonly width: number;
    readonly height: number;
    readonly unit: string;
  };
  readonly weightEach?: { readonly value: number; readonly unit: string };
}

const METERS: Readonly<Record<string, number>> = { in: 0.0254, ft: 12 * 0.0254, cm: 0.01, mm: 0.001, m: 1 };
const GRAMS: Readonly<Record<string, number>> = { lb: 453.59237, oz: 453.59237 / 16, g: 1, kg: 1000 };

function onlyKeys(value: Wire, keys: readonly string[]): void {
  expect(keys).toEqual(expect.arrayContaining(Object.keys(value)));
}

/** Absent is not sent; null would be a value. */
export function expectNoNulls(value: unknown): void {
  expect(JSON.stringify(value)).not.toMatch(/[:[,]null[,}\]]/);
}

/** "Lengths are in meters, weights in grams (integer)"; rounded up, so that a reweigh is never heavier. */
function expectMeasures(sent: Wire, given: GivenItem): void {
  if (given.size === undefined || given.weightEach === undefined) {
    expect(sent).not.toHaveProperty('weightInGrams');
    return;
  }
  const { unit, ...sides } = given.size;
  for (const [side, value] of Object.entries(sides)) {
    const meters = sent[`${side}InMeters`] as number;
    expect(Math.abs(meters - value * (METERS[unit] ?? NaN))).toBeLessThanOrEqual(0.000_051);
    expect(meters).toBeGreaterThan(0);
  }
  const declared = given.weightEach.value * (GRAMS[given.weightEach.unit] ?? NaN);
  const grams = sent.weightInGrams as number;
  expect(Number.isInteger(grams)).toBe(true);
  expect(grams).toBeGreaterThanOrEqual(declared - 1e-6);
  expect(grams).toBeLessThan(declared + 1);
}

const DATE = /^\d{4}\/\d{2}\/\d{2}$/;
const slashed = (day: unknown): string => String(day).split('-').join('/');

function expectAddress(address: Wire, kind: 'furniture' | 'ltl'): void {
  onlyKeys(address, [
    ...['streetAddress', 'alternateStreetAddress', 'majorMunicipality', 'postalCode', 'stateProvince'],
    ...['country', 'latitude', 'longitude', 'type', 'timeZone'],
  ]);
  expect(address.streetAddress).toMatch(/\S/);
  expect(address.stateProvince).toMatch(/^[A-Z]{2}$/);
  expect(['US', 'CA']).toContain(address.country);
  if (address.postalCode !== undefined) {
    const form = address.country === 'US' ? /^\d{5}(-\d{4})?$/ : /^[A-Z]\d[A-Z] \d[A-Z]\d$/;
    expect(address.postalCode).toMatch(form);
  }
  if (address.type !== undefined) expect([...addressTypes]).toContain(address.type);
  if (kind === 'ltl') expect(address.postalCode === undefined).toBe(address.latitude !== undefined);
}

function expectContact(contact: Wire, needsCompany: boolean): void {
  onlyKeys(contact, ['name', 'companyName', 'phoneNumber', 'email', 'firstName', 'lastName']);
  expect(String(contact.phoneNumber).replaceAll(/\D/g, '').length).toBeGreaterThanOrEqual(10);
  if (needsCompany) expect(contact.companyName).toMatch(/\S/);
}

/** "alternateStreetAddress": the unit beside the street, never within it. */
function expectUnit(address: Wire, given: GivenOrder): void {
  const { street, unit } = given.destination.address;
  expect(address.streetAddress).toBe(street.trim());
  expect(address.alternateStreetAddress).toBe(unit?.trim());
}

interface GivenStop {
  readonly location?: string;
  readonly addressType?: string | undefined;
  readonly services?: { readonly liftgate?: boolean | undefined };
}

/**
 * Route rules 2 and 6: "liftgateRequired must be set where the address type is Residence or
 * BusinessWithoutLoadingDock", and a type that is not given is Residence.
 * @returns the paths where an order breaks that; locations of the account are docks
 */
export function liftgateLacks(given: Readonly<Record<'origin' | 'destination', GivenStop>>): string[] {
  return (['origin', 'destination'] as const).flatMap((place) => {
    const { location, addressType = 'Residence', services } = given[place];
    const isDock = location !== undefined || !liftgateAddressTypes.has(addressType);
    return isDock || services?.liftgate === true ? [] : [`$.${place}.services.liftgate`];
  });
}

/** Route rules 1 to 6. */
export function expectLtlRoute(route: Wire, given: GivenOrder): void {
  onlyKeys(route, ['items']);
  const stops = list(route.items);
  expect(stops).toHaveLength(2);
  for (const [index, stop] of stops.entries()) {
    onlyKeys(stop, ['address', 'timeFrame', 'accessorials', 'contact']);
    const address = wire(stop.address);
    expectAddress(address, 'ltl');
    const type = (address.type ?? 'Residence') as string;
    expectContact(wire(stop.contact), type !== 'Residence');
    const accessorials = wire(stop.accessorials);
    onlyKeys(accessorials, ['inside', 'liftgateRequired', 'callBeforeArrival', 'appointmentRequired']);
    for (const value of Object.values(accessorials)) expect(typeof value).toBe('boolean');
    if (liftgateAddressTypes.has(type)) expect(accessorials.liftgateRequired).toBe(true);
    if (index === 1) expect(stop).not.toHaveProperty('timeFrame');
  }
  const [pickup, delivery] = stops;
  const form = (stop: Wire | undefined) => Object.hasOwn(wire(stop?.address), 'postalCode');
  expect(form(pickup)).toBe(form(delivery));
  expectUnit(wire(delivery?.address), given);
  const { callBeforeArrival, callAhead } = given.destination.services ?? {};
  // Small print: "callBeforeArrival is sent, both names are read".
  expect(wire(delivery?.accessorials).callBeforeArrival).toBe(
    callBeforeArrival === true || callAhead === true,
  );
  const day = slashed((given.pickup as { on: string }).on);
  expect(pickup?.timeFrame).toEqual({ earliestArrival: day, latestArrival: day, timeFrameType: 'on' });
}

/** Contract: LTL item. N units are N lines of one, where both readings of the weight agree. */
export function expectLtlItems(sent: readonly Wire[], given: GivenOrder): void {
  const lines = given.items.flatMap((item) => Array.from({ length: item.quantity ?? 1 }, () => item));
  expect(sent).toHaveLength(lines.length);
  for (const [index, line] of sent.entries()) {
    onlyKeys(line, [
      ...['commodity', 'unitCount', 'handlingUnit', 'packaging', 'stackable', 'hazardous', 'lengthInMeters'],
      ...['heightInMeters', 'weightInGrams', 'widthInMeters', 'freightClass', 'title', 'description'],
    ]);
    expect(line.unitCount).toBe(1);
    expect([...ltlCommodities]).toContain(line.commodity);
    // Of both spellings that are met the one of the code list is sent.
    expect([...handlingUnits].filter((unit) => unit !== 'Pallets48x40Inches')).toContain(line.handlingUnit);
    if (line.freightClass === undefined) {
      for (const key of ['lengthInMeters', 'heightInMeters', 'weightInGrams'])
        expect(line).toHaveProperty(key);
    } else expect(freightClasses).toContain(line.freightClass);
    expectMeasures(line, lines[index] ?? {});
  }
}

/** Our own reference is there once, and no order's reference is lost. */
function expectReferences(sent: readonly Wire[], given: GivenOrder, extra: number): void {
  const own = sent.filter(({ type }) => type === 'ThirdPartyOrderNumber');
  expect(own).toEqual([{ type: 'ThirdPartyOrderNumber', number: `${given.account}/${given.orderId}` }]);
  const numbers = Object.values(given.references).flat();
  expect(sent).toHaveLength(1 + extra + numbers.length);
}

export function expectRateRequest(body: Wire, given: GivenOrder & { services: readonly string[] }): void {
  onlyKeys(body, ['route', 'items', 'referenceNumbers', 'integratorId', 'accessorials', 'thirdPartyId']);
  expectNoNulls(body);
  expectLtlRoute(wire(body.route), given);
  expectLtlItems(list(body.items), given);
  const references = list(body.referenceNumbers);
  expectReferences(references, given, 0);
  for (const reference of references) {
    onlyKeys(reference, ['number', 'type']);
    expect(referenceTypes).toContain(reference.type);
    if (reference.type !== 'Other') continue;
    expect(reference.number).toMatch(/^.+ - .+$/s);
    expect(String(reference.number).length).toBeLessThanOrEqual(60);
  }
  expect(body.accessorials ?? []).toEqual(given.services);
  expect([...rateRequestAccessorials]).toEqual(expect.arrayContaining([...given.services]));
  expect(body.thirdPartyId).toBe(`${given.orderId}.1`);
}

const ASCII = /^[\x20-\x7E\s]*$/;

function expectFrame(frame: Wire, given: object): void {
  const type = Object.keys(given).join('');
  const all = (Object.values(given) as unknown[]).flat().map(slashed);
  for (const day of all) expect(day).toMatch(DATE);
  const latestArrival = all.at(-1);
  expect(frame).toEqual({
    ...(type !== 'before' && { earliestArrival: all[0] }),
    latestArrival,
    timeFrameType: type,
  });
}

interface FurnitureGiven extends GivenOrder {
  readonly delivery?: object;
  readonly coverage?: { readonly amount: string; readonly currency: string };
  readonly driverNotes?: string | undefined;
}

interface PriceGiven {
  readonly nypAmount: number;
  readonly priceCorrelationId: string;
}

export function expectListing(body: Wire, given: FurnitureGiven, price: PriceGiven): void {
  onlyKeys(body, [
    ...['title', 'description', 'confidentialDescription', 'pricing', 'insurance', 'route', 'items'],
    ...['requestedRateTypes', 'referenceNumbers', 'serviceTypes', 'gallery', 'attributes'],
  ]);
  expectNoNulls(body);
  expect(body.title).toMatch(/\S/);
  for (const [key, limit] of [
    ['title', 50],
    ['description', 5000],
  ] as const) {
    const text = (body[key] ?? '') as string;
    expect(text).toMatch(ASCII);
    expect(text.length).toBeLessThanOrEqual(limit);
  }
  expect(body.confidentialDescription).toBe(given.driverNotes);
  // The list price is nypAmount, and only one property of pricing is used.
  expect(body.pricing).toEqual({ namedPrice: { amount: price.nypAmount, currencyType: 'USD' } });
  expectInsurance(body.insurance, given);
  expectFurnitureRoute(wire(body.route), given);
  expectFurnitureItems(list(body.items), given);
  expectListingReferences(list(body.referenceNumbers), given, price);
  // Images are uploaded; they never fill the gallery.
  expect(body).not.toHaveProperty('gallery');
  for (const type of (body.serviceTypes ?? []) as string[]) expect([...listingServiceTypes]).toContain(type);
  if (body.attributes !== undefined) {
    expect(Object.keys(wire(body.attributes)).toSorted()).toEqual(['crated', 'palletized', 'stackable']);
  }
}

function expectListingReferences(sent: readonly Wire[], given: GivenOrder, price: PriceGiven): void {
  expectReferences(sent, given, 2);
  expect(sent.filter(({ type }) => type === 10)).toEqual([{ type: 10, number: price.priceCorrelationId }]);
  for (const { type, number, referenceNumberLabel: label } of sent) {
    expect(typeof number).toBe('string');
    expect(label !== undefined).toBe(type === 'Other');
    if (label !== undefined)
      expect(`${label as string} - ${number as string}`.length).toBeLessThanOrEqual(60);
  }
}

function expectInsurance(insurance: unknown, { coverage }: FurnitureGiven): void {
  if (coverage === undefined) {
    expect(insurance).toBeUndefined();
    return;
  }
  expect(insurance).toMatchObject({
    coverageAmount: { amount: Number(coverage.amount), currencyType: coverage.currency },
  });
}

/** Furniture: both stops may have a time frame, and there are no accessorials. */
function expectFurnitureRoute(route: Wire, given: FurnitureGiven): void {
  const stops = list(route.items);
  expect(stops).toHaveLength(2);
  const [pickup, delivery] = stops;
  for (const stop of stops) {
    onlyKeys(stop, ['address', 'timeFrame', 'contact']);
    expectAddress(wire(stop.address), 'furniture');
    expectContact(wire(stop.contact), false);
  }
  expectUnit(wire(delivery?.address), given);
  expectFrame(wire(pickup?.timeFrame), given.pickup);
  if (given.delivery === undefined) expect(delivery).not.toHaveProperty('timeFrame');
  else expectFrame(wire(delivery?.timeFrame), given.delivery);
}

function expectFurnitureItems(sent: readonly Wire[], given: GivenOrder): void {
  expect(sent).toHaveLength(given.items.length);
  for (const [index, line] of sent.entries()) {
    onlyKeys(line, [
      ...['Title', 'Commodity', 'widthInMeters', 'lengthInMeters', 'heightInMeters', 'weightInGrams'],
      ...['unitCount', 'Description'],
    ]);
    expect(line.Title).toMatch(/\S/);
    expect(line.unitCount).toBe(given.items[index]?.quantity ?? 1);
    expectMeasures(line, given.items[index] ?? {});
  }
}

export function expectFixedPrice(body: Wire, given: FurnitureGiven): void {
  onlyKeys(body, [
    ...['source', 'originPostalCode', 'destinationPostalCode', 'items', 'insurance', 'userId'],
    ...['priceCorrelationId', 'commodity', 'originCountryCode', 'destinationCountryCode'],
  ]);
  expectNoNulls(body);
  expect(body.source).toMatch(/^[a-z0-9]+$/);
  for (const key of ['originPostalCode', 'destinationPostalCode'])
    expect(body[key]).toMatch(/^[A-Z0-9 -]{5,10}$/);
  for (const key of ['originCountryCode', 'destinationCountryCode'])
    expect(['US', 'CA']).toContain(body[key]);
  expectInsurance(body.insurance, given);
  for (const [index, line] of list(body.items).entries()) {
    onlyKeys(line, ['heightInMeters', 'lengthInMeters', 'widthInMeters', 'weightInGrams', 'unitCount']);
    expectMeasures(line, given.items[index] ?? {});
  }
}
