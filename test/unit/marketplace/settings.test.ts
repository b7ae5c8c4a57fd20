import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { DEFAULT_SETTINGS, type MarketplaceSettings } from '../../../src/marketplace/account';
import { toForm } from '../../../src/marketplace/form';
import { aMarketplace, anAccount, closeAll, failureOf, reply, startServer, type SeenRequest } from './server';
import { aFurnitureShipment, anLtlShipment, aStop } from './shipments';

afterEach(closeAll);

const usd = (minorUnits: number) => ({ minorUnits, currency: 'USD' });

/** One server for all of a client's writes. */
async function writesUnder(settings: Partial<MarketplaceSettings>) {
  const server = await startServer((request, response) => {
    const location = request.url.includes('raterequests')
      ? '/v2/raterequests/abc/rates'
      : '/v2/listings/273679133';
    if (request.url === '/v2/fixedprice') {
      const price = { price: 120, nypAmount: 100, insuranceQuote: { premium: { amount: 9 } } };
      reply(200, price)(request, response);
      return;
    }
    reply(201, '', { location })(request, response);
  });
  const marketplace = aMarketplace(anAccount(server.url, { settings }));
  const last = (): SeenRequest => {
    const seen = server.seen.at(-1);
    if (seen === undefined) throw new Error('nothing was sent');
    return seen;
  };
  return { marketplace, last, body: () => JSON.parse(last().body) };
}

const draft = {
  shipment: aFurnitureShipment({ references: [{ type: 'Other', number: '7', label: 'Dock' }] }),
  listPrice: usd(65050),
  priceCorrelationId: 'c-1',
  sendId: 's-1',
};

const capitalised = { Title: 'Table', Commodity: 'Tables' };
const coverage = { amount: 2500, currencyType: 'USD', commodity: 'Tables' };

test.each<[Partial<MarketplaceSettings>, object, readonly string[]]>([
  [
    { pricing: 'namedPrice' },
    { pricing: { namedPrice: { amount: 650.5, currencyType: 'USD' } } },
    ['pricing.offerPrice'],
  ],
  [
    { pricing: 'offerPrice' },
    { pricing: { offerPrice: { amount: 650.5, currencyType: 'USD' } } },
    ['pricing.namedPrice'],
  ],
  [
    { listingInsurance: 'coverageAmount' },
    { insurance: { coverageAmount: coverage } },
    ['insurance.coverage'],
  ],
  [{ listingInsurance: 'coverage' }, { insurance: { coverage } }, ['insurance.coverageAmount']],
  [{ listingItemKeys: 'capitalised' }, { items: [capitalised] }, ['items.0.title']],
  [{ listingItemKeys: 'camelCase' }, { items: [{ title: 'Table', commodity: 'Tables' }] }, ['items.0.Title']],
  [
    { otherReferences: 'labelled' },
    {
      referenceNumbers: expect.arrayContaining([
        { number: 's-1', type: 'Other', referenceNumberLabel: 'Send' },
        { number: '7', type: 'Other', referenceNumberLabel: 'Dock' },
      ]),
    },
    [],
  ],
  [
    { otherReferences: 'combined' },
    {
      referenceNumbers: expect.arrayContaining([
        { number: 'Send - s-1', type: 'Other' },
        { number: 'Dock - 7', type: 'Other' },
      ]),
    },
    [],
  ],
  [
    { priceCorrelationType: 'number' },
    { referenceNumbers: expect.arrayContaining([{ number: 'c-1', type: 10 }]) },
    [],
  ],
  [
    { priceCorrelationType: 'name' },
    { referenceNumbers: expect.arrayContaining([{ number: 'c-1', type: 'PriceCorrelationId' }]) },
    [],
  ],
  [
    { addressTypes: 'lookup' },
    { route: { items: [{}, { address: { type: 'BusinessWithoutLoadingDockOrForklift' } }] } },
    [],
  ],
  [
    { addressTypes: 'short' },
    { route: { items: [{}, { address: { type: 'BusinessWithoutLoadingDock' } }] } },
    [],
  ],
])('a listing under %j', async (settings, expected, absent) => {
  const { marketplace, body } = await writesUnder(settings);
  await marketplace.createListing(draft);
  expect(body()).toMatchObject(expected);
  for (const field of absent) expect(body()).not.toHaveProperty(field);
});

test.each([
  ['dots', 'items[0].Title'],
  ['brackets', 'items[0][Title]'],
] as const)('a listing as a form nested by %s names %s', async (formNesting, name) => {
  const { marketplace, last } = await writesUnder({ listingBody: 'form', formNesting });
  await marketplace.createListing(draft);
  expect(last().headers['content-type']).toBe('application/x-www-form-urlencoded');
  expect(new URLSearchParams(last().body).get(name)).toBe('Table');
});

