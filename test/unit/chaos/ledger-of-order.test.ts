import { describe, expect, test } from '@jest/globals';
import { ledgerOfOrder, strangersOf } from '../../../chaos/ledger-of-order';
import type { Ledger, LedgerAcceptance, LedgerListing, OrderLedger } from '../../../sandbox';

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
const NOTHING_KNOWN = {
  reported: new Set<number>(),
  named: new Set<string>(),
  since: new Map<number, string>(),
};
const EVENTS_ARRIVED = { ...NOTHING_KNOWN, reported: new Set([71, 72, 73]) };
const order = (over: Partial<OrderLedger>): OrderLedger =>
  ({
    listings: [],
    acceptances: [],
    mostLiveBookings: 0,
    liveTogether: [],
    ...over,
  }) as unknown as OrderLedger;

test('a listing is live, delivered, or open, and none of it once it is deleted or its booking ended', () => {
  const gone = { status: 'Active', isLiveBooking: false };
  const listings = [
    listing(1, {}),
    listing(2, { status: 'Completed', transitStatus: 'Delivered' }),
    listing(3, gone),
    listing(4, { ...gone, isDeleted: true }),
    listing(5, { ...gone, status: 'Expired', transitStatus: 'Delivered' }),
  ];
  expect(ledgerOfOrder(order({ listings, mostLiveBookings: 2 }), NOTHING_KNOWN)).toMatchObject({
    ...{ live: ['1', '2'], delivered: ['2'], open: ['3'], mostLiveBookings: 2 },
  });
});

test('acceptances are counted that may still be booked, and those that were after they had failed', () => {
  const acceptances = [
    acceptance('e-1', { mayStillBook: true }),
    acceptance('e-2', { bookedAfterFailing: true, listingId: 71 }),
    acceptance('e-3', {}),
  ];
  expect(ledgerOfOrder(order({ acceptances }), NOTHING_KNOWN)).toMatchObject({
    ...{ openAcceptances: ['e-1'], bookedAfterFailing: 1 },
  });
});

test('of an order that the marketplace never heard of there is nothing', () => {
  expect(ledgerOfOrder(undefined, NOTHING_KNOWN)).toEqual({
    ...{ live: [], delivered: [], open: [], openAcceptances: [] },
    ...{ mostLiveBookings: 0, mostForeseen: 0, bookedAfterFailing: 0, unknowable: 0 },
  });
});

test('a listing that is on the market again after its booking ended counts, whatever the events told', () => {
  const over = { status: 'Active', isLiveBooking: false, createdBy: 'acceptance', wasBooked: true } as const;
  expect(ledgerOfOrder(order({ listings: [listing(7, over)] }), NOTHING_KNOWN).open).toEqual(['7']);
});

test.each(['hand', 'acceptance'] as const)(
  'a listing on the market that came by %s is held against the order only when an event told of it',
  (createdBy) => {
    const entry = order({ listings: [listing(7, { status: 'Active', isLiveBooking: false, createdBy })] });
    expect([
      ledgerOfOrder(entry, NOTHING_KNOWN).open,
      ledgerOfOrder(entry, { ...NOTHING_KNOWN, reported: new Set([7]) }).open,
    ]).toEqual([[], ['7']]);
  },
);

test.each([
  ['the late one and another', [[71, 72]], 1],
  ['two others, and the late one never', [[72, 73]], 2],
  ['the late one and two others', [[71, 72, 73]], 2],
  [
    'the late one and each of two others, one after the other',
    [
      [71, 72],
      [71, 73],
    ],
    1,
  ],
  ['none', [], 1],
])('where %s were live together, the late one is not counted', (_, liveTogether, most) => {
  const acceptances = [
    acceptance('e-1', { bookedAfterFailing: true, listingId: 71 }),
    acceptance('e-2', { listingId: 72 }),
  ];
  const mostLiveBookings = Math.max(1, ...liveTogether.map(({ length }) => length));
  const entry = order({ acceptances, liveTogether, mostLiveBookings });
  expect(ledgerOfOrder(entry, EVENTS_ARRIVED).mostForeseen).toBe(most);
});

test.each([
  ['before the other rate was accepted, was to be foreseen', '2026-11-28T10:00:00.000Z', 2],
  ['only after that, could not be', '2026-11-28T10:00:02.000Z', 1],
])('a listing of a failed acceptance that the order knew %s', (_, knownOn, most) => {
  const acceptances = [
    acceptance('e-1', { bookedAfterFailing: true, listingId: 71, acceptedOn: '2026-11-28T09:59:00.000Z' }),
    acceptance('e-2', { listingId: 72, acceptedOn: '2026-11-28T10:00:01.000Z' }),
  ];
  const entry = order({ acceptances, liveTogether: [[71, 72]], mostLiveBookings: 2 });
  const known = { ...EVENTS_ARRIVED, since: new Map([[71, knownOn]]) };
  expect(ledgerOfOrder(entry, known).mostForeseen).toBe(most);
});

describe('a booking after its acceptance was reported as failed', () => {
  const listings = [listing(71, { createdBy: 'acceptance' }), listing(72, { createdBy: 'acceptance' })];
  const entry = (bookedAfterFailing: boolean): OrderLedger =>
    order({
      ...{ listings, liveTogether: [[71, 72]], mostLiveBookings: 2 },
      acceptances: [
        acceptance('e-1', { bookedAfterFailing, listingId: 71 }),
        acceptance('e-2', { listingId: 72 }),
      ],
    });
  const heldAgainst = { live: ['71', '72'], mostLiveBookings: 2, unknowable: 0 };

  test('is not held against the order when no event about it arrived: nobody can know it', () => {
    expect(ledgerOfOrder(entry(true), NOTHING_KNOWN)).toMatchObject({
      ...{ live: ['72'], mostLiveBookings: 1, mostForeseen: 1, bookedAfterFailing: 1, unknowable: 1 },
    });
  });

  test.each([
    ['an event about it arrived', entry(true), { ...NOTHING_KNOWN, reported: new Set([71]) }],
    ['the order names it', entry(true), { ...NOTHING_KNOWN, named: new Set(['71']) }],
    ['its acceptance was never reported as failed', entry(false), NOTHING_KNOWN],
  ])('is held against it when %s', (_, of, known) => {
    expect(ledgerOfOrder(of, known)).toMatchObject(heldAgainst);
  });
});

test('what we made without a reference, or for no order of the run, belongs to nobody; not what people post', () => {
  const listings = [
    listing(1, { createdBy: 'createListing' }),
    listing(2, { createdBy: 'hand' }),
    listing(3, { createdBy: 'acceptance', status: 'Active' }),
    listing(4, { createdBy: 'createListing', isDeleted: true }),
  ];
  const acceptances = [acceptance('e-1', { mayStillBook: true }), acceptance('e-2', {})];
  const ledger = {
    orders: {
      'acme/C-1': order({ reference: 'acme/C-1', listings }),
      'acme/C-9': order({ reference: 'acme/C-9', acceptances }),
    },
    unreferenced: order({ reference: '', listings }),
  } as unknown as Ledger;
  expect(strangersOf(ledger, new Set(['acme/C-1']))).toEqual([
    { reference: '', what: 'listing 1 (Booked)' },
    { reference: '', what: 'listing 3 (Active)' },
    { reference: 'acme/C-9', what: 'acceptance e-1' },
  ]);
});
