import fc from 'fast-check';
import {
  addressTypes,
  freightClasses,
  handlingUnits,
  listingServiceTypes,
  ltlCommodities,
  rateRequestAccessorials,
} from '../../../sandbox/model/codes';
import { NOW } from './documents';

/** Real places, so that state, postal code, coordinates and zone belong together. */
const PLACES = [
  ['Boston', 'MA', '02108', 'US', 42.36, -71.06, 'America/New_York'],
  ['Holtsville', 'NY', '00501-0001', 'US', 40.81, -73.04, 'America/New_York'],
  ['Austin', 'tx', '78703', 'US', 30.29, -97.76, 'America/Chicago'],
  ['Denver', 'CO', '80211', 'us', 39.77, -105.02, 'America/Denver'],
  ['Honolulu', 'HI', '96813', 'US', 21.31, -157.86, 'Pacific/Honolulu'],
  ['Toronto', 'ON', 'm5v2t6', 'CA', 43.64, -79.39, 'America/Toronto'],
  ['St. John’s', 'NL', 'A1C 5M2', 'CA', 47.57, -52.71, 'America/St_Johns'],
] as const;

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const word = fc.string({
  unit: fc.constantFrom(...Array.from('abcdefghijklmnopqrstuvwxyzABCXYZ0123456789')),
  minLength: 1,
  maxLength: 12,
});
const asciiText = (maxLength: number) =>
  fc
    .string({ unit: 'grapheme-ascii', minLength: 1, maxLength, size: 'max' })
    .filter((text) => text.trim() !== '' && !text.includes('<') && !/javascript:/i.test(text));
const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }).filter((t) => t.trim() !== '');
export const orderId = fc.stringMatching(/^[A-Za-z0-9._-]{1,50}$/);

export type PlaceForm = 'postalCode' | 'coordinates' | 'both';

/** Mostly what every stop may have; without a dock the other two are refused. */
const liftgate = fc.oneof(
  { arbitrary: fc.constant(true), weight: 6 },
  { arbitrary: fc.constantFrom(false, undefined), weight: 1 },
);

/** One service has two names; both may stand there where they agree. */
const call = fc
  .record({ isWanted: fc.boolean(), names: fc.subarray(['callBeforeArrival', 'callAhead'] as const) })
  .map(({ isWanted, names }): { callBeforeArrival?: boolean; callAhead?: boolean } =>
    Object.fromEntries(names.map((name) => [name, isWanted])),
  );

/** A stop written out, in one of the forms that route rule 5 allows. */
function writtenStop(kind: 'furniture' | 'ltl', form: PlaceForm) {
  const services = fc
    .record({ liftgate, inside: fc.boolean(), appointment: fc.boolean() }, { requiredKeys: ['liftgate'] })
    .chain((others) => call.map((named) => ({ ...others, ...named })));
  return fc
    .record({
      place: fc.constantFrom(...PLACES),
      addressType: optional(fc.constantFrom(...addressTypes, 'BusinessWithoutLoadingDock')),
      ...{ street: asciiText(40), unit: optional(anyText), name: anyText, company: anyText },
      ...{ phone: fc.constantFrom('+1 512 555 0186', '(617) 555-0142', '7755550117'), services },
      email: optional(fc.constant('dock@example.com')),
    })
    .map(({ place, addressType, street, unit, name, company, phone, services, email }) => {
      const [city, state, postalCode, country, latitude, longitude, timeZone] = place;
      return {
        ...{ addressType, timeZone, contact: { name, company, phone, email } },
        address: {
          ...{ street, unit, city, state, country },
          ...(form !== 'coordinates' && { postalCode }),
          ...(form !== 'postalCode' && { latitude, longitude }),
        },
        ...(kind === 'ltl' && { services }),
      };
    });
}

const location = fc.constantFrom({ location: 'dallas-dc' }, { location: 'reno-warehouse' });

/** What is measured: numbers such that every side has 2 cm to 5 m. */
const sideOf = { in: [1, 190], ft: [0.1, 16], cm: [2, 500], mm: [20, 5_000], m: [0.02, 5] } as const;
const weightOf = { lb: [1, 3_000], oz: [8, 5_000], kg: [0.3, 1_500], g: [200, 900_000] } as const;
const decimal = ([min, max]: readonly [number, number]) =>
  fc.double({ min, max, noNaN: true }).map((value) => Math.max(min, Math.round(value * 100) / 100));

const size = fc.constantFrom(...(Object.keys(sideOf) as (keyof typeof sideOf)[])).chain((unit) => {
  const side = decimal(sideOf[unit]);
  return fc.record({ length: side, width: side, height: side, unit: fc.constant(unit) });
});
const weightEach = fc
  .constantFrom(...(Object.keys(weightOf) as (keyof typeof weightOf)[]))
  .chain((unit) => fc.record({ value: decimal(weightOf[unit]), unit: fc.constant(unit) }));