test('a form nested as JSON keeps objects whole, and omits absent fields', () => {
  const form = new URLSearchParams(
    toForm({ a: { b: [1, null] }, c: 'x', d: undefined, e: null, f: true }, 'json'),
  );
  expect([...form]).toEqual([
    ['a', '{"b":[1,null]}'],
    ['c', 'x'],
    ['f', 'true'],
  ]);
});

test.each([
  ['nypAmount', aFurnitureShipment(), 10_000],
  ['priceWithPremium', aFurnitureShipment(), 12_900],
  ['priceWithPremium', aFurnitureShipment({ coverage: null }), 10_000],
] as const)('with %s the listing is offered at the right price', async (listPrice, shipment, minorUnits) => {
  const { marketplace } = await writesUnder({ listPrice });
  const price = await marketplace.getFixedPrice({ shipment, priceCorrelationId: null });
  expect(price.listPrice).toEqual(usd(minorUnits));
});

test.each<[string | null, object, number | 'unknown']>([
  ['insuranceQuote.cost', { insuranceQuote: { coverageAmount: { amount: 2500 }, cost: 48.5 } }, 4_850],
  [
    'insuranceQuote.options.1.price',
    { insuranceQuote: { options: [{}, { price: { amount: '31.25' } }] } },
    3_125,
  ],
  ['protection', { protection: { value: 12, currencyType: 'USD' }, insuranceQuote: { premium: 9 } }, 1_200],
  ['insuranceQuote.cost', { insuranceQuote: { premium: { amount: 9 } } }, 900],
  ['insuranceQuote.cost', { insuranceQuote: { coverageAmount: { amount: 2500 }, cost: 'n/a' } }, 'unknown'],
  ['constructor.name', { insuranceQuote: { coverageAmount: { amount: 2500 } } }, 'unknown'],
  [null, { insuranceQuote: { coverageAmount: { amount: 2500 }, cost: 48.5 } }, 'unknown'],
])('with premiumPath %s the premium of %j is %s', async (premiumPath, answer, expected) => {
  const server = await startServer(reply(200, { price: 120, nypAmount: 100, ...answer }));
  const marketplace = aMarketplace(anAccount(server.url, { settings: { premiumPath } }));
  const { premium } = await marketplace.getFixedPrice({
    shipment: aFurnitureShipment(),
    priceCorrelationId: null,
  });
  expect(premium).toEqual(typeof expected === 'number' ? usd(expected) : expected);
});

test.each([
  ['perUnit', 32_205],
  ['perLine', 64_410],
] as const)(
  'with furnitureWeight %s two units are sent as %i g, priced and listed',
  async (furnitureWeight, grams) => {
    const [item] = aFurnitureShipment().items;
    if (item === undefined) throw new TypeError('an order has items');
    const shipment = aFurnitureShipment({ items: [{ ...item, quantity: 2, weightInGrams: 32_205 }] });
    const { marketplace, body } = await writesUnder({ furnitureWeight });
    const line = { weightInGrams: grams, unitCount: 2 };
    await marketplace.getFixedPrice({ shipment, priceCorrelationId: null });
    expect(body().items).toEqual([expect.objectContaining(line)]);
    await marketplace.createListing({ ...draft, shipment });
    expect(body().items).toEqual([expect.objectContaining(line)]);
  },
);

test('additional services perStop stand as booleans in each stop, and not in the request', async () => {
  const services = ['ProtectFromFreezing', 'SortAndSegregate'];
  const { marketplace, body } = await writesUnder({ additionalServices: 'perStop' });
  await marketplace.createRateRequest({ shipment: anLtlShipment({ services }), attempt: 1 });
  expect(body()).not.toHaveProperty('accessorials');
  const accessorials = { liftgateRequired: true, protectFromFreezing: true, sortandSegregate: true };
  for (const stop of body().route.items) expect(stop.accessorials).toMatchObject(accessorials);
});

test('additional services perStop join the names of a stop that is written as names', async () => {
  const settings = { additionalServices: 'perStop', stopAccessorials: 'names' } as const;
  const { marketplace, body } = await writesUnder(settings);
  await marketplace.createRateRequest({
    shipment: anLtlShipment({ services: ['BlindShipmentCoordination'] }),
    attempt: 1,
  });
  expect(body().route.items[1].accessorials).toEqual(['liftgateRequired', 'blindShipmentCoordination']);
});

const called = aStop({ services: { ...aStop().services, callBeforeArrival: true } });

