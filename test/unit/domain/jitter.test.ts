import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sendAgainAfter, withJitter } from '../../../src/domain/jitter';

const pace = { initialMs: 1_000, maximumMs: 60_000 };

test('a delay is up to a quarter longer, and never shorter', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3_600_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (ms, random) => {
        const delay = withJitter(ms, random);
        expect(delay).toBeGreaterThanOrEqual(ms);
        expect(delay).toBeLessThanOrEqual(Math.round(ms * 1.25));
      },
    ),
  );
});

test.each([
  [0, null, 1_000, 1_250],
  [2, null, 4_000, 5_000],
  [99, null, 60_000, 75_000],
  [0, 30_000, 30_000, 37_500],
  [4, 2_000, 16_000, 20_000],
])(
  'a write that was not sent after %i tries, with a wait of %s ms, is sent again in %i to %i ms',
  (...row) => {
    const [tries, waitMs, least, most] = row;
    expect(sendAgainAfter({ pace, tries, waitMs, random: 0 })).toBe(least);
    expect(sendAgainAfter({ pace, tries, waitMs, random: 1 })).toBe(most);
  },
);

test('writes that an outage stopped do not come back together', () => {
  const randoms = Array.from({ length: 20 }, (_, index) => index / 20);
  const delays = randoms.map((random) => sendAgainAfter({ pace, tries: 0, waitMs: null, random }));
  expect(new Set(delays).size).toBe(20);
});
