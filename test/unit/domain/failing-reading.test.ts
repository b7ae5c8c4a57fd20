import { expect, test } from '@jest/globals';
import { failedAgain, type FailingReading } from '../../../src/domain/failing-reading';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** @param minutes at which readings fail */
const after = (...minutes: readonly number[]): FailingReading | null =>
  minutes.reduce<FailingReading | null>(
    (before, at) => failedAgain(before, { listingId: '7', nowMs: at * MINUTE, toldAfterMs: HOUR }),
    null,
  );

test.each([
  [[10], 10],
  [[10, 40, 60, 90], 10],
  [[10, 41], 41],
  [[10, 40, 200, 230], 200],
])('readings that fail in the minutes %j fail since minute %i', (times, since) => {
  const lastMs = (times.at(-1) ?? 0) * MINUTE;
  expect(after(...times)).toEqual({ listingId: '7', sinceMs: since * MINUTE, lastMs });
});

test('another listing starts a new time', () => {
  const other = failedAgain(after(10), { listingId: '8', nowMs: 20, toldAfterMs: HOUR });
  expect(other).toEqual({ listingId: '8', sinceMs: 20, lastMs: 20 });
});

test('a limit shorter than two readings does not start a new time', () => {
  const first = failedAgain(null, { listingId: '7', nowMs: 0, toldAfterMs: 4_000 });
  expect(failedAgain(first, { listingId: '7', nowMs: 60_000, toldAfterMs: 4_000 }).sinceMs).toBe(0);
});