test.each<[Partial<MarketplaceSettings>, unknown]>([
  [
    { callAccessorial: 'callBeforeArrival' },
    { inside: false, liftgateRequired: true, callBeforeArrival: true, appointmentRequired: false },
  ],
  [
    { callAccessorial: 'callAhead' },
    { inside: false, liftgateRequired: true, callAhead: true, appointmentRequired: false },
  ],
  [{ stopAccessorials: 'names' }, ['liftgateRequired', 'callBeforeArrival']],
  [{ stopAccessorials: 'names', callAccessorial: 'callAhead' }, ['liftgateRequired', 'callAhead']],
])('the accessorials of a stop under %j', async (settings, accessorials) => {
  const { marketplace, body } = await writesUnder(settings);
  await marketplace.createRateRequest({ shipment: anLtlShipment({ origin: called }), attempt: 1 });
  expect(body().route.items[0].accessorials).toEqual(accessorials);
});

test.each([
  ['names', ['ProtectFromFreezing', 'SortAndSegregate', 'BlindShipmentCoordination']],
  ['booleans', { protectFromFreezing: true, sortandSegregate: true, blindShipmentCoordination: true }],
] as const)('additional services are sent as %s', async (additionalServices, expected) => {
  const services = ['ProtectFromFreezing', 'SortAndSegregate', 'BlindShipmentCoordination'];
  const { marketplace, body } = await writesUnder({ additionalServices });
  await marketplace.createRateRequest({ shipment: anLtlShipment({ services }), attempt: 1 });
  expect(body().accessorials).toEqual(expected);
});

test.each([
  ['nullCoverage', { coverage: null }],
  ['empty', {}],
  ['null', null],
] as const)('coverage is declined as %s', async (declinedInsurance, insurance) => {
  const server = await startServer(reply(202, {}, { location: '/v2/rates/r/acceptance/status/e' }));
  const marketplace = aMarketplace(anAccount(server.url, { settings: { declinedInsurance } }));
  await marketplace.acceptRate({ rateId: 'r', paymentMethodId: 'p', coverage: null });
  await marketplace.acceptRate({ rateId: 'r', paymentMethodId: 'p', coverage: usd(100) });
  expect(server.seen.map(({ body }) => JSON.parse(body).insurance)).toEqual([
    insurance,
    { coverage: { amount: 1, currencyType: 'USD' } },
  ]);
});

test.each([
  ['multipart', /name="picture"; filename="a\.png"/],
  ['base64', /"picture":"UE5H"/],
  ['url', /^\{"picture":\["https:\/\/images\.example\.com\/a\.png"\]\}$/],
] as const)('the field of an image sent as %s is a setting', async (imagePayload, expected) => {
  const { marketplace, last } = await writesUnder({ imagePayload, imageField: 'picture' });
  const bytes = Buffer.from('PNG');
  await marketplace.uploadListingImage({
    listingId: '5',
    fileName: 'a.png',
    contentType: 'image/png',
    bytes,
    url: 'https://images.example.com/a.png',
  });
  expect(last().body).toMatch(expected);
});

test.each([
  ['none', undefined, undefined],
  ['all', 'key-secret-1', 'key-secret-1'],
  [['getListing'] as const, 'key-secret-1', undefined],
] as const)(
  'with xApiKeyCalls %j the key is sent in addition to the Bearer',
  async (xApiKeyCalls, listing, methods) => {
    const server = await startServer(reply(200, { listingId: 1, items: [] }));
    const marketplace = aMarketplace(anAccount(server.url, { settings: { xApiKeyCalls } }));
    await marketplace.listPaymentMethods('ltl');
    await failureOf(marketplace.getListing('2'));
    expect(server.seen.map(({ headers }) => headers['x-api-key'])).toEqual([methods, listing]);
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer key-secret-1',
      'Bearer key-secret-1',
    ]);
  },
);

test('a separate key goes into x-api-key, and is in no error', async () => {
  const server = await startServer(reply(400, { reason: 'the key second-secret is odd' }));
  const account = anAccount(server.url, {
    settings: { xApiKeyCalls: 'all' },
    xApiKey: async () => 'second-secret',
  });
  const error = await failureOf(aMarketplace(account).listRates('x'));
  expect(server.seen[0]?.headers['x-api-key']).toBe('second-secret');
  expect(String(error)).not.toContain('second-secret');
});

test('every setting is explained in docs/undocumented.md, with its default', () => {
  const page = readFileSync(path.join(__dirname, '..', '..', '..', 'docs', 'undocumented.md'), 'utf8');
  for (const [name, value] of Object.entries(DEFAULT_SETTINGS)) {
    const row = page.split('\n').find((line) => line.includes(`| \`${name}\``));
    const shown = typeof value === 'object' ? JSON.stringify(value) : value;
    expect(`${name}: ${row}`).toMatch(value === null ? /not sent|by the payload|none/ : `\`${shown}\``);
  }
});
