import { afterEach, expect, test } from '@jest/globals';
import type { Sandbox } from '../../../sandbox';
import { ask, bookedListing, closeSandboxes, createListing, quickSandbox, until } from './marketplace-client';

afterEach(closeSandboxes);

const priceEvents = (sandbox: Sandbox): unknown[] =>
  sandbox
    .events()
    .filter(({ envelope }) => envelope['type'] === 'Listing.PriceDetailsUpdated/v1')
    .map(({ envelope }) => (envelope['data'] as { totalCost: { value: number } }).totalCost.value);

test('a price is lowered, corrected twice, and corrected after Completed, each time with an event', async () => {
  const sandbox = await quickSandbox({ switches: { transit: 'manual' } });
  const listingId = await bookedListing(sandbox);
  const change = async (json: object) =>
    (await ask(sandbox, 'POST', `/_sandbox/listings/${listingId}/price`, { json })).status;
  expect(await change({ amount: -12.5, description: 'Discount' })).toBe(200);
  expect(await change({ amount: 48.25, description: 'Reweigh' })).toBe(200);
  expect(await change({ total: 320, description: 'Reweigh corrected' })).toBe(200);
  sandbox.controls.advance(listingId, { to: 'Delivered' });
  expect(await change({ total: 299.99 })).toBe(200);
  const { body } = await ask(sandbox, 'GET', `/v2/listings/${listingId}`);
  expect(body).toMatchObject({
    status: { value: 'Completed' },
    namedPrice: { value: 312.5 },
    totalCost: { value: 299.99 },
    priceDetails: {
      lineItems: [
        { amount: { value: 312.5 } },
        { description: 'Discount', amount: { value: -12.5 } },
        { amount: { value: 48.25 } },
        { amount: { value: -28.25 } },
        { description: 'Adjustment', amount: { value: -20.01 } },
      ],
      total: { value: 299.99 },
    },
  });
  expect(priceEvents(sandbox)).toEqual([300, 348.25, 320, 299.99]);
  expect(await change({ amount: -300 })).toBe(400);
});

test('priceCorrections change the price after the delivery by themselves', async () => {
  const sandbox = await quickSandbox({ switches: { priceCorrections: [40, -15] } });
  const listingId = await createListing(sandbox);
  await until(
    () => priceEvents(sandbox),
    (totals) => totals.length === 2,
  );
  expect(priceEvents(sandbox)).toEqual([352.5, 337.5]);
  const { body } = await ask(sandbox, 'GET', `/v2/listings/${listingId}`);
  expect(body).toMatchObject({ status: { value: 'Completed' }, totalCost: { value: 337.5 } });
});
