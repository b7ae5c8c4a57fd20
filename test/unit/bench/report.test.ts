import { expect, test } from '@jest/globals';
import { atLeast, atMost, type Measurement } from '../../../bench/measurement';
import { renderReport, reportForPrograms } from '../../../bench/report';
import { median, percentile } from '../../../bench/statistics';

const machine = { cores: 2, memoryGb: 8, node: 'v22.13.0', platform: 'linux x64', description: '2 cores' };

const reportOf = (...measurements: readonly Measurement[]) => ({
  ...{ startedAt: '2030-05-01T10:20:30.000Z', tookSeconds: 61, isQuick: true, machine },
  sections: [{ name: 'receiver', title: 'the receiver', how: ['Each way in turn.'], measurements } as const],
});

const rowOf = (measurement: Measurement): string[] => {
  const line = renderReport(reportOf(measurement))
    .split('\n')
    .find((one) => one.startsWith(measurement.what));
  return (line ?? '').split(/ {2,}/);
};

test('a row has the median, its unit, the spread and the goal beside them', () => {
  expect(rowOf({ what: 'p99', unit: 'ms', samples: [5, 1.25, 3], goal: atMost(4) })).toEqual([
    ...['p99', '3 ms', '1.25 to 5', '3', 'at most 4', 'met'],
  ]);
  expect(rowOf({ what: 'events', unit: '', samples: [1_241, 1_245], goal: atMost(120) })).toEqual([
    ...['events', '1,243', '1,241 to 1,245', '2', 'at most 120', 'missed'],
  ]);
  expect(rowOf({ what: 'share', unit: '', samples: [0.951], goal: atLeast(0.95), isRatio: true })).toEqual([
    ...['share *', '0.951', '1', 'at least 0.950', 'met'],
  ]);
});

test('a row without a goal has no verdict, and the report says what a ratio is', () => {
  expect(rowOf({ what: 'p50', unit: 'ms', samples: [2, 4] })).toEqual(['p50', '3 ms', '2 to 4', '2']);
  const text = renderReport(reportOf());
  expect(text).toContain('quick run of 61 s');
  expect(text).toContain('* Ratio of two values from the same round of this run.');
});

test('programs are given every sample, the median, the goal and the verdict', () => {
  const row = { what: 'share', unit: '', samples: [0.9, 1], isRatio: true, goal: atLeast(0.95) };
  expect(reportForPrograms(reportOf(row, { what: 'p50', unit: 'ms', samples: [2] }))).toMatchObject({
    isQuick: true,
    machine,
    sections: [
      {
        name: 'receiver',
        measurements: [
          { ...row, median: 0.95, verdict: 'met' },
          { what: 'p50', median: 2, samples: [2], goal: null, verdict: null, isRatio: false },
        ],
      },
    ],
  });
});

test.each([...[[[3, 1, 2], 2] as const, [[4, 1, 2, 3], 2.5] as const, [[7], 7] as const]])(
  'the median of %j is %d',
  (values, expected) => {
    expect(median(values)).toBe(expected);
  },
);

test('a percentile is a value that was measured', () => {
  const values = Array.from({ length: 200 }, (_, index) => index + 1);
  expect([0.5, 0.99, 1].map((share) => percentile(values, share))).toEqual([100, 198, 200]);
  expect(percentile([5], 0.99)).toBe(5);
});
