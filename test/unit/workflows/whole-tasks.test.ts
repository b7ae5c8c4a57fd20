import { expect, test } from '@jest/globals';
import type { ActivateInput } from '@temporalio/workflow';
import { wholeTasks } from '../../../src/workflows/whole-tasks';

type Activation = ActivateInput['activation'];
type Jobs = NonNullable<Activation['jobs']>;
const SIGNAL = [{ signalWorkflow: { signalName: 'heard' } }] as Jobs;
const TIMER = [{ fireTimer: { seq: 1 } }] as Jobs;
const QUERY = [{ queryWorkflow: { queryType: 'state' } }] as Jobs;

interface Part {
  /** When its task began; null when the server does not give it. */
  readonly at: number | null;
  readonly length: number;
  readonly jobs: Jobs;
}

/** Gives a workflow the parts, and answers which of them it got. */
function run(parts: readonly Part[]): readonly string[] {
  const { activate } = wholeTasks();
  return parts.map(({ at, length, jobs }) => {
    const timestamp = at === null ? null : { seconds: at, nanos: 5 };
    const activation = { timestamp, historySizeBytes: at, historyLength: length, jobs } as Activation;
    let got = 'nothing';
    try {
      activate?.({ activation, batchIndex: 0 }, () => {
        got = 'given';
      });
    } catch (error) {
      got = String(error).includes('ask again') ? 'refused' : 'failed';
    }
    return got;
  });
}

test.each([
  ['with their task are given', [{ at: 2, length: 7, jobs: SIGNAL }], ['given']],
  ['before their task are refused', [{ at: 1, length: 5, jobs: SIGNAL }], ['refused']],
  ['before their task are refused, whatever they are', [{ at: 1, length: 5, jobs: TIMER }], ['refused']],
  ['that the task itself led to are given', [{ at: 1, length: 3, jobs: TIMER }], ['given']],
  [
    'of the next task are given after a query',
    [
      { at: 1, length: 3, jobs: QUERY },
      // What the task left is in the history now.
      { at: 1, length: 5, jobs: QUERY },
      { at: 2, length: 7, jobs: SIGNAL },
      { at: 2, length: 7, jobs: QUERY },
    ],
    ['given', 'given', 'given', 'given'],
  ],
] as const)('events %s', (_, parts, given) => {
  expect(run([{ at: 1, length: 3, jobs: SIGNAL }, ...parts])).toEqual(['given', ...given]);
});

test('without the time when a task began, nothing is refused', () => {
  const parts = [3, 7, 11].map((length) => ({ at: null, length, jobs: SIGNAL }));
  expect(run(parts)).toEqual(['given', 'given', 'given']);
});
