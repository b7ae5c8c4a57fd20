import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import { NEVER_EMPTY_TASK } from '../../src/workflow-bundle';
import { startTestTemporal, until, type TestTemporal, type WorkflowBundle } from '../support/temporal';
import { answerUpdate, heardSignal, WINDOW_MS } from '../support/time-sensitive-shipment';

const QUEUE = 'time-sensitive';

let temporal: TestTemporal;

beforeAll(async () => {
  temporal = await startTestTemporal();
});

afterAll(async () => {
  await temporal.close();
});

async function bundle(workflowInterceptorModules: string[]): Promise<WorkflowBundle> {
  return await bundleWorkflowCode({
    workflowsPath: require.resolve('../support/time-sensitive-shipment'),
    workflowInterceptorModules,
    logger: new DefaultLogger('ERROR'),
  });
}

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
const tasksCompleted = ({ events }: History): number =>
  (events ?? []).filter((event) => event.workflowTaskCompletedEventAttributes != null).length;

/** An event is heard, every worker restarts, and a person answers long after. */
async function answeredLate(workflowBundle: WorkflowBundle): Promise<History> {
  const handle = await temporal.client.workflow.start('furnitureShipment', {
    ...{ taskQueue: QUEUE, workflowId: `shipment/${randomUUID()}` },
  });
  const hasCompleted = async (tasks: number): Promise<boolean> =>
    tasksCompleted(await handle.fetchHistory()) === tasks;
  await temporal.withWorkers(workflowBundle, { [QUEUE]: {} }, async () => {
    await until(async () => await hasCompleted(1));
    await handle.signal(heardSignal);
    await until(async () => await hasCompleted(2));
  });
  const heardAt = Date.now();
  await until(async () => await Promise.resolve(Date.now() - heardAt > WINDOW_MS));
  await temporal.withWorkers(workflowBundle, { [QUEUE]: {} }, async () => {
    await handle.executeUpdate(answerUpdate);
    await handle.result();
  });
  return await handle.fetchHistory();
}

test('what a task without commands heard has the same time for every worker that replays it', async () => {
  const workflowBundle = await bundle([NEVER_EMPTY_TASK]);
  const history = await answeredLate(workflowBundle);
  await expect(Worker.runReplayHistory({ workflowBundle }, history)).resolves.toBeUndefined();
  // The window was over when it was answered.
  expect((history.events ?? []).some((event) => event.timerStartedEventAttributes != null)).toBe(false);
});

test('the SDK alone does not replay it: once it does, nothing needs to be done about it any more', async () => {
  const workflowBundle = await bundle([]);
  const history = await answeredLate(workflowBundle);
  await expect(Worker.runReplayHistory({ workflowBundle }, history)).rejects.toThrow(/Nondeterminism/);
});
