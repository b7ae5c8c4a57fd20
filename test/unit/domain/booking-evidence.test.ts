import { expect, test } from '@jest/globals';
import { bookingEvidence, evidenceNotice } from '../../../src/domain/booking-evidence';
import type { ListingRecord } from '../../../src/domain/listing';
import type { ListingExtras } from '../../../src/domain/listing-extras';
import { applyListing, hasEnded, listingStanding } from '../../../src/domain/listing-progress';
import { enterPhase, initialState } from '../../../src/domain/shipment-state';
import { aFurnitureShipment, aListing, NO_EXTRAS } from '../../support/builders';

const AT = '2035-03-06T12:00:00.000Z';
const BEFORE = '2035-03-01T12:00:00.000Z';
const carrier = { userId: 'c-1', displayName: 'Slow Freight' };
const awaiting = enterPhase(initialState(aFurnitureShipment()), {
  phase: 'awaitingBooking',
  unverified: null,
  listingId: '273679133',
});

const datedExtras = (dates: Partial<ListingExtras>): ListingExtras => ({ ...NO_EXTRAS, ...dates });

test.each<[string, Partial<ListingRecord>, string]>([
  ['a bookedOn date', { bookedOn: AT }, 'booked'],
  ['a carrier', { carrier }, 'booked'],
  ['a bill-of-lading number', { billOfLadingNumber: '77' }, 'booked'],
  ['a transit status', { transitStatus: 'Dispatched' }, 'booked'],
  ['a completedOn date', { completedOn: AT }, 'delivered'],
  ['a delivery', { transitStatus: 'Delivered' }, 'delivered'],
  ['nothing', {}, 'unknown'],
  ['a carrier that asks for the booking', { carrier, hasPendingBookingRequest: true }, 'unknown'],
  ['a cancellation', { bookedOn: AT, cancellationStatus: 'Cancelled' }, 'ended'],
  ['a cancelledOn date', { carrier, extras: datedExtras({ cancelledOn: AT }) }, 'ended'],
  [
    'a cancelledOn date after its booking',
    { bookedOn: BEFORE, extras: datedExtras({ cancelledOn: AT }) },
    'ended',
  ],
  [
    'a booking after its cancelledOn date',
    { bookedOn: AT, extras: datedExtras({ cancelledOn: BEFORE }) },
    'booked',
  ],
  ['an archivedOn date', { carrier, extras: datedExtras({ archivedOn: AT }) }, 'ended'],
  [
    'an archivedOn date after its delivery',
    { completedOn: BEFORE, extras: datedExtras({ archivedOn: AT }) },
    'delivered',
  ],
])('an unknown or absent status in addition to %s', (_, facts, standing) => {
  for (const status of ['Gebucht', '3', null]) {
    expect(listingStanding(aListing({ status, ...facts }))).toBe(standing);
  }
});

test.each([
  ['Active', 'open'],
  ['Saved', 'open'],
  ['Cancelled', 'ended'],
  ['Expired', 'lapsed'],
  ['Closed', 'ended'],
  ['Archived', 'ended'],
])('a known status wins over what an earlier booking left: %s is %s', (status, standing) => {
  const left = { carrier, bookedOn: BEFORE, billOfLadingNumber: '77' };
  const record = aListing({ status, ...left, witnesses: ['contacts', 'tracking', 'person'] });
  expect(listingStanding(record)).toBe(standing);
});

test.each([
  ['Delivered', 'delivered'],
  ['PickedUp', 'booked'],
  ['ReadyForDispatch', 'booked'],
])('transit progress also counts in the status field: %s is %s', (status, standing) => {
  expect(listingStanding(aListing({ status }))).toBe(standing);
});

test.each([[['contacts']], [['tracking']], [['bookedEvent', 'contacts']], [['person']]] as const)(
  'what other sources say about a booking is evidence too: %j',
  (witnesses) => {
    expect(listingStanding(aListing({ status: 'Gebucht', witnesses }))).toBe('booked');
  },
);

test('the strongest evidence is named first', () => {
  const record = aListing({ status: null, carrier, bookedOn: BEFORE, completedOn: AT });
  expect(bookingEvidence(record)).toEqual(['its completedOn date', 'its bookedOn date', 'its carrier']);
});

test('a booking that evidence shows counts, and a notice says why, once for each status', () => {
  const booked = aListing({ status: 'Gebucht', bookedOn: AT });
  const later = { ...booked, carrier, transitStatus: 'Delivered' };
  const state = [booked, booked, later].reduce(
    (before, record) => applyListing(before, record, AT),
    awaiting,
  );
  expect(state.at.phase).toBe('delivered');
  expect(state.notices).toEqual([
    'status "Gebucht" is unknown; taken as booked because of its bookedOn date',
  ]);
  const other = applyListing(state, { ...later, status: 'Geliefert' }, AT);
  expect(other.notices).toHaveLength(2);
  expect(other.toldStatuses).toEqual(['Gebucht', 'Geliefert']);
});

test('the notice says that a record has no status, and cuts a long status', () => {
  expect(evidenceNotice(aListing({ status: null, carrier }))).toBe(
    'the listing shows no status; taken as booked because of its carrier',
  );
  expect(evidenceNotice(aListing({ status: 'x'.repeat(5_000), carrier }))?.length).toBeLessThan(150);
});

test.each(['Booked', 'Active', 'Cancelled', 'Delivered'])(
  'the known status %s causes no notice',
  (status) => {
    expect(evidenceNotice(aListing({ status, carrier, bookedOn: AT }))).toBeNull();
  },
);

test('a listing that is Active again after its carrier gave up is not booked, whatever the booking left', () => {
  const booked = applyListing(awaiting, aListing({ status: 'Booked', bookedOn: BEFORE, carrier }), AT);
  const again = applyListing(booked, aListing({ status: 'Active', bookedOn: BEFORE, carrier }), AT);
  expect(hasEnded(again)).toBe(true);
  expect(again.notices).toEqual([]);
});
