import { expect, test } from '@jest/globals';
import { parseReadings, withKey } from '../../../src/domain/known-reading';
import { keepReading, proofOf, standingListings } from '../../../src/domain/order-listings';
import { enterPhase, initialState, switchListing } from '../../../src/domain/shipment-state';
import { aFurnitureShipment, aListing, aStray } from '../../support/builders';

const read = (listingId: string, readBy: string) => aListing({ listingId, readBy });
const FOLLOWED = enterPhase(initialState(aFurnitureShipment()), { phase: 'booked', listingId: '1' });
const ORDER = { ...FOLLOWED, strays: [aStray('2', 'Active')], earlierListingIds: ['3'] };

test('who reads the listings of an order is kept, and of no other one', () => {
  const readings = ['1', '2', '3', '4'].map((listingId) => read(listingId, 'aaaaaaaa'));
  const state = [...readings, read('1', 'bbbbbbbb'), read('1', 'aaaaaaaa')].reduce(keepReading, ORDER);
  expect(proofOf(state, '1')).toEqual({
    readBy: ['aaaaaaaa', 'bbbbbbbb'],
    witnesses: [
      { listingId: '2', readBy: ['aaaaaaaa'] },
      { listingId: '3', readBy: ['aaaaaaaa'] },
    ],
  });
  expect(state.readings.some(({ listingId }) => listingId === '4')).toBe(false);
  expect(switchListing(state, '1', { to: '2' }).readings).toEqual(state.readings);
});

test('of a listing only the keys that read it last are kept', () => {
  const keys = ['a', 'b', 'c', 'd', 'e'];
  expect(keys.reduce(withKey, [] as readonly string[])).toEqual(['b', 'c', 'd', 'e']);
});

test('what was taken down stands no more, and tells last whose key has read it', () => {
  const state = ['1', '2', '3'].map((listingId) => read(listingId, 'aaaaaaaa')).reduce(keepReading, ORDER);
  const gone = { ...state, believedGone: ['2'] };
  expect(standingListings(gone).map(({ listingId }) => listingId)).toEqual(['1', '3']);
  expect(proofOf(gone, '1').witnesses?.map(({ listingId }) => listingId)).toEqual(['3', '2']);
  expect(keepReading(gone, read('2', 'aaaaaaaa')).believedGone).toEqual([]);
});

test.each([
  [undefined, []],
  ['1', []],
  [[null, '1', { listingId: 1, readBy: [] }, { listingId: '1' }], []],
  [[{ listingId: '1', readBy: ['a', 2] }], [{ listingId: '1', readBy: ['a'] }]],
])('the memo %j names the readings %j', (memo, readings) => {
  expect(parseReadings(memo)).toEqual(readings);
});
