import { expect, test } from '@jest/globals';
import { LIST_LIMITS } from '../../../src/domain/bounds';
import { knowSecond, secondDelivered } from '../../../src/domain/second-listings';
import { enterPhase, initialState } from '../../../src/domain/shipment-state';
import { aFurnitureShipment } from '../../support/builders';

const fresh = initialState(aFurnitureShipment());
const [EARLY, LATE] = ['2035-03-01T10:00:00.000Z', '2035-03-02T10:00:00.000Z'];

test('a second listing is known since it was told of first, in whichever phase the order is', () => {
  const known = knowSecond(knowSecond(fresh, '8', EARLY), '8', LATE);
  expect(enterPhase(known, { phase: 'settled', listingId: '7' }).secondListings).toEqual([
    { listingId: '8', since: EARLY, isDelivered: false },
  ]);
});

test.each([
  ['was known', knowSecond(fresh, '8', EARLY), EARLY],
  ['was not known', fresh, LATE],
  ['was delivered before', secondDelivered(fresh, '8', EARLY), EARLY],
])('one that %s is kept as delivered', (_, before, since) => {
  expect(secondDelivered(before, '8', LATE).secondListings).toEqual([
    { listingId: '8', since, isDelivered: true },
  ]);
});

test('however many there are, the newest are kept', () => {
  const ids = Array.from({ length: 500 }, (_, index) => String(index));
  const { secondListings } = ids.reduce((state, id) => knowSecond(state, id, EARLY), fresh);
  expect(secondListings).toHaveLength(LIST_LIMITS.secondListings.count);
  expect(secondListings.at(-1)?.listingId).toBe('499');
});
