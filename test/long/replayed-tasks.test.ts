import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { INTERCEPTORS } from '../../src/worker/workflow-bundle';
import {
  answeredLate,
  askedAfterUnseenTask,
  askedEarly,
  bundleTimeSensitive,
  bundleUnseenTask,
} from '../support/answered-late';
import { startTestTemporal, type TestTemporal } from '../support/temporal';

let temporal: TestTemporal;

beforeAll(async () => {
  temporal = await startTestTemporal();
});
afterAll(async () => await temporal.close());

test('the input of a task without commands has the same time on every worker that replays it', async () => {
  const workflowBundle = await bundleTimeSensitive([INTERCEPTORS]);
  const history = await answeredLate(temporal, workflowBundle);
  await expect(Worker.runReplayHistory({ workflowBundle }, history)).resolves.toBeUndefined();
  // The window was over when it was answered.
  expect((history.events ?? []).some((event) => event.timerStartedEventAttributes != null)).toBe(false);
});

test('a query that brings events before their task does not change what the workflow replays', async () => {
  const workflowBundle = await bundleTimeSensitive([INTERCEPTORS]);
  for (const history of await askedEarly(temporal, workflowBundle))
    await expect(Worker.runReplayHistory({ workflowBundle }, history)).resolves.toBeUndefined();
});

test('a query after a task that had nothing for the workflow does not change what the workflow replays', async () => {
  const workflowBundle = await bundleUnseenTask([INTERCEPTORS]);
  for (const history of await askedAfterUnseenTask(temporal, workflowBundle))
    await expect(Worker.runReplayHistory({ workflowBundle }, history)).resolves.toBeUndefined();
});
