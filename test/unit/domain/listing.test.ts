import { expect, test } from '@jest/globals';
import { listingFingerprint, type ListingRecord } from '../../../src/domain/listing';
import { aListing } from '../../support/builders';

const usd = (minorUnits: number) => ({ minorUnits, currency: 'USD' });
const LINK = 'https://market.example/cancel/7';

test.each<[string, Partial<ListingRecord>]>([
  ['the pending booking request', { hasPendingBookingRequest: true }],
  ['the named price', { namedPrice: usd(50_000) }],
  ['the currency of a price', { totalCost: { minorUnits: 40_000, currency: 'CAD' } }],
  ['the days of the delivery', { deliveryWindow: { earliestOn: null, latestOn: '2035-03-09' } }],
  ['the link that cancels', { cancellationLink: LINK }],
])('a change of %s is worth another reading', (_, change) => {
  const before = aListing({ totalCost: usd(40_000) });
  expect(listingFingerprint({ ...before, ...change })).not.toBe(listingFingerprint(before));
});

test('an insignificant change is not worth a reading: another checksum, a link signed anew, an absent flag', () => {
  const before = aListing({ cancellationLink: `${LINK}?signature=1` });
  const after = { checksum: 'b', cancellationLink: `${LINK}?signature=2`, hasPendingBookingRequest: null };
  expect(listingFingerprint({ ...before, ...after })).toBe(listingFingerprint(before));
});
