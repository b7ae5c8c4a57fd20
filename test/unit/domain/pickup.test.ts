import { expect, test } from '@jest/globals';
import { DEFAULT_POLICY } from '../../../src/domain/default-policy';
import { isPickupPast, missedPickup } from '../../../src/domain/pickup';
import { anLtlShipment, aStop } from '../../support/builders';

/** 2035-03-06 is a Tuesday. */
const pickup = { type: 'on', earliest: '2035-03-06', latest: '2035-03-06' } as const;
const shipment = (timeZone: string) => anLtlShipment({ pickup, origin: aStop({ timeZone }) });

test.each<[string, string, string, number | null, string | null]>([
  ['a day before', 'UTC', '2035-03-05T23:59:59Z', null, null],
  ['on its day', 'UTC', '2035-03-06T00:00:00Z', null, '2035-03-07'],
  ['while it is still yesterday at the stop', 'America/Chicago', '2035-03-06T05:59:59Z', null, null],
  ['on its day at the stop', 'America/Chicago', '2035-03-06T06:00:00Z', null, '2035-03-07'],
  ['before the cut-off hour of the day before', 'UTC', '2035-03-05T14:59:59Z', 15, null],
  ['from the cut-off hour of the day before on', 'UTC', '2035-03-05T15:00:00Z', 15, '2035-03-07'],
  ['on a Friday', 'UTC', '2035-03-09T12:00:00Z', null, '2035-03-12'],
])(
  'a pickup that is checked %s in %s (%s, cut-off %p) is missed: %p',
  (_, zone, now, cutOffHour, possible) => {
    const missed = missedPickup(shipment(zone), now, { ...DEFAULT_POLICY.pickup, cutOffHour });
    expect(missed?.possible ?? null).toBe(possible);
  },
);

test('the next possible day is not a closed day', () => {
  const policy = { ...DEFAULT_POLICY.pickup, closedDays: ['2035-03-07', '2035-03-08'] };
  expect(missedPickup(shipment('UTC'), '2035-03-06T08:00:00Z', policy)).toEqual({
    day: '2035-03-06',
    possible: '2035-03-09',
  });
});

test.each<[string, string, string, string]>([
  ['Independence Day', 'US', '2035-07-04', '2035-07-05'],
  ['Thanksgiving', 'US', '2035-11-22', '2035-11-23'],
  ['Good Friday and a weekend', 'CA', '2035-03-23', '2035-03-26'],
  ['Canada Day on a Sunday', 'CA', '2035-07-02', '2035-07-03'],
])('the next business day is not %s (%s)', (_, country, day, possible) => {
  const address = { ...aStop().address, country };
  const before = new Date(Date.parse(day) - 36 * 3_600_000).toISOString().slice(0, 10);
  const late = anLtlShipment({
    pickup: { type: 'on', earliest: before, latest: before },
    origin: aStop({ timeZone: 'UTC', address }),
  });
  const now = new Date(Date.parse(day) - 12 * 3_600_000).toISOString();
  expect(missedPickup(late, now, DEFAULT_POLICY.pickup)?.possible).toBe(possible);
});

test('a pickup day is past when it is over in every zone', () => {
  expect(isPickupPast(shipment('UTC'), '2035-03-07T11:59:58Z')).toBe(false);
  expect(isPickupPast(shipment('UTC'), '2035-03-07T12:00:00Z')).toBe(true);
});

test('a carrier has longer than a business day before its acceptance is in doubt', () => {
  expect(DEFAULT_POLICY.acceptance.windowMs).toBeGreaterThan(26 * 3_600_000);
});
