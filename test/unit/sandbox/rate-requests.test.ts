import { afterEach, expect, test } from '@jest/globals';
import {
  ask,
  closeSandboxes,
  collectRates,
  dayAhead,
  deliveryStop,
  errorFields,
  ltlItem,
  pickupStop,
  quickSandbox,
  rateRequestBody,
  until,
  type Reply,
  asText,
} from './marketplace-client';

afterEach(closeSandboxes);

const route = (pickup: object, delivery: object = {}) => ({
  route: { items: [pickupStop(pickup), deliveryStop(delivery)] },
});

/** At 100 times the speed this is an hour: it does not come while a test looks. */
const LATER = 360_000_000;

test.each([
  ['none is there before the first', { ratesFirst: LATER, ratesLast: LATER }, 0],
  ['the first comes alone', { ratesFirst: 10, ratesLast: LATER }, 1],
])('a rate request answers 201 with the address of its rates: %s', async (_, steps, count) => {
  const sandbox = await quickSandbox({ clock: { steps } });
  const created = await ask(sandbox, 'POST', '/v2/raterequests', { json: rateRequestBody() });
  expect(created.status).toBe(201);
  const path = asText(created.headers['location']);
  expect(new URL(path).pathname).toMatch(/^\/v2\/raterequests\/[\da-f]{24}\/rates$/u);
  const { body } = await until(
    () => ask(sandbox, 'GET', path),
    (reply) => Number(reply.body['totalCount']) >= count,
  );
  expect(body).toEqual({ totalCount: count, items: Array.from({ length: count }, () => expect.anything()) });
});

test('rates differ in price, rating, mode and delay, and one has no delay', async () => {
  const sandbox = await quickSandbox();
  const rates = await collectRates(sandbox);
  const different = (read: (rate: (typeof rates)[number]) => unknown) => new Set(rates.map(read)).size;
  expect(rates).toHaveLength(6);
  expect(different((rate) => rate['totalPrice']?.['value'])).toBe(6);
  expect(different((rate) => rate['bidder']?.['feedback']?.['starRating'])).toBe(6);
  expect(different((rate) => rate['transportMode']?.['value'])).toBe(2);
  expect(rates.filter((rate) => (rate['deliveryTimeframe']?.['delay'] as unknown) === null)).toHaveLength(1);
  expect(rates[0]).toMatchObject({
    id: expect.stringMatching(/^[\da-z]{24}$/u),
    totalPrice: { value: expect.any(Number), label: expect.stringMatching(/^\$/u) },
    serviceType: { value: 'LtlTransportOnly' },
    bidder: { userId: 900_101, displayName: 'Blue Ridge Freight', links: expect.any(Array) },
  });
  expect(Date.parse(asText(rates[0]?.['expires'])) - Date.parse(asText(rates[0]?.['created']))).toBe(
    604_800_000,
  );
});

test('the same seed gives the same rates', async () => {
  const pricesOf = async (seed: string): Promise<unknown[]> =>
    (await collectRates(await quickSandbox({ seed }))).map((rate) => [rate['id'], rate['totalPrice']]);
  expect(await pricesOf('a')).toEqual(await pricesOf('a'));
  expect(await pricesOf('a')).not.toEqual(await pricesOf('b'));
});

test.each([
  [
    'a pickup between two days',
    route({
      timeFrame: { earliestArrival: dayAhead(3), latestArrival: dayAhead(4), timeFrameType: 'between' },
    }),
    'not `on`',
  ],
  [
    'an `on` pickup on two days',
    route({ timeFrame: { earliestArrival: dayAhead(3), latestArrival: dayAhead(4), timeFrameType: 'on' } }),
    'differ',
  ],
  ['a load over the weight limit', { items: [ltlItem({ weightInGrams: 7_000_000 })] }, 'weight limit'],
  ['an item over the size limit', { items: [ltlItem({ lengthInMeters: 9 })] }, 'size limit'],
  ['too many handling units', { items: [ltlItem({ unitCount: 21, weightInGrams: 1000 })] }, 'handling units'],
])('%s is accepted and silently gets no rates', async (_what, changes, reason) => {
  const sandbox = await quickSandbox({ clock: { steps: { ratesFirst: 0, ratesLast: 0 } } });
  const created = await ask(sandbox, 'POST', '/v2/raterequests', { json: rateRequestBody(changes) });
  expect(created.status).toBe(201);
  await collectRates(sandbox);
  const { body } = await ask(sandbox, 'GET', asText(created.headers['location']));
  expect(body).toEqual({ totalCount: 0, items: [] });
  expect(sandbox.order('acme/o-1').rateRequests[0]?.silentBecause).toContain(reason);
});

