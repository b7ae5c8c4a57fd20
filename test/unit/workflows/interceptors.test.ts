import { expect, test } from '@jest/globals';
import type { ActivateInput, ConcludeActivationInput, ConcludeActivationOutput } from '@temporalio/workflow';
import { filledTasks } from '../../../src/workflows/interceptors';

type Jobs = NonNullable<ActivateInput['activation']['jobs']>;
type Commands = ConcludeActivationOutput['commands'];
const SIGNAL = [{ signalWorkflow: { signalName: 'heard' } }] as Jobs;
const ACTIVITY = [{ resolveActivity: { seq: 1 } }] as Jobs;
const QUERY = [{ queryWorkflow: { queryType: 'state' } }] as Jobs;
const UPDATE = [{ doUpdate: { name: 'answer' } }] as Jobs;
const SENT = [{ resolveSignalExternalWorkflow: { seq: 1 } }] as Jobs;
const TIMER: Commands = [{ startTimer: { seq: 1 } }];
const REFUSAL: Commands = [{ updateResponse: { rejected: {} } }];
const ACCEPTANCE: Commands = [{ updateResponse: { accepted: {} } }];

interface Part {
  readonly task: number;
  readonly jobs: Jobs;
  readonly commands: Commands;
}

/** Gives a workflow the parts of its tasks, and answers after which of them its memo got the time. */
function run(parts: readonly Part[]): readonly boolean[] {
  const { activate, concludeActivation } = filledTasks();
  if (activate === undefined || concludeActivation === undefined) throw new TypeError('it guards both ends');
  return parts.map(({ task, jobs, commands }) => {
    activate({ activation: { historyLength: task, jobs } } as ActivateInput, () => undefined);
    const concluded = concludeActivation({} as ConcludeActivationInput, () => ({ commands }));
    expect(concluded.commands.slice(0, commands.length)).toEqual(commands);
    return concluded.commands.some(({ modifyWorkflowProperties }) => modifyWorkflowProperties != null);
  });
}

test.each([
  ['that received a signal and led to nothing', [{ task: 7, jobs: SIGNAL, commands: [] }], [true]],
  ['that received a result and led to nothing', [{ task: 7, jobs: ACTIVITY, commands: [] }], [true]],
  [
    'that received a signal with an update that was refused',
    [{ task: 7, jobs: [...SIGNAL, ...UPDATE], commands: REFUSAL }],
    [true],
  ],
  [
    'that led to nothing, and so of the next',
    [7, 11].map((task) => ({ task, jobs: SIGNAL, commands: [] })),
    [true, true],
  ],
  [
    'that comes in two parts, once',
    [7, 7].map((task) => ({ task, jobs: SIGNAL, commands: [] })),
    [true, false],
  ],
])('the memo gets the time of a task %s', (_, parts, filled) => {
  expect(run(parts)).toEqual(filled);
});

test.each([
  ['that issues a command', [{ task: 7, jobs: SIGNAL, commands: TIMER }]],
  ['whose update is accepted', [{ task: 7, jobs: [...SIGNAL, ...UPDATE], commands: ACCEPTANCE }]],
  ['that brings a query alone', [{ task: 7, jobs: QUERY, commands: [] }]],
  ['that refuses an update alone', [{ task: 7, jobs: UPDATE, commands: REFUSAL }]],
  ['that hears that its own signal arrived', [{ task: 7, jobs: SENT, commands: [] }]],
  [
    'that issued a command before its second part',
    [
      { task: 7, jobs: SIGNAL, commands: TIMER },
      { task: 7, jobs: SIGNAL, commands: [] },
    ],
  ],
])('the memo stays as it is in a task %s', (_, parts) => {
  expect(run(parts)).toEqual(parts.map(() => false));
});
