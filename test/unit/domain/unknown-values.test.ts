import { expect, test } from '@jest/globals';
import { initialState, type ShipmentState } from '../../../src/domain/shipment-state';
import {
  countUnknownOfListing,
  countUnknownOfRates,
  countUnknownOfTracking,
} from '../../../src/domain/unknown-values';
import { anLtlShipment, aListing, aRate } from '../../support/builders';

const AT = '2035-03-06T12:00:00.000Z';
const fresh = initialState(anLtlShipment());
const told = ({ timeline }: ShipmentState) => timeline.map(({ what }) => what);
const trackingOf = (...statuses: readonly string[]) => ({
  statuses: statuses.map((status) => ({ status, setAt: null })),
  ...{ lastKnownPlace: null, latitude: null, longitude: null },
  ...{ summary: null, carrierContact: null },
});

test('values that are known, or absent, are not counted', () => {
  const known = aListing({
    paymentStatus: 'Paid',
    cancellationStatus: 'Cancelled',
    transitStatus: 'PickedUp',
  });
  expect(countUnknownOfListing(fresh, known, AT)).toBe(fresh);
  const bare = aRate({ rateId: 'a', serviceType: null, transportMode: null, vehicleType: null });
  expect(countUnknownOfRates(fresh, [aRate({ rateId: 'b' }), bare], AT)).toBe(fresh);
  expect(countUnknownOfTracking(fresh, trackingOf('Booked', 'Delivered'), AT)).toBe(fresh);
});

test('payment and cancellation statuses of a listing are counted by reading, and reported once', () => {
  const odd = aListing({ paymentStatus: 'Disputed', cancellationStatus: 'Requested' });
  const state = countUnknownOfListing(countUnknownOfListing(fresh, odd, AT), odd, AT);
  expect(state.unknownValues).toEqual([
    { value: 'payment status Disputed', times: 2 },
    { value: 'cancellation status Requested', times: 2 },
  ]);
  expect(told(state)).toEqual([
    'the marketplace shows the unknown payment status Disputed',
    'the marketplace shows the unknown cancellation status Requested',
  ]);
});

test('service, mode and vehicle of rates are counted once for each list of rates', () => {
  const odd = { serviceType: 'Drone', transportMode: 'Air', vehicleType: 'Balloon' };
  const rates = [aRate({ rateId: 'a', ...odd }), aRate({ rateId: 'b', serviceType: 'Drone' })];
  expect(countUnknownOfRates(fresh, rates, AT).unknownValues).toEqual([
    { value: 'service type Drone', times: 1 },
    { value: 'transport mode Air', times: 1 },
    { value: 'vehicle type Balloon', times: 1 },
  ]);
});

test('statuses of the tracking are counted', () => {
  const tracking = trackingOf('Dispatched', 'AtTerminal', 'AtTerminal');
  expect(countUnknownOfTracking(fresh, tracking, AT).unknownValues).toEqual([
    { value: 'tracking status AtTerminal', times: 1 },
  ]);
});

test('nonsense fills neither the state nor the timeline', () => {
  const many = trackingOf(...Array.from({ length: 200 }, (_, number) => `${number} ${'x'.repeat(500)}`));
  const state = countUnknownOfTracking(fresh, many, AT);
  expect(state.unknownValues).toHaveLength(50);
  expect(state.timeline).toHaveLength(50);
  expect(Math.max(...state.unknownValues.map(({ value }) => value.length))).toBeLessThan(80);
});