test.each([
  [
    'no street',
    route({ address: { ...pickupStop().address, streetAddress: undefined } }),
    ['route.items[0].address.streetAddress'],
  ],
  ['no company at a business', route({ contact: { name: 'Dock' } }), ['route.items[0].contact.companyName']],
  ['no pickup time frame', route({ timeFrame: undefined }), ['route.items[0].timeFrame']],
  ['a delivery time frame', route({}, { timeFrame: pickupStop().timeFrame }), ['route.items[1].timeFrame']],
  [
    'a pickup in the past',
    route({ timeFrame: { earliestArrival: dayAhead(-2), latestArrival: dayAhead(-2), timeFrameType: 'on' } }),
    ['route.items[0].timeFrame.latestArrival'],
  ],
  [
    'no postal code at one end',
    route({ address: { ...pickupStop().address, postalCode: undefined } }),
    ['route.items[0].address.postalCode'],
  ],
  [
    'an unknown address type',
    route({ address: { ...pickupStop().address, type: 'Moon' } }),
    ['route.items[0].address.type'],
  ],
  [
    'no liftgate at a residence',
    route({}, { accessorials: { inside: true } }),
    ['route.items[1].accessorials.liftgateRequired'],
  ],
  [
    'an unknown stop service',
    route({ accessorials: { forklift: true } }),
    ['route.items[0].accessorials.forklift'],
  ],
  ['an unknown commodity', { items: [ltlItem({ commodity: 'Sofas' })] }, ['items[0].commodity']],
  ['an unknown handling unit', { items: [ltlItem({ handlingUnit: 'Sacks' })] }, ['items[0].handlingUnit']],
  [
    'neither class nor weight',
    { items: [ltlItem({ weightInGrams: undefined })] },
    ['items[0].weightInGrams'],
  ],
  ['a class that is none', { items: [ltlItem({ freightClass: 51 })] }, ['items[0].freightClass']],
  ['a weight with a fraction', { items: [ltlItem({ weightInGrams: 0.5 })] }, ['items[0].weightInGrams']],
  [
    'a reference type by number',
    { referenceNumbers: [{ number: '1', type: 11 }] },
    ['referenceNumbers[0].type'],
  ],
  ['an unknown service', { accessorials: ['Valet'] }, ['accessorials[0]']],
])('%s is refused', async (_what, changes, fields) => {
  const sandbox = await quickSandbox();
  const reply = await ask(sandbox, 'POST', '/v2/raterequests', { json: rateRequestBody(changes) });
  expect([reply.status, errorFields(reply)]).toEqual([400, fields]);
});

test.each([
  [
    'a freight class in place of size and weight',
    { items: [{ commodity: 'GeneralFreight', handlingUnit: 'Crates', freightClass: 77.5 }] },
  ],
  [
    'latitude and longitude in place of postal codes',
    {
      route: {
        items: [pickupStop(), deliveryStop()].map((stop) => ({
          ...stop,
          address: { streetAddress: '1 Main St', latitude: 32.7, longitude: -96.8 },
        })),
      },
    },
  ],
  [
    'stop services as a list of names',
    route({ accessorials: ['inside'] }, { accessorials: ['liftgateRequired', 'callAhead'] }),
  ],
  [
    'no address type, which means a residence',
    route({ contact: {}, address: { ...pickupStop().address, type: undefined } }),
  ],
])('%s is accepted', async (_what, changes) => {
  const sandbox = await quickSandbox();
  expect(await collectRates(sandbox, changes)).toHaveLength(6);
});

