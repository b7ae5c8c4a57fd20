import { expect, test } from '@jest/globals';
import { phaseOf } from '../../../board/phases';
import { placeOf } from '../../../board/place';
import { priceSteps } from '../../../board/prices';
import { isWorthRepeating, ApiProblem, NoAnswer, query } from '../../../board/api';
import { initialState, type ShipmentState } from '../../../src/domain/shipment-state';
import { aRate, aStop, anLtlShipment } from '../../support/builders';

const usd = (minorUnits: number) => ({ minorUnits, currency: 'USD' });
const address = aStop().address;
const AREAS = { '787': [30.27, -97.74] as const };

test.each([
  [address, { latitude: 30.27, longitude: -97.74, isRough: true }],
  [
    { ...address, latitude: 30.1, longitude: -97.5 },
    { latitude: 30.1, longitude: -97.5, isRough: false },
  ],
  [{ ...address, postalCode: '000' }, null],
  [{ ...address, country: 'CA', postalCode: '787 0A1' }, null],
])('the place of %j is %j', (where, place) => {
  expect(placeOf(where, AREAS)).toEqual(place);
});

test('the prices of an LTL order go from the rate to the correction, each compared with the one before', () => {
  const state: ShipmentState = {
    ...initialState(anLtlShipment()),
    at: { phase: 'inTransit', listingId: '7' },
    bookedAt: '2035-03-02T00:00:00Z',
    acceptedPrice: usd(50_000),
    rateDecision: {
      ...{ decidedAt: '2035-03-01T00:00:00Z', rule: 'cheapest', losses: [] },
      chosen: aRate({ rateId: 'r1' }),
    },
    listing: { totalCost: usd(56_250), lastUpdatedOn: '2035-03-08T00:00:00Z' } as ShipmentState['listing'],
  };
  expect(priceSteps(state).map(({ price, at, change }) => [price, at, change])).toEqual([
    ['USD 500.00', '2035-03-01T00:00:00Z', null],
    ['USD 500.00', '2035-03-02T00:00:00Z', 'unchanged'],
    ['USD 562.50', '2035-03-08T00:00:00Z', '+12.5 %'],
  ]);
});

test('a price in another currency is not compared, and without a price there is no step', () => {
  const before = initialState(anLtlShipment());
  expect(priceSteps(before)).toEqual([]);
  const state = {
    ...before,
    fixedPrice: { total: usd(10_000) } as ShipmentState['fixedPrice'],
    listing: { totalCost: { minorUnits: 9_000, currency: 'CAD' } } as ShipmentState['listing'],
  };
  expect(priceSteps(state).map(({ change }) => change)).toEqual([null, null]);
});

test.each([
  ['RUNNING', 'inTransit', 'in transit'],
  ['RUNNING', 'accountPause', 'accountPause'],
  ['COMPLETED', 'cancelled', 'cancelled'],
  ['TIMED_OUT', 'booked', 'timed out'],
  ['RUNNING', null, 'running'],
])('a shipment that is %s in %s is shown as %s', (status, phase, words) => {
  expect(phaseOf({ status, phase })).toBe(words);
});

test.each([
  [new NoAnswer('x'), true],
  [new ApiProblem({ status: 503, code: 'noWorker', title: '', detail: '' }), true],
  [new ApiProblem({ status: 409, code: 'refused', title: '', detail: '' }), false],
  [new ApiProblem({ status: 401, code: 'unauthorized', title: '', detail: '' }), false],
  [new TypeError('a fault of the board'), false],
])('%s is worth repeating: %s', (error, isWorth) => {
  expect(isWorthRepeating(error)).toBe(isWorth);
});

test('a query has only the values that are set, and quotes them', () => {
  expect(query({ a: undefined, b: '', c: 'PO 88/1&x' })).toBe('?c=PO+88%2F1%26x');
  expect(query({})).toBe('');
});
