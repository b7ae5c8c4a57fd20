import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { answeredLate, bundleTimeSensitive } from '../support/answered-late';
import { startTestTemporal, type TestTemporal } from '../support/temporal';

let temporal: TestTemporal;

beforeAll(async () => {
  temporal = await startTestTemporal();
});
afterAll(async () => await temporal.close());

test('the SDK alone does not replay an empty task before an update: once it does, filledTasks can go', async () => {
  const workflowBundle = await bundleTimeSensitive([]);
  const history = await answeredLate(temporal, workflowBundle);
  await expect(Worker.runReplayHistory({ workflowBundle }, history)).rejects.toThrow(/Nondeterminism/);
});
