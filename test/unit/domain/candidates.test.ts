import { expect, test } from '@jest/globals';
import { LIST_LIMITS } from '../../../src/domain/bounds';
import {
  candidateOf,
  hasTraces,
  keepReading,
  recordWitness,
  updateCandidate,
  recordSecond,
  proofOf,
  secondListings,
  standingListings,
  withWitnesses,
} from '../../../src/domain/candidates';
import { parseReadings, withKey } from '../../../src/domain/known-reading';
import { enterPhase, initialState, switchListing } from '../../../src/domain/shipment-state';
import { aBeside, aFurnitureShipment, aLeft, aListing } from '../../support/builders';

const fresh = initialState(aFurnitureShipment());
const read = (listingId: string, readBy: string) => aListing({ listingId, readBy });
const FOLLOWED = enterPhase(fresh, { phase: 'booked', listingId: '1' });
const ORDER = { ...FOLLOWED, candidates: [aLeft('3'), aBeside('2')] };

test("the keys that read the order's listings are kept, and no others", () => {
  const readings = ['1', '2', '3', '4'].map((listingId) => read(listingId, 'aaaaaaaa'));
  const state = [...readings, read('1', 'bbbbbbbb'), read('1', 'aaaaaaaa')].reduce(keepReading, ORDER);
  expect(proofOf(state, '1')).toEqual({
    readBy: ['aaaaaaaa', 'bbbbbbbb'],
    witnesses: [
      { listingId: '2', readBy: ['aaaaaaaa'] },
      { listingId: '3', readBy: ['aaaaaaaa'] },
    ],
  });
  expect(candidateOf(state, '4').readBy).toEqual([]);
  const switched = switchListing(state, { to: '2' });
  for (const id of ['1', '2', '3'])
    expect(candidateOf(switched, id).readBy).toEqual(candidateOf(state, id).readBy);
});

test('only the newest keys that read a listing are kept', () => {
  const keys = ['a', 'b', 'c', 'd', 'e'];
  expect(keys.reduce(withKey, [] as readonly string[])).toEqual(['b', 'c', 'd', 'e']);
});

test('a deleted listing no longer exists, and comes last as evidence of whose key has read it', () => {
  const state = ['1', '2', '3'].map((listingId) => read(listingId, 'aaaaaaaa')).reduce(keepReading, ORDER);
  const gone = updateCandidate(state, '2', { gone: 'believed' });
  expect(standingListings(gone).map(({ listingId }) => listingId)).toEqual(['1', '3']);
  expect(proofOf(gone, '1').witnesses?.map(({ listingId }) => listingId)).toEqual(['3', '2']);
  expect(candidateOf(keepReading(gone, read('2', 'aaaaaaaa')), '2').gone).toBeNull();
});

test('a followed listing may exist, although nothing else is known about it', () => {
  expect(standingListings(FOLLOWED)).toEqual([{ listingId: '1', readBy: [] }]);
});

test('of listings that are known only from claims of a booking, the last twenty are kept', () => {
  const ids = Array.from({ length: 100 }, (_, index) => String(index + 10));
  const state = ids.reduce((before, id) => recordWitness(before, id, 'bookedEvent'), ORDER);
  expect(state.candidates).toHaveLength(22);
  expect(withWitnesses(aListing({ listingId: '109' }), state).witnesses).toEqual(['bookedEvent']);
  expect(withWitnesses(aListing({ listingId: '10' }), state).witnesses).toBeUndefined();
  expect(hasTraces(recordWitness(fresh, '9', 'bookedEvent'))).toBe(false);
  expect(hasTraces(ORDER)).toBe(true);
});

const [EARLY, LATE] = ['2035-03-01T10:00:00.000Z', '2035-03-02T10:00:00.000Z'];
const told = (state: typeof fresh, since: string, isDelivered = false) =>
  recordSecond(state, '8', { since, isDelivered });

test('a second listing keeps the time of its first mention, in any phase of the order', () => {
  const known = told(told(fresh, EARLY), LATE);
  expect(
    secondListings(
      enterPhase(known, { phase: 'settled', listingId: '7', deliveredAt: '2035-03-09T08:00:00.000Z' }),
    ),
  ).toEqual([{ listingId: '8', since: EARLY, isDelivered: false }]);
});

test.each([
  ['was known', told(fresh, EARLY), EARLY],
  ['was not known', fresh, LATE],
  ['was delivered before', told(fresh, EARLY, true), EARLY],
])('a second listing that %s is kept as delivered', (_, before, since) => {
  expect(secondListings(told(told(before, LATE, true), LATE))).toEqual([
    { listingId: '8', since, isDelivered: true },
  ]);
});

test('of many second listings the newest are kept', () => {
  const ids = Array.from({ length: 500 }, (_, index) => String(index));
  const state = ids.reduce((before, id) => recordSecond(before, id, { since: EARLY }), fresh);
  expect(secondListings(state)).toHaveLength(LIST_LIMITS.secondListings.count);
  expect(secondListings(state).at(-1)?.listingId).toBe('499');
});

test.each([
  [undefined, []],
  ['1', []],
  [[null, '1', { listingId: 1, readBy: [] }, { listingId: '1' }], []],
  [[{ listingId: '1', readBy: ['a', 2] }], [{ listingId: '1', readBy: ['a'] }]],
])('the memo %j names the readings %j', (memo, readings) => {
  expect(parseReadings(memo)).toEqual(readings);
});
