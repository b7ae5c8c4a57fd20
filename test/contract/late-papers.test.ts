import { expect, test } from '@jest/globals';
import { until, useSandbox } from './sandbox-client';

const marketplace = useSandbox();

test('a bill of lading that comes after the pickup is read once it is there', async () => {
  marketplace.sandbox.setSwitches({ billOfLading: 'afterPickup' });
  const listingId = await marketplace.bookedListing();
  marketplace.sandbox.controls.advance(listingId, { to: 'PickedUp' });
  const client = marketplace.open();
  const read = async () => await client.getBillOfLading(listingId).catch(() => null);
  const found = await until(read, (bill) => bill !== null);
  expect(found?.billOfLadingNumber).toMatch(/^\d+$/u);
});

test.each([
  ['booked', 'Booked'],
  ['pickedUp', 'PickedUp'],
  ['delivered', 'Delivered'],
] as const)('a PRO number that appears when %s is among the references', async (proNumber, to) => {
  marketplace.sandbox.setSwitches({ proNumber });
  const listingId = await marketplace.bookedListing();
  if (to !== 'Booked') marketplace.sandbox.controls.advance(listingId, { to });
  const client = marketplace.open();
  const numbers = await until(
    async () => (await client.getListing(listingId)).referenceNumbers,
    (references) => references.some(({ type }) => type === 'ThirdPartyTracking'),
  );
  expect(numbers).toContainEqual(expect.objectContaining({ number: expect.stringMatching(/^77\d+$/u) }));
});

test('a moving truck has another position at each reading', async () => {
  marketplace.sandbox.setSwitches({ movingPosition: true });
  const listingId = await marketplace.bookedListing();
  marketplace.sandbox.controls.advance(listingId, { to: 'PickedUp' });
  const client = marketplace.open();
  const [first, second] = [await client.getTracking(listingId), await client.getTracking(listingId)];
  expect(first.latitude).not.toBe(second.latitude);
});

test('a correction of the price is read together with the delivery', async () => {
  marketplace.sandbox.setSwitches({ priceCorrections: [25], priceCorrectionsFrom: 'delivery' });
  const listingId = await marketplace.bookedListing();
  marketplace.sandbox.controls.advance(listingId, { to: 'Delivered' });
  const { acceptedPrice, completedOn, totalCost } = await marketplace.open().getListing(listingId);
  expect(completedOn).not.toBeNull();
  expect(totalCost?.minorUnits).toBe((acceptedPrice?.minorUnits ?? Number.NaN) + 2500);
});