const item = {
  ...{ title: optional(fc.oneof(anyText, asciiText(120))), description: optional(anyText) },
  quantity: optional(fc.integer({ min: 1, max: 9 })),
};
const furnitureItem = fc.record({
  ...item,
  commodity: fc.constantFrom('Furniture', 'Pianos'),
  size,
  weightEach,
});
const ltlItem = fc
  .record({
    ...item,
    ...{ commodity: fc.constantFrom(...ltlCommodities), handlingUnit: fc.constantFrom(...handlingUnits) },
    ...{ packaging: optional(anyText), stackable: fc.boolean(), size, weightEach },
    freightClass: optional(fc.constantFrom(...freightClasses, ...freightClasses.map(String))),
    // With a class, size and weight may be left out (contract: LTL item).
    isSized: fc.boolean(),
  })
  .map(({ isSized, size, weightEach, ...rest }) =>
    isSized || rest.freightClass === undefined ? { ...rest, size, weightEach } : rest,
  );

const references = fc.dictionary(
  fc.constantFrom(
    'PurchaseOrder',
    'SalesOrder',
    'Invoice',
    'Pickup',
    'Delivery',
    'Lot',
    'Release',
    'VIN',
    'SKU',
  ),
  fc.oneof(word, fc.array(word, { maxLength: 2 })),
  { maxKeys: 3 },
);
const otherReferences = fc
  .array(
    fc.record({
      label: word,
      number: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 45, size: 'max' }),
    }),
    { maxLength: 2 },
  )
  .filter((all) =>
    all.every(
      ({ label, number }) => label !== 'Send' && number.trim() !== '' && !number.startsWith('Send - '),
    ),
  );

/** Days from the one after next on: it is already tomorrow for nobody. */
const DAY = 86_400_000;
const day = fc
  .integer({ min: 2, max: 900 })
  .map((days) => new Date(NOW.getTime() + days * DAY).toISOString().slice(0, 10));
const weekday = day.filter((date) => ![0, 6].includes(new Date(`${date}T12:00:00Z`).getUTCDay()));
const window = fc.tuple(day, day).map(([a, b]) => ({ between: a < b ? [a, b] : [b, a] }));
const frame = fc.oneof(
  day.map((on) => ({ on })),
  window,
  day.map((before) => ({ before })),
);

const money = fc
  .tuple(fc.integer({ min: 1, max: 500_000 }), fc.integer({ min: 0, max: 99 }))
  .map(([whole, cents]) => ({ amount: `${whole}.${String(cents).padStart(2, '0')}`, currency: 'USD' }));

const order = {
  ...{ account: fc.constant('acme'), orderId, title: optional(asciiText(50)) },
  references: fc
    .tuple(references, otherReferences)
    .map(([own, Other]) => (Other.length === 0 ? own : { ...own, Other })),
  labels: fc.dictionary(word, word, { maxKeys: 2 }),
  priceLimit: optional(money),
};

export const ltlOrder = fc
  .constantFrom<[PlaceForm, PlaceForm]>(
    ...([
      ['postalCode', 'both'],
      ['both', 'postalCode'],
      ['coordinates', 'both'],
    ] as [PlaceForm, PlaceForm][]),
    ...([
      ['both', 'both'],
      ['postalCode', 'postalCode'],
      ['coordinates', 'coordinates'],
    ] as [PlaceForm, PlaceForm][]),
  )
  .chain(([first, second]) =>
    fc.record({
      ...order,
      kind: fc.constant('ltl'),
      // A location of the account has a postal code.
      origin:
        second === 'coordinates'
          ? writtenStop('ltl', first)
          : fc.oneof(location, writtenStop('ltl', first === 'coordinates' ? 'both' : first)),
      destination: writtenStop('ltl', second),
      pickup: weekday.map((on) => ({ on })),
      items: fc.array(ltlItem, { minLength: 1, maxLength: 4 }),
      services: fc.subarray([...rateRequestAccessorials]),
    }),
  );

/** Coverage needs a move within the US (small print): where it is asked for, the destination is in Austin. */
export const furnitureOrder = fc
  .tuple(
    fc.record({
      ...order,
      kind: fc.constant('furniture'),
      ...{ origin: location, destination: writtenStop('furniture', 'both') },
      ...{ pickup: frame, delivery: optional(day.map((before) => ({ before }))) },
      items: fc.array(furnitureItem, { minLength: 1, maxLength: 4 }),
      ...{ description: optional(asciiText(300)), driverNotes: optional(asciiText(200)) },
      images: fc.constant(['images/sofa.png']),
      attributes: optional(
        fc.record(
          { crated: fc.boolean(), stackable: fc.boolean(), palletized: fc.boolean() },
          { requiredKeys: [] },
        ),
      ),
      serviceTypes: fc.subarray([...listingServiceTypes]),
    }),
    optional(money),
  )
  .map(([document, coverage]) => {
    const isDomestic = document.destination.address.country.toUpperCase() === 'US';
    const last = lastDay(document.pickup);
    const { delivery, ...rest } = document;
    return {
      ...rest,
      ...(delivery !== undefined && delivery.before >= last && { delivery }),
      ...(isDomestic && coverage !== undefined && { coverage }),
    };
  });

const lastDay = (pickup: object): string => Object.values(pickup).flat().at(-1) as string;
