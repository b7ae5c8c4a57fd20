import { expect, test } from '@jest/globals';
import type { ActivateInput, ConcludeActivationInput } from '@temporalio/workflow';
import { wholeTasks } from '../../../src/workflows/whole-tasks';

type Activation = ActivateInput['activation'];
type Jobs = NonNullable<Activation['jobs']>;
const SIGNAL = [{ signalWorkflow: { signalName: 'heard' } }] as Jobs;
const TIMER = [{ fireTimer: { seq: 1 } }] as Jobs;
const UPDATE = [{ doUpdate: { name: 'answer' } }] as Jobs;
const QUERY = [{ queryWorkflow: { queryType: 'state' } }] as Jobs;

interface Part {
  /** When its task began; null when the server does not give it. */
  readonly at: number | null;
  readonly length: number;
  readonly jobs: Jobs;
  /** How often the workflow writes its memo then. */
  readonly memos?: number;
}

/** Gives a workflow the parts, and answers which of them it got. */
function run(parts: readonly Part[]): readonly string[] {
  const { activate, concludeActivation } = wholeTasks();
  return parts.map(({ at, length, jobs, memos = 0 }) => {
    const timestamp = at === null ? null : { seconds: at, nanos: 5 };
    const activation = { timestamp, historySizeBytes: at, historyLength: length, jobs } as Activation;
    let got = 'nothing';
    try {
      activate?.({ activation, batchIndex: 0 }, () => {
        got = 'given';
      });
    } catch (error) {
      const text = String(error);
      if (text.includes('ask again')) got = 'refused';
      else got = text.includes('tried again as a whole') ? 'tried again' : 'failed';
    }
    const commands = Array.from({ length: memos }, () => ({ modifyWorkflowProperties: {} }));
    concludeActivation?.({} as ConcludeActivationInput, () => ({ commands }));
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

/** A task that brings nothing new to the workflow began at 2, and the workflow never saw it. */
const EARLY = { at: 2, length: 9, jobs: SIGNAL };

test.each([
  ['an update', [EARLY, { at: 3, length: 10, jobs: UPDATE }], 'tried again'],
  ['a signal', [EARLY, { at: 3, length: 11, jobs: SIGNAL }], 'tried again'],
  [
    'an update, after the first part wrote the memo',
    [
      { ...EARLY, memos: 1 },
      { at: 3, length: 12, jobs: UPDATE },
    ],
    'tried again',
  ],
  ['the next task', [EARLY, { at: 3, length: 12, jobs: SIGNAL }], 'given'],
  [
    'the next task, after the first one wrote the memo',
    [
      { ...EARLY, memos: 1 },
      { at: 3, length: 13, jobs: UPDATE },
    ],
    'given',
  ],
  ['what the same task leads to', [EARLY, { at: 2, length: 9, jobs: TIMER }], 'given'],
  ['a query', [EARLY, { at: 2, length: 10, jobs: QUERY }], 'given'],
  [
    'a signal, after an update that was refused and left nothing',
    [
      { at: 2, length: 6, jobs: UPDATE },
      { at: 3, length: 7, jobs: SIGNAL },
    ],
    'given',
  ],
] as const)('after the events of a task comes %s', (_, parts, given) => {
  expect(run([{ at: 1, length: 3, jobs: SIGNAL }, ...parts]).at(-1)).toBe(given);
});
