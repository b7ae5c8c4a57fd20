import { afterEach, expect, test } from '@jest/globals';
import { request } from 'undici';
import {
  accept,
  ask,
  asText,
  bookedListing,
  closeSandboxes,
  collectRates,
  createListing,
  fixedPriceBody,
  listingBody,
  ltlItem,
  pickupStop,
  deliveryStop,
  quickSandbox,
  rateRequestBody,
  until,
} from './marketplace-client';

afterEach(closeSandboxes);

const numbersOf = async (sandbox: Awaited<ReturnType<typeof quickSandbox>>, listingId: string) => {
  const { body } = await ask(sandbox, 'GET', `/v2/listings/${listingId}`);
  const references = body['referenceNumbers'] as unknown as { number: string; type: { value: string } }[];
  return references.filter(({ type }) => type.value === 'ThirdPartyTracking').map(({ number }) => number);
};

test.each([
  ['booked', 'Booked'],
  ['pickedUp', 'PickedUp'],
  ['delivered', 'Delivered'],
] as const)('under proNumber %s the number of the carrier comes with %s', async (proNumber, moment) => {
  const sandbox = await quickSandbox({
    switches: { proNumber, transit: 'manual' },
    clock: { steps: { proNumber: 0 } },
  });
  const listingId = await bookedListing(sandbox);
  for (const to of ['Dispatched', 'PickedUp', 'Delivered'] as const) {
    if (moment === 'Booked' || (moment === 'PickedUp' && to === 'Delivered')) break;
    expect(await numbersOf(sandbox, listingId)).toEqual([]);
    sandbox.controls.advance(listingId, { to });
  }
  await until(
    () => numbersOf(sandbox, listingId),
    (numbers) => /^77\d+$/u.test(numbers.join(' ')),
  );
  expect(sandbox.events().map(({ envelope }) => envelope['type'])).toContain(
    'Listing.ReferenceNumberAdded/v1',
  );
});

test('under afterPickup the bill of lading is ready only after the pickup', async () => {
  const sandbox = await quickSandbox({
    switches: { billOfLading: 'afterPickup', transit: 'manual' },
    clock: { steps: { billOfLading: 0 } },
  });
  const listingId = await bookedListing(sandbox);
  const read = () => ask(sandbox, 'GET', `/v2/listings/${listingId}/billoflading`);
  sandbox.controls.advance(listingId, { to: 'Dispatched' });
  expect((await read()).status).toBe(404);
  sandbox.controls.advance(listingId, { to: 'PickedUp' });
  await until(read, ({ status }) => status === 200);
});

test('the first download of a document can be no PDF while the next one is', async () => {
  const what = { kind: 'status', status: 200, contentType: 'application/pdf', body: 'no PDF' } as const;
  const sandbox = await quickSandbox({ troubles: [{ when: 'getDocument', what, times: 1 }] });
  const listingId = await bookedListing(sandbox);
  const { body } = await until(
    () => ask(sandbox, 'GET', `/v2/listings/${listingId}/billoflading`),
    ({ status }) => status === 200,
  );
  const download = async () => await (await request(asText(body['document']?.['href']))).body.text();
  expect(await download()).not.toMatch(/^%PDF/u);
  expect(await download()).toMatch(/^%PDF/u);
});

test('a price correction comes with the delivery, and the further ones later', async () => {
  const sandbox = await quickSandbox({
    switches: { priceCorrections: [10, 5], priceCorrectionsFrom: 'delivery', transit: 'manual' },
    clock: { steps: { priceCorrection: 1e9 } },
  });
  const listingId = await bookedListing(sandbox);
  sandbox.controls.advance(listingId, { to: 'Delivered' });
  const { body } = await ask(sandbox, 'GET', `/v2/listings/${listingId}`);
  expect(body).toMatchObject({ status: { value: 'Completed' }, totalCost: { value: 322.5 } });
});

