import { expect, test } from '@jest/globals';
import { compareTracking, markOf, type Tracking } from '../../../src/domain/tracking';

const reading = (over: Partial<Tracking> = {}): Tracking => ({
  statuses: [{ status: 'PickedUp', setAt: null }],
  ...{ lastKnownPlace: 'Waco, TX', latitude: 31.5, longitude: -97.1 },
  ...{ summary: null, carrierContact: null },
  ...over,
});
const known = markOf(reading(), null);

test.each([{ latitude: 31.6 }, { longitude: -97.2 }, { latitude: null, longitude: null }])(
  'a new position without other news counts as a position: %j',
  (over) => {
    expect(compareTracking(known, reading(over))).toBe('position');
  },
);

test.each([{ latitude: 31.50001 }, { longitude: -97.0951 }, { latitude: 31.4953, longitude: -97.1048 }])(
  'a parked truck, whose position varies slightly, has not moved: %j',
  (over) => {
    expect(compareTracking(known, reading(over))).toBe('none');
  },
);

test.each([
  { lastKnownPlace: 'Temple, TX', latitude: 31.1 },
  { statuses: [...reading().statuses, { status: 'Delivered', setAt: null }], latitude: 30 },
  { statuses: [{ status: 'Delayed', setAt: null }] },
])('another place or status is news, wherever the truck is: %j', (over) => {
  expect(compareTracking(known, reading(over))).toBe('news');
});

test('a reading without a place, or with only undocumented differences, is no news', () => {
  expect(compareTracking(known, reading({ lastKnownPlace: null }))).toBe('none');
  expect(compareTracking(known, reading({ summary: { a: 1 }, carrierContact: { b: 2 } }))).toBe('none');
});

test('a place that is named again after readings without one is no news', () => {
  const between = reading({ lastKnownPlace: null });
  expect(compareTracking(markOf(between, 'Waco, TX'), reading())).toBe('none');
  expect(compareTracking(markOf(between, null), reading())).toBe('news');
});
