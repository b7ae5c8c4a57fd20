import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ListingRecord } from '../../../src/domain/listing';
import { applyListing, hasEnded, listingStanding, seenOf } from '../../../src/domain/listing-progress';
import {
  enterPhase,
  initialState,
  switchListing,
  type ShipmentState,
} from '../../../src/domain/shipment-state';
import { aFurnitureShipment, aListing } from '../../support/builders';

const AT = '2035-03-06T12:00:00.000Z';
const awaiting: ShipmentState = enterPhase(initialState(aFurnitureShipment()), {
  phase: 'awaitingBooking',
  unverified: null,
  listingId: '273679133',
});
const LIFE: readonly ListingRecord[] = [
  aListing(),
  aListing({ status: 'Booked' }),
  aListing({ status: 'Booked', transitStatus: 'ReadyForDispatch' }),
  aListing({ status: 'Booked', transitStatus: 'Dispatched' }),
  aListing({ status: 'Booked', transitStatus: 'PickedUp' }),
  aListing({ status: 'Completed', transitStatus: 'Delivered' }),
];
const PAPERS: Pick<ShipmentState, 'billOfLading' | 'contacts'> = {
  billOfLading: 'unavailable',
  contacts: 'unavailable',
};
const take = (records: readonly ListingRecord[]): ShipmentState =>
  records.reduce((state, record) => applyListing(state, record, AT), awaiting);

describe('the progress of a listing', () => {
  test('readings in their order lead from awaiting a booking to delivered', () => {
    const phases = LIFE.map((_, index) => take(LIFE.slice(0, index + 1)).at.phase);
    expect(phases).toEqual(['awaitingBooking', 'booked', 'booked', 'booked', 'inTransit', 'delivered']);
  });

  test('every order of the same readings ends delivered', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...LIFE], { minLength: LIFE.length }), (records) => {
        const end = take(records);
        expect(end.at.phase).toBe('delivered');
        expect(end.listing?.transitStatus).toBe('Delivered');
      }),
    );
  });

  test('a reading that is taken twice changes nothing but the time', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...LIFE], { minLength: 1 }), (records) => {
        const last = records.at(-1);
        const once = take(records);
        const twice = last === undefined ? once : applyListing(once, last, AT);
        expect(twice).toEqual(once);
      }),
    );
  });

  test('an unknown status is kept, counted, reported once, and stops nothing', () => {
    const odd = aListing({ status: 'Pondering', transitStatus: 'Levitating' });
    const state = applyListing(take([odd, odd]), aListing({ status: 'Booked' }), AT);
    expect(state.unknownValues).toEqual([
      { value: 'status Pondering', times: 2 },
      { value: 'transit status Levitating', times: 2 },
    ]);
    expect(state.timeline.filter(({ what }) => what.includes('unknown'))).toHaveLength(2);
    expect(state.at.phase).toBe('booked');
    expect(listingStanding(odd)).toBe('unknown');
  });

  test('a listing that expired before its booking has ended, and is open again when it is Active again', () => {
    const expired = take([aListing({ status: 'Expired' })]);
    expect(hasEnded(expired)).toBe(true);
    expect(hasEnded(applyListing(expired, aListing(), AT))).toBe(false);
  });

  test('a booking that reads Active again is gone', () => {
    expect(hasEnded(take([aListing({ status: 'Booked' }), aListing({ status: 'Active' })]))).toBe(true);
  });

  describe('a booking that another carrier takes over', () => {
    const of = (userId: string, billOfLadingNumber: string | null) =>
      aListing({ status: 'Booked', carrier: { userId, displayName: userId }, billOfLadingNumber });
    const LATER = '2035-03-07T12:00:00.000Z';
    const withPapers: ShipmentState = { ...take([of('a', '1')]), ...PAPERS };

    test.each([
      ['the market in between', [aListing({ status: 'Active' }), of('b', '2')]],
      ['nothing in between', [of('b', '2')]],
      [
        'a cancellation, with the same carrier',
        [aListing({ ...of('a', '1'), status: 'Cancelled' }), of('a', '2')],
      ],
    ])('and that was read with %s, needs new papers', (_, records) => {
      const state = records.reduce((before, record) => applyListing(before, record, LATER), withPapers);
      expect(state).toMatchObject({
        at: { phase: 'booked' },
        bookedAt: LATER,
        billOfLading: null,
        contacts: null,
      });
      expect(state.timeline.filter(({ what }) => what.startsWith('booked anew with'))).toHaveLength(1);
    });

    test('is on the market without any paper until then', () => {
      const state = applyListing(withPapers, aListing({ status: 'Active' }), LATER);
      expect(state).toMatchObject({ bookedAt: null, billOfLading: null, contacts: null });
    });

    test.each([
      ['is held up', aListing({ ...of('a', '1'), status: 'OnHold' })],
      ['does not name its carrier for once', aListing({ status: 'Booked' })],
      ['ended', aListing({ ...of('a', '1'), status: 'Cancelled' })],
    ])('is not assumed when the same booking %s', (_, record) => {
      const state = [record, of('a', '1')].reduce(
        (before, one) => applyListing(before, one, LATER),
        withPapers,
      );
      expect(state).toMatchObject({ ...PAPERS, bookedAt: AT });
    });
  });

  test('a price that is corrected after delivery is a notice', () => {
    const cost = (minorUnits: number) => ({ totalCost: { minorUnits, currency: 'USD' } });
    const done = { status: 'Completed', transitStatus: 'Delivered' };
    const state = take([aListing({ ...done, ...cost(50_000) }), aListing({ ...done, ...cost(57_550) })]);
    expect(state.notices).toEqual([
      'price corrected from USD 500.00 to USD 575.50 after delivery; it can be disputed for 72 business hours',
    ]);
  });

  test('the last fingerprint belongs to the followed listing, and to no earlier one', () => {
    const seen = { ...take([aListing()]), seenFingerprint: 'as it was seen' };
    expect(seenOf(awaiting)).toBeNull();
    expect(seenOf(seen)).toBe('as it was seen');
    expect(seenOf(switchListing(seen, { to: '273679134' }))).toBeNull();
  });
});

