import { expect, test } from '@jest/globals';
import type { ListingRecord } from '../../../src/domain/listing';
import { missedEventTypes } from '../../../src/domain/missed-events';
import { aListing } from '../../support/builders';

const usd = (minorUnits: number) => ({ minorUnits, currency: 'USD' });
const BOOKED = aListing({ status: 'Booked', transitStatus: 'Dispatched', totalCost: usd(100) });

test.each<[string, ListingRecord, Partial<ListingRecord>, readonly string[]]>([
  [
    'a booking, with all that comes with it',
    aListing(),
    { ...BOOKED, billOfLadingNumber: '1' },
    ['Listing.Booked/v1', 'Shipment.TransitStatusChanged/v1'],
  ],
  ['a booking that is delivered by now', aListing(), { status: 'Completed' }, ['Listing.Booked/v1']],
  ['another status', aListing(), { status: 'OnHold' }, ['Listing.StatusChanged/v1']],
  ['a booking that was given up', BOOKED, { status: 'Cancelled' }, ['Listing.StatusChanged/v1']],
  ['a booking that is completed', BOOKED, { status: 'Completed' }, ['Listing.StatusChanged/v1']],
  ['a truck that moves', BOOKED, { transitStatus: 'PickedUp' }, ['Shipment.TransitStatusChanged/v1']],
  ['another price', BOOKED, { totalCost: usd(101) }, ['Listing.PriceDetailsUpdated/v1']],
  [
    'the same price in another currency',
    BOOKED,
    { totalCost: { minorUnits: 100, currency: 'CAD' } },
    ['Listing.PriceDetailsUpdated/v1'],
  ],
  [
    'a new number',
    BOOKED,
    {
      referenceNumbers: [
        ...BOOKED.referenceNumbers,
        { number: '7', type: 'ThirdPartyTracking', label: null },
      ],
    },
    ['Listing.ReferenceNumberAdded/v1'],
  ],
  ['another payment status', BOOKED, { paymentStatus: 'Paid' }, ['none']],
])('%s should have been reported by %j', (_what, before, change, types) => {
  expect(missedEventTypes(before, { ...before, ...change })).toEqual(types);
});
