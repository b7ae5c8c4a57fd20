import { afterEach, expect, test } from '@jest/globals';
import { badElements } from '../../../sandbox/model/bad-element';
import {
  accept,
  ask,
  asText,
  bookedListing,
  closeSandboxes,
  collectRates,
  createListing,
  quickSandbox,
} from './marketplace-client';

afterEach(closeSandboxes);

test.each([
  ['rateExpiresNull', { expires: null }],
  ['ratePriceZero', { totalPrice: { value: 0, label: expect.stringMatching(/^\$[1-9]/u) } }],
  ['ratePriceNull', { totalPrice: { value: null } }],
  ['ratePriceText', { totalPrice: { value: '1,234.56' } }],
  ['rateStarsText', { bidder: { feedback: { starRating: 'N/A', count: expect.any(Number) } } }],
  ['rateDelayText', { deliveryTimeframe: { delay: '1-2' } }],
] as const)('%s spoils one rate of a list, which can be accepted all the same', async (name, bad) => {
  const sandbox = await quickSandbox({ switches: { badElements: [name] } });
  const [first, ...others] = await collectRates(sandbox);
  expect(first).toMatchObject(bad);
  for (const rate of others)
    expect(rate).toMatchObject({ expires: expect.any(String), totalPrice: { value: expect.any(Number) } });
  expect((await accept(sandbox, first?.['id'])).status).toBe(202);
});

test('each name spoils a rate of its own, and only of the order that has it', async () => {
  const sandbox = await quickSandbox({
    switches: { orders: { 'acme/o-1': { badElements: ['ratePriceZero', 'rateExpiresNull'] } } },
  });
  const [first, second, third] = await collectRates(sandbox);
  expect([first, second]).toMatchObject([{ totalPrice: { value: 0 } }, { expires: null }]);
  expect(third).toMatchObject({ expires: expect.any(String) });
  const referenceNumbers = [{ number: 'acme/o-2', type: 'ThirdPartyOrderNumber' }];
  const [other] = await collectRates(sandbox, { referenceNumbers });
  expect(Number(asText(other?.['totalPrice']?.['value']))).toBeGreaterThan(0);
});

test.each([
  ['paymentYearShort', 0, { expiration: { year: (new Date().getUTCFullYear() + 2) % 100 } }],
  ['paymentExpiryZero', 1, { expiration: { month: 0, year: 0 } }],
  ['paymentIdNull', 2, { id: null }],
] as const)('%s spoils one payment method', async (name, place, bad) => {
  const sandbox = await quickSandbox({ switches: { badElements: [name] } });
  const { body } = await ask(sandbox, 'GET', '/v2/paymentmethods?topLevelCommodity=ltl');
  const items = body['items'] as unknown as object[];
  expect(items[place]).toMatchObject(bad);
  for (const good of items.filter((_item, index) => index !== place))
    expect(good).toMatchObject({ id: expect.any(String), expiration: { year: expect.any(Number) } });
});

test('a bad reference stands before the good ones', async () => {
  const sandbox = await quickSandbox({ switches: { badElements: ['reference'] } });
  const { body } = await ask(sandbox, 'GET', `/v2/listings/${await createListing(sandbox)}`);
  expect(body['referenceNumbers']).toMatchObject([{ number: null, type: null }, { number: 'acme/o-1' }]);
});

test('an attachment and the answer to an image have parts that cannot be read', async () => {
  const sandbox = await quickSandbox({ switches: { badElements: ['attachment'] } });
  const listingId = await createListing(sandbox);
  const json = { file: Buffer.from('picture').toString('base64'), fileName: 'a.png' };
  const upload = await ask(sandbox, 'POST', `/v2/listings/${listingId}/images`, { json });
  expect(upload.body['items']).toMatchObject([null, { fileName: 'a.png', fileSize: '12 KB', links: [null] }]);
});

test('bad places and statuses of the tracking stand before the good ones', async () => {
  const sandbox = await quickSandbox({
    switches: { badElements: ['trackingPlace', 'trackingStatus'], transit: 'manual' },
  });
  const listingId = await bookedListing(sandbox);
  sandbox.controls.advance(listingId, { to: 'PickedUp' });
  const { body } = await ask(sandbox, 'GET', `/v2/listings/${listingId}/track`);
  expect(body).toMatchObject({
    mostRecentLocation: [{ latitude: null }, { latitude: expect.any(Number) }],
    mostRecentAddress: [null, { majorMunicipality: 'Dallas' }],
    shipmentTrackingStatuses: [{ status: null }, { status: { value: 'PickedUp' } }],
  });
});

test('without the switch nothing is spoilt', async () => {
  const sandbox = await quickSandbox();
  const [first] = await collectRates(sandbox);
  expect(first).toMatchObject({ expires: expect.any(String), totalPrice: { value: expect.any(Number) } });
  expect(badElements.length).toBeGreaterThan(0);
});