test.each([
  ['in transit', LIFE.slice(0, 5)],
  ['booked', LIFE.slice(0, 2)],
  ['delivered', LIFE],
])('a price that is corrected in a reading that shows the delivery, after %s, is a notice', (_, before) => {
  const totalCost = { minorUnits: 99_900, currency: 'USD' };
  const priced = before.map((record) => ({ ...record, totalCost: { minorUnits: 50_000, currency: 'USD' } }));
  const delivered = aListing({ status: 'Completed', transitStatus: 'Delivered', totalCost });
  const { notices } = applyListing(take(priced), delivered, AT);
  expect(notices).toEqual([expect.stringContaining('it can be disputed for 72 business hours')]);
});

test.each([
  ['between 2035-03-09 and 2035-03-12', { earliestOn: '2035-03-09', latestOn: '2035-03-12' }],
  ['on 2035-03-11', { earliestOn: '2035-03-11', latestOn: '2035-03-11' }],
  ['by 2035-03-12', { earliestOn: null, latestOn: '2035-03-12' }],
  ['from 2035-03-09 on', { earliestOn: '2035-03-09', latestOn: null }],
])('a delivery that is %s from one reading on is noted once', (words, deliveryWindow) => {
  const asked = aListing({ deliveryWindow: { earliestOn: null, latestOn: '2035-03-10' } });
  const changed = { ...asked, deliveryWindow };
  const silent = { ...asked, deliveryWindow: null };
  const lines = take([asked, asked, changed, silent, changed]).timeline.map(({ what }) => what);
  expect(lines.filter((what) => what.includes('delivery'))).toEqual([`the delivery is ${words} now`]);
});
