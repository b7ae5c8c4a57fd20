import { describe, expect, test } from '@jest/globals';
import { endOfDay } from '../../../src/domain/calendar';
import { DEFAULT_POLICY } from '../../../src/domain/default-policy';
import { applyLateness, nextLateAt } from '../../../src/domain/lateness';
import { isReason, wantedQuestion } from '../../../src/domain/listing-question';
import type { ShipmentPolicy } from '../../../src/domain/policy';
import { enterPhase, initialState, type ShipmentState } from '../../../src/domain/shipment-state';
import { aFurnitureShipment, aListing, anLtlShipment, aRate } from '../../support/builders';

const shipment = {
  ...aFurnitureShipment(),
  pickup: { type: 'on', earliest: null, latest: '2035-03-08' } as const,
};
const LISTING = '273679133';
const at = (phase: 'awaitingBooking' | 'booked' | 'inTransit', facts: Partial<ShipmentState> = {}) => ({
  ...enterPhase(
    initialState(shipment),
    phase === 'awaitingBooking'
      ? { phase, listingId: LISTING, unverified: null }
      : { phase, listingId: LISTING },
  ),
  phaseSince: '2035-03-08T18:00:00.000Z',
  ...facts,
});
const moment = (now: string, lateness: Partial<ShipmentPolicy['lateness']> = {}) => ({
  shipment,
  now,
  policy: { lateness: { ...DEFAULT_POLICY.lateness, ...lateness } },
});
const PICKUP_ENDS = endOfDay('2035-03-08', shipment.origin.timeZone);
const hoursAfter = (hours: number): string =>
  new Date(Date.parse(PICKUP_ENDS) + hours * 3_600_000).toISOString();

describe('the end of a day', () => {
  test.each([
    ['America/Chicago', '2035-03-09T06:00:00.000Z'],
    ['America/St_Johns', '2035-03-09T03:30:00.000Z'],
    ['UTC', '2035-03-09T00:00:00.000Z'],
  ])('in %s is %s', (zone, end) => {
    expect(endOfDay('2035-03-08', zone)).toBe(end);
  });

  test('follows summer time', () => {
    expect(endOfDay('2035-07-08', 'America/Chicago')).toBe('2035-07-09T05:00:00.000Z');
  });
});

describe('a shipment', () => {
  test.each([
    ['awaitingBooking', -13, null],
    ['awaitingBooking', -12, 'unbooked'],
    ['booked', 11, null],
    ['booked', 12, 'notPickedUp'],
  ] as const)('in %s, %i hours after its last pickup day, is late with %s', (phase, hours, kind) => {
    expect(applyLateness(at(phase), moment(hoursAfter(hours))).late?.kind ?? null).toBe(kind);
  });

  test('in transit is late a day after the delivery day of the record, or else of the order', () => {
    const listing = aListing({ deliveryWindow: { earliestOn: null, latestOn: '2035-03-10' } });
    const heardAt = '2035-03-11T12:00:00.000Z';
    const byRecord = at('inTransit', { listing, heardAt });
    expect(applyLateness(byRecord, moment('2035-03-12T04:59:59.000Z')).late).toBeNull();
    expect(applyLateness(byRecord, moment('2035-03-12T07:00:00.000Z')).late?.kind).toBe('notDelivered');
  });

  test('in transit is late by the working days of its rate, when nothing else names a day', () => {
    const ltl = anLtlShipment();
    const onRoad = (deliveryDelayInDays: number | null): ShipmentState => ({
      ...enterPhase(initialState(ltl), { phase: 'inTransit', listingId: LISTING }),
      // A Thursday.
      ...{ pickedUpAt: '2035-03-08T20:00:00.000Z', heardAt: '2035-03-13T12:00:00.000Z' },
      rateDecision: {
        ...{ decidedAt: '2035-03-06T00:00:00.000Z', rule: 'cheapest', losses: [] },
        chosen: aRate({ rateId: 'r', deliveryDelayInDays }),
      },
    });
    const kindOn = (days: number | null, now: string) =>
      applyLateness(onRoad(days), { ...moment(now), shipment: ltl }).late?.kind ?? null;
    expect(kindOn(2, '2035-03-14T04:59:59.000Z')).toBeNull();
    expect(kindOn(2, '2035-03-14T06:00:00.000Z')).toBe('notDelivered');
    expect(kindOn(3, '2035-03-14T06:00:00.000Z')).toBeNull();
    expect(kindOn(null, '2035-03-14T06:00:00.000Z')).toBeNull();
    expect(kindOn(1_000_000_000, '2035-03-14T06:00:00.000Z')).toBeNull();
    expect(kindOn(-1, '2035-03-14T06:00:00.000Z')).toBeNull();
    const listing = aListing({ carrier: { userId: null, displayName: 'Another one' } });
    const ofAnother = { ...onRoad(2), listing };
    const now = { ...moment('2035-03-14T06:00:00.000Z'), shipment: ltl };
    expect(applyLateness(ofAnother, now).late).toBeNull();
  });

  test('in transit that was not heard of for four days is late with its silence', () => {
    const silent = at('inTransit', { heardAt: '2035-03-09T12:00:00.000Z' });
    const ltl = { ...moment('2035-03-13T12:00:00.000Z'), shipment: anLtlShipment() };
    expect(applyLateness(silent, ltl).late).toMatchObject({ kind: 'silent', isSeen: true });
    expect(applyLateness(silent, ltl).notices).toEqual([
      expect.stringContaining('nothing was heard of the truck'),
    ]);
    const heard = applyLateness({ ...applyLateness(silent, ltl), heardAt: ltl.now }, ltl);
    expect(heard.late).toBeNull();
  });

  test('reports each delay once, in the way that the policy says', () => {
    const now = moment(hoursAfter(20));
    const asked = applyLateness(at('booked'), now);
    expect(asked.late?.isSeen).toBe(false);
    expect(asked.notices).toEqual([]);
    expect(applyLateness(asked, now)).toBe(asked);
    const noted = applyLateness(at('booked'), moment(hoursAfter(20), { ask: [] }));
    expect(noted.late?.isSeen).toBe(true);
    expect(noted.notices).toHaveLength(1);
  });

  test('that moves on is no longer late', () => {
    const late = applyLateness(at('booked'), moment(hoursAfter(20)));
    const onTruck = enterPhase(late, { phase: 'inTransit', listingId: LISTING });
    expect(applyLateness({ ...onTruck, phaseSince: hoursAfter(20) }, moment(hoursAfter(20))).late).toBeNull();
  });

  test('is looked at again when it would be late with something next, and not for what it is late with', () => {
    expect(nextLateAt(at('awaitingBooking'), moment(hoursAfter(-24)))).toBe(hoursAfter(-12));
    expect(nextLateAt(at('awaitingBooking'), moment(hoursAfter(-12)))).toBeNull();
    expect(nextLateAt(initialState(shipment), moment(hoursAfter(-24)))).toBeNull();
  });

  test('is not asked about a delay while something decides about its booking', () => {
    const late = {
      ...at('booked'),
      late: { kind: 'notPickedUp', since: PICKUP_ENDS, isSeen: false } as const,
    };
    expect(wantedQuestion(late, false)).toBe('late');
    const ended = { ...late, listing: aListing({ status: 'Cancelled' }) };
    expect(wantedQuestion(ended, false)).toBe('listingEnded');
    expect(isReason(ended, 'late', false)).toBe(false);
  });
});
