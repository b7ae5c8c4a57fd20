import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_POLICY } from '../../../src/domain/default-policy';
import { spread } from '../../../src/domain/jitter';
import { delayAfter, type PollPace } from '../../../src/domain/policy';
import { sweepPaceOf } from '../../../src/domain/sweep-pace';

const DAY_MS = 86_400_000;
const state = (taken: number, repairs: number) => ({
  events: { taken, doubled: 0, quarantined: 0 },
  repairs,
});

/** When a listing is read that never changes, from its first reading on; milliseconds. */
function* readings(pace: PollPace, random: () => number): Generator<number> {
  for (let [at, tries] = [0, 0]; ; tries += 1) {
    yield at;
    at += spread(delayAfter(pace, tries), random());
  }
}

/** A fixed sequence that looks random, from 0 to 1. */
function seeded(seed: number): () => number {
  let last = seed;
  return () => {
    last = (last * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return last / 4_294_967_296;
  };
}

function within(times: Iterable<number>, endsAt: number): number[] {
  const found: number[] = [];
  for (const at of times) {
    if (at >= endsAt) break;
    found.push(at);
  }
  return found;
}

test('while webhooks arrive, a quiet shipment is read at most 12 times a day by the default policy', () => {
  const pace = sweepPaceOf(state(1, 0), DEFAULT_POLICY);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (seed) => {
      expect(within(readings(pace, seeded(seed)), DAY_MS).length).toBeLessThanOrEqual(12);
    }),
  );
});

test.each([
  ['no event came yet', state(0, 0)],
  ['a reading had to repair something', state(40, 1)],
  ['neither events nor peace', state(0, 3)],
])('where %s, the pace is that of the policy', (_why, shown) => {
  expect(sweepPaceOf(shown, DEFAULT_POLICY)).toEqual(DEFAULT_POLICY.sweepPace);
});

test.each([1, 2.5, 8])('while webhooks arrive the pace is %d times as slow', (sweepWidening) => {
  const policy = { sweepPace: { initialMs: 1_000, maximumMs: 3_000 }, sweepWidening };
  expect(sweepPaceOf(state(3, 0), policy)).toEqual({
    ...{ initialMs: 1_000 * sweepWidening, maximumMs: 3_000 * sweepWidening },
  });
});

test('sweeps that an outage brought together are spread again within two paces', () => {
  const [paceMs, sweeps, slots] = [600_000, 2_000, 20];
  const pace = { initialMs: paceMs, maximumMs: paceMs };
  for (const seed of [1, 13, 77]) {
    const random = seeded(seed);
    const all = Array.from({ length: sweeps }, () => within(readings(pace, random), 4 * paceMs)).flat();
    const counts = Array.from({ length: slots }, (_, slot) => {
      const from = 2 * paceMs + (slot * 2 * paceMs) / slots;
      return all.filter((at) => at >= from && at < from + (2 * paceMs) / slots).length;
    });
    const mean = counts.reduce((sum, count) => sum + count, 0) / slots;
    expect(Math.max(...counts) / mean).toBeLessThanOrEqual(3);
  }
});

test.each([1, 2, 40])(
  'the first repair after %d events restores the pace of that shipment at once, and further events keep it',
  (taken) => {
    const slow = sweepPaceOf(state(taken, 0), DEFAULT_POLICY);
    expect(slow.initialMs).toBeGreaterThan(DEFAULT_POLICY.sweepPace.initialMs);
    expect(sweepPaceOf(state(taken, 1), DEFAULT_POLICY)).toEqual(DEFAULT_POLICY.sweepPace);
    expect(sweepPaceOf(state(taken + 10, 1), DEFAULT_POLICY)).toEqual(DEFAULT_POLICY.sweepPace);
    // Another shipment, of which nothing was lost.
    expect(sweepPaceOf(state(taken, 0), DEFAULT_POLICY)).toEqual(slow);
  },
);