test('a request of known fields passes while unknown ones are refused', async () => {
  const sandbox = await quickSandbox({ switches: { unknownFields: 'refused' } });
  expect(await collectRates(sandbox)).toHaveLength(6);
  const json = rateRequestBody({ items: [ltlItem({ colour: 'grey' })] });
  expect(errorFields(await ask(sandbox, 'POST', '/v2/raterequests', { json }))).toEqual(['items[0].colour']);
});

test('every service makes the shipment dearer', async () => {
  const sandbox = await quickSandbox({ seed: 'services' });
  const cheapest = async (changes: object): Promise<number> =>
    Math.min(...(await collectRates(sandbox, changes)).map((rate) => Number(rate['totalPrice']?.['value'])));
  const services = { inside: true, liftgateRequired: true, appointmentRequired: true };
  expect(await cheapest(route({}, { accessorials: services }))).toBeGreaterThan((await cheapest({})) + 40);
});

test('rates of another account or of nobody answer 403', async () => {
  const sandbox = await quickSandbox({
    accounts: [
      { name: 'one', apiKeys: ['sandbox-key'] },
      { name: 'two', apiKeys: ['key-two'] },
    ],
  });
  const created = await ask(sandbox, 'POST', '/v2/raterequests', { json: rateRequestBody() });
  const statusOf = async (path: string): Promise<number> =>
    (await ask(sandbox, 'GET', path, { key: 'key-two' })).status;
  expect(await statusOf(asText(created.headers['location']))).toBe(403);
  expect(await statusOf('/v2/raterequests/abc/rates')).toBe(403);
});

test('troubles hold rates back and delay them, switches add a currency and inflate the count', async () => {
  const sandbox = await quickSandbox({
    switches: { rateCurrencyType: true, totalCountExcess: 2 },
    troubles: [
      { when: 'createRateRequest', what: 'lateRates', times: 1 },
      { when: 'createRateRequest', what: 'noRates' },
    ],
    clock: { steps: { ratesLate: 30_000 } },
  });
  const asked = async (): Promise<Reply> =>
    await ask(sandbox, 'POST', '/v2/raterequests', { json: rateRequestBody() });
  const late = await asked();
  expect((await ask(sandbox, 'GET', asText(late.headers['location']))).body).toEqual({
    totalCount: 2,
    items: [],
  });
  const none = await asked();
  const { body } = await until(
    () => ask(sandbox, 'GET', asText(late.headers['location'])),
    (reply) => Number(reply.body['totalCount']) === 8,
  );
  expect(body['items']?.[0]).toMatchObject({ totalPrice: { currencyType: { value: 'USD' } } });
  expect((await ask(sandbox, 'GET', asText(none.headers['location']))).body).toMatchObject({ items: [] });
});

test('payment methods are listed for a commodity, and a commodity is required', async () => {
  const sandbox = await quickSandbox();
  const { body } = await ask(sandbox, 'GET', '/v2/paymentmethods?topLevelCommodity=ltl');
  expect(body).toMatchObject({
    totalCount: 3,
    items: [{ type: { value: 'creditcard' }, isPrimary: true, lastFour: '4242' }, {}, {}],
  });
  expect(asText(body['items']?.[0]?.['id'])).toHaveLength(36);
  expect((await ask(sandbox, 'GET', '/v2/paymentmethods')).status).toBe(400);
  expect((await ask(sandbox, 'GET', '/v2/paymentmethods?topLevelCommodity=submarines')).status).toBe(501);
  sandbox.setSwitches({ paymentMethods: 'none' });
  const none = await ask(sandbox, 'GET', '/v2/paymentmethods?topLevelCommodity=ltl');
  expect(none.body).toEqual({ totalCount: 0, items: [] });
});

test('address types are looked up', async () => {
  const sandbox = await quickSandbox();
  const { body } = await ask(sandbox, 'GET', '/v2/lookups/addressTypes?commodityCode=GeneralFreight');
  expect(body).toMatchObject({
    totalCount: 10,
    items: expect.arrayContaining([{ value: 'Port', label: 'Port', shortLabel: 'Port' }]),
  });
});
