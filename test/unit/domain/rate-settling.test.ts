import { expect, test } from '@jest/globals';
import { DEFAULT_POLICY } from '../../../src/domain/default-policy';
import { NOTHING_LEFT_OUT } from '../../../src/domain/left-out';
import {
  NOTHING_SEEN,
  areRatesSettled,
  judgeReading,
  MOST_LOOKS_AGAIN,
  type RatesSeen,
} from '../../../src/domain/rate-settling';
import { aRate } from '../../support/builders';

const RATES = ['a', 'b', 'c'].map((rateId) => aRate({ rateId }));
const policy = {
  ...DEFAULT_POLICY.rates,
  minimumWaitMs: 10_000,
  quietMs: 20_000,
  enough: 3,
  maximumWaitMs: 60_000,
};
const requestedAt = '2035-03-01T00:00:00.000Z';
const after = (seconds: number): string => new Date(Date.parse(requestedAt) + seconds * 1_000).toISOString();
const late = aRate({ rateId: 'd', createdAt: after(15) });

test.each([
  ['none yet', [], 30, false],
  ['enough, but too early', RATES, 5, false],
  ['enough', RATES, 10, true],
  ['one that has just come', [late], 20, false],
  ['one, and quiet since', [late], 35, true],
  ['none at the end of the wait', [], 60, true],
])('%s', (_, rates, seconds, settled) => {
  expect(areRatesSettled(rates, requestedAt, after(seconds), policy)).toBe(settled);
});

type Readings = readonly (readonly [seconds: number, rateIds: string])[];

/** Which of the readings, one after the other, the choice is made from; null when it is made from none. */
function chosenFrom(readings: Readings, known: RatesSeen = NOTHING_SEEN): number | null {
  let before = known;
  for (const [index, [seconds, rateIds]] of readings.entries()) {
    const rates = RATES.filter(({ rateId }) => rateIds.includes(rateId));
    const verdict = judgeReading(
      { rates, leftOut: NOTHING_LEFT_OUT, before, requestedAt, now: after(seconds) },
      policy,
    );
    if (verdict.kind === 'settled') return index;
    before = verdict.seen;
  }
  return null;
}

test.each<[string, Readings, number]>([
  [
    'that misses none',
    [
      [5, 'abc'],
      [60, 'abc'],
    ],
    1,
  ],
  [
    'that shows another one more',
    [
      [5, 'ab'],
      [60, 'abc'],
    ],
    1,
  ],
  [
    'after one that misses a rate',
    [
      [5, 'abc'],
      [60, 'bc'],
      [65, 'abc'],
    ],
    2,
  ],
  [
    'after one that misses the only rate, although the time is over',
    [
      [5, 'a'],
      [60, ''],
      [90, 'a'],
    ],
    2,
  ],
  [
    'that misses what the one before missed',
    [
      [5, 'abc'],
      [60, 'bc'],
      [65, 'bc'],
    ],
    2,
  ],
  [
    'that is empty like the one before',
    [
      [5, 'a'],
      [60, ''],
      [65, ''],
    ],
    2,
  ],
  [
    'that misses what was missed before the time was over',
    [
      [5, 'abc'],
      [8, 'bc'],
      [60, 'bc'],
    ],
    2,
  ],
])('the choice uses a reading %s', (_, readings, index) => {
  expect(chosenFrom(readings)).toBe(index);
});

test('readings that each miss a different rate settle in the end', () => {
  const readings: Readings = Array.from({ length: 9 }, (_, index) => [60, index % 2 === 0 ? 'ab' : 'bc']);
  expect(chosenFrom(readings)).toBe(0);
  expect(chosenFrom([[5, 'abc'], ...readings])).toBe(1 + MOST_LOOKS_AGAIN);
});

test('known rates from before the first reading count as a reading', () => {
  expect(
    chosenFrom(
      [
        [60, 'bc'],
        [61, 'abc'],
      ],
      { rateIds: ['a', 'c'], looksAgain: 0, most: 2 },
    ),
  ).toBe(1);
});

test('a wait for rates says how many could not be read', () => {
  const leftOut = { count: 2, where: ['items[0].expires', 'items[3].totalPrice'] };
  expect(
    judgeReading({ rates: [], leftOut, before: NOTHING_SEEN, requestedAt, now: after(1) }, policy),
  ).toMatchObject({
    saw: '0 rates so far, 2 could not be read (items[0].expires, items[3].totalPrice)',
  });
});