test('under movingPosition no two readings show the same place until the delivery', async () => {
  const sandbox = await quickSandbox({ switches: { movingPosition: true, transit: 'manual' } });
  const listingId = await bookedListing(sandbox);
  sandbox.controls.advance(listingId, { to: 'PickedUp' });
  const place = async (): Promise<string> => {
    const { body } = await ask(sandbox, 'GET', `/v2/listings/${listingId}/track`);
    const [first] = body['mostRecentLocation'] as unknown as { latitude: number; longitude: number }[];
    return `${first?.latitude} ${first?.longitude}`;
  };
  const places = [await place(), await place(), await place(), await place()];
  expect(new Set(places).size).toBe(4);
  sandbox.controls.advance(listingId, { to: 'Delivered' });
  expect(await place()).toBe(await place());
});

test.each([
  ['statusCode200ListingId', (id: number) => ({ listingId: id })],
  [
    'statusCode200Href',
    (id: number) => ({ href: expect.stringMatching(new RegExp(`/v2/listings/${id}$`, 'u')) }),
  ],
] as const)('under %s the acceptance names its listing and never says 201', async (form, response) => {
  const sandbox = await quickSandbox({
    switches: { acceptanceBookedAnswer: form, carrierAnswer: 'acceptsLater' },
    clock: { steps: { carrierAnswer: 1e9 } },
  });
  const [rate] = await collectRates(sandbox);
  const location = asText((await accept(sandbox, rate?.['id'])).headers['location']);
  const read = () => ask(sandbox, 'GET', location);
  const named = await until(read, ({ text }) => text.includes('listings') || text.includes('listingId'));
  const listing = () => sandbox.order('acme/o-1').listings[0];
  const expected = response(listing()?.listingId ?? 0);
  expect(listing()?.status).toBe('Active');
  sandbox.controls.advance(listing()?.listingId ?? 0, { to: 'Booked' });
  for (const reply of [named, await read()]) {
    expect([reply.status, reply.body['statusCode']]).toEqual([200, 200]);
    expect(JSON.parse(asText(reply.body['response']))).toEqual(expected);
  }
});

test('under path the premium is where premiumPath says, and the quote has only the coverage', async () => {
  const sandbox = await quickSandbox({
    switches: { premiumPosition: 'path', premiumPath: 'insuranceQuote.cost.total' },
  });
  const insurance = { coverageAmount: { amount: 2000, currencyType: 'USD' } };
  const answer = async () =>
    await ask(sandbox, 'POST', '/v2/fixedprice', { json: fixedPriceBody({ insurance }) });
  expect((await answer()).body['insuranceQuote']).toEqual({ ...insurance, cost: { total: 30 } });
  sandbox.setSwitches({ premiumPath: 'charges.protection.amount' });
  const { body } = await answer();
  expect([body['insuranceQuote'], body['charges']]).toEqual([insurance, { protection: { amount: 30 } }]);
});

test.each([
  ['unit', 300],
  ['line', 100],
] as const)('the weight of a furniture item is that of the %s', async (furnitureWeight, total) => {
  const sandbox = await quickSandbox({ switches: { furnitureWeight } });
  const items = [{ Title: 'Chair', Commodity: 'Furniture', unitCount: 3, weightInGrams: 100 }];
  const listingId = await createListing(sandbox, { items });
  const { body } = await ask(sandbox, 'GET', `/v2/listings/${listingId}`);
  expect(body['totalWeightInGrams']).toMatchObject({ value: total });
  expect(listingBody().items).toHaveLength(1);
});

const inStop = {
  route: { items: [pickupStop({ accessorials: { sortandSegregate: true } }), deliveryStop()] },
};
const inRequest = { accessorials: ['SortAndSegregate'] };
test.each([
  ['either', 201, 201],
  ['request', 400, 201],
  ['stops', 201, 400],
] as const)('additional services are taken in %s', async (additionalServicesIn, ofStop, ofRequest) => {
  const sandbox = await quickSandbox({ switches: { additionalServicesIn } });
  const statusOf = async (changes: object): Promise<number> =>
    (await ask(sandbox, 'POST', '/v2/raterequests', { json: rateRequestBody(changes) })).status;
  expect([await statusOf(inStop), await statusOf(inRequest)]).toEqual([ofStop, ofRequest]);
  expect(await statusOf({ items: [ltlItem()] })).toBe(201);
});
