import { expect, test } from '@jest/globals';
import type { BadElement } from '../../sandbox/model/bad-element';
import { useSandbox } from './sandbox-client';

const marketplace = useSandbox();

test.each<BadElement>([
  'rateExpiresNull',
  'ratePriceZero',
  'ratePriceNull',
  'ratePriceText',
  'rateStarsText',
  'rateDelayText',
])('under %s the other rates are still read', async (name) => {
  marketplace.sandbox.setSwitches({ badElements: [name] });
  const rates = await marketplace.requestRates();
  expect(rates.length).toBeGreaterThanOrEqual(3);
  for (const { expiresAt, totalPrice } of rates)
    expect([Date.parse(expiresAt) > 0, totalPrice.minorUnits > 0]).toEqual([true, true]);
});

test.each<BadElement>(['paymentExpiryZero', 'paymentYearShort', 'paymentIdNull'])(
  'under %s a rate is booked with a payment method that can be read',
  async (name) => {
    marketplace.sandbox.setSwitches({ badElements: [name] });
    expect(await marketplace.bookRate()).toMatch(/^\d{9}$/u);
  },
);

test("an unreadable reference does not hide the order's reference", async () => {
  marketplace.sandbox.setSwitches({ badElements: ['reference'] });
  const listing = await marketplace.open().getListing(await marketplace.createListing());
  expect(listing.referenceNumbers.map(({ number }) => number)).toContain('acme/SO-1');
});

test('an attachment is read although its size, date and links are invalid', async () => {
  marketplace.sandbox.setSwitches({ badElements: ['attachment'] });
  const listingId = await marketplace.bookedListing();
  marketplace.sandbox.controls.addAttachment(listingId, { fileName: 'claim.pdf' });
  const { envelope } = marketplace.sandbox.events().at(-1) ?? {};
  const { attachmentId } = (envelope?.['data'] ?? {}) as { attachmentId: string };
  const attachment = await marketplace.open().getListingAttachment({ listingId, attachmentId });
  expect(attachment).toMatchObject({ attachmentId, fileName: 'claim.pdf' });
});

test('an unreadable place and status do not hide the valid ones of the tracking', async () => {
  marketplace.sandbox.setSwitches({ badElements: ['trackingPlace', 'trackingStatus'] });
  const listingId = await marketplace.bookedListing();
  marketplace.sandbox.controls.advance(listingId, { to: 'PickedUp' });
  const tracking = await marketplace.open().getTracking(listingId);
  expect(tracking.statuses.map(({ status }) => status)).toEqual(['PickedUp']);
  expect([tracking.lastKnownPlace, typeof tracking.latitude]).toEqual(['Dallas, TX', 'number']);
});
