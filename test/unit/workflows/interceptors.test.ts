import { expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivateInput, ConcludeActivationInput, UpdateInput } from '@temporalio/workflow';
import { REPEAT_UPDATE } from '../../../src/contract/messages';
import { replayGuards } from '../../../src/workflows/interceptors';

type Jobs = NonNullable<ActivateInput['activation']['jobs']>;
const SIGNAL = [{ signalWorkflow: { signalName: 'heard' } }] as Jobs;
const UPDATE = [{ doUpdate: { name: 'answer' } }] as Jobs;
const SENT = [{ resolveSignalExternalWorkflow: { seq: 1 } }] as Jobs;
const STARTED = [{ resolveChildWorkflowExecutionStart: { seq: 1 } }] as Jobs;
const QUERY = [{ queryWorkflow: { queryType: 'state' } }] as Jobs;

/** Gives a workflow the parts of its tasks, and answers how the updates in them are taken. */
function run(parts: readonly { readonly task: number; readonly jobs: Jobs }[]): readonly string[] {
  const { inbound = [], internals = [] } = replayGuards();
  const [updates, activations, ends] = [
    inbound[0]?.validateUpdate,
    internals[0]?.activate,
    internals[0]?.concludeActivation,
  ];
  if (updates === undefined || activations === undefined || ends === undefined)
    throw new TypeError('it guards all');
  const taken: string[] = [];
  const take = (): void => {
    try {
      updates({} as UpdateInput, () => undefined);
      taken.push('taken');
    } catch (error) {
      taken.push(error instanceof ApplicationFailure ? String(error.type) : 'failed');
    }
  };
  for (const { task, jobs } of parts) {
    activations({ activation: { historyLength: task, jobs } } as ActivateInput, ({ activation }) => {
      for (const job of activation.jobs ?? []) if (job.doUpdate != null) take();
    });
    ends({} as ConcludeActivationInput, () => ({ commands: [{ modifyWorkflowProperties: {} }] }));
  }
  return taken;
}

test.each([
  ['comes alone', [{ task: 7, jobs: UPDATE }], ['taken']],
  ['comes with an event', [{ task: 7, jobs: [...SIGNAL, ...UPDATE] }], ['taken']],
  [
    'comes after an event of the same task',
    [SIGNAL, UPDATE].map((jobs) => ({ task: 7, jobs })),
    [REPEAT_UPDATE],
  ],
  [
    'comes with the next task',
    [
      { task: 7, jobs: SIGNAL },
      { task: 11, jobs: UPDATE },
    ],
    ['taken'],
  ],
  [
    'comes before what the event led to is in the history',
    [
      { task: 7, jobs: SIGNAL },
      { task: 10, jobs: UPDATE },
    ],
    [REPEAT_UPDATE],
  ],
  [
    'comes after the answer to a signal of the workflow',
    [SENT, UPDATE].map((jobs) => ({ task: 7, jobs })),
    [REPEAT_UPDATE],
  ],
  [
    'comes after the start of a child workflow',
    [STARTED, UPDATE].map((jobs) => ({ task: 7, jobs })),
    [REPEAT_UPDATE],
  ],
  ['comes after a query', [QUERY, UPDATE].map((jobs) => ({ task: 7, jobs })), ['taken']],
  [
    'is repeated with the next task',
    [
      { task: 7, jobs: SIGNAL },
      { task: 7, jobs: UPDATE },
      { task: 12, jobs: UPDATE },
    ],
    [REPEAT_UPDATE, 'taken'],
  ],
])('an update that %s', (_, parts, taken) => {
  expect(run(parts)).toEqual(taken);
});
