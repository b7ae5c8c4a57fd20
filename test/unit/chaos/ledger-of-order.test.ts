import { expect, test } from '@jest/globals';
import { ledgerOfOrder } from '../../../src/chaos/ledger-of-order';
import type { LedgerAcceptance, LedgerListing, OrderLedger } from '../../../src/sandbox';

const listing = (listingId: number, over: Partial<LedgerListing>): LedgerListing =>
  ({
    listingId,
    status: 'Booked',
    isLiveBooking: true,
    isDeleted: false,
    transitStatus: null,
    createdBy: 'createListing',
    ...over,
  }) as LedgerListing;
const acceptance = (executionId: string, over: Partial<LedgerAcceptance>): LedgerAcceptance =>
  ({ executionId, mayStillBook: false, bookedAfterFailing: false, ...over }) as LedgerAcceptance;
const NOBODY_TOLD = new Set<number>();
const order = (over: Partial<OrderLedger>): OrderLedger =>
  ({ listings: [], acceptances: [], mostLiveBookings: 0, ...over }) as unknown as OrderLedger;

test('a listing is live, delivered, or open, and none of it once it is deleted or its booking ended', () => {
  const gone = { status: 'Active', isLiveBooking: false };
  const listings = [
    listing(1, {}),
    listing(2, { status: 'Completed', transitStatus: 'Delivered' }),
    listing(3, gone),
    listing(4, { ...gone, isDeleted: true }),
    listing(5, { ...gone, status: 'Expired', transitStatus: 'Delivered' }),
  ];
  expect(ledgerOfOrder(order({ listings, mostLiveBookings: 2 }), NOBODY_TOLD)).toMatchObject({
    ...{ live: ['1', '2'], delivered: ['2'], open: ['3'], mostLiveBookings: 2 },
  });
});

test('acceptances are counted that may still be booked, and those that were after they had failed', () => {
  const acceptances = [
    acceptance('e-1', { mayStillBook: true }),
    acceptance('e-2', { bookedAfterFailing: true }),
    acceptance('e-3', {}),
  ];
  expect(ledgerOfOrder(order({ acceptances }), NOBODY_TOLD)).toMatchObject({
    ...{ openAcceptances: ['e-1'], bookedAfterFailing: 1 },
  });
});

test('of an order that the marketplace never heard of there is nothing', () => {
  expect(ledgerOfOrder(undefined, NOBODY_TOLD)).toEqual({
    ...{ live: [], delivered: [], open: [], openAcceptances: [] },
    ...{ mostLiveBookings: 0, bookedAfterFailing: 0 },
  });
});

test('a listing that is on the market again after its booking ended counts, whatever the events told', () => {
  const over = { status: 'Active', isLiveBooking: false, createdBy: 'acceptance', wasBooked: true } as const;
  expect(ledgerOfOrder(order({ listings: [listing(7, over)] }), NOBODY_TOLD).open).toEqual(['7']);
});

test.each(['hand', 'acceptance'] as const)(
  'a listing on the market that came by %s is held against the order only when an event told of it',
  (createdBy) => {
    const entry = order({ listings: [listing(7, { status: 'Active', isLiveBooking: false, createdBy })] });
    expect([ledgerOfOrder(entry, NOBODY_TOLD).open, ledgerOfOrder(entry, new Set([7])).open]).toEqual([
      [],
      ['7'],
    ]);
  },
);
