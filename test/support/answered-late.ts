import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { until, type TestTemporal, type WorkflowBundle } from './temporal';
import { answerUpdate, heardSignal, WINDOW_MS } from './time-sensitive-shipment';

const QUEUE = 'time-sensitive';

export async function bundleTimeSensitive(workflowInterceptorModules: string[]): Promise<WorkflowBundle> {
  return await bundleWorkflowCode({
    workflowsPath: require.resolve('./time-sensitive-shipment'),
    workflowInterceptorModules,
    logger: new DefaultLogger('ERROR'),
  });
}

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
const tasksCompleted = ({ events }: History): number =>
  (events ?? []).filter((event) => event.workflowTaskCompletedEventAttributes != null).length;

/** An event is heard, every worker restarts, and a person answers when its window is over. */
export async function answeredLate(
  { client, withWorkers }: TestTemporal,
  workflowBundle: WorkflowBundle,
): Promise<History> {
  const handle = await client.workflow.start('furnitureShipment', {
    ...{ taskQueue: QUEUE, workflowId: `shipment/${randomUUID()}` },
  });
  const hasCompleted = async (tasks: number): Promise<boolean> =>
    tasksCompleted(await handle.fetchHistory()) === tasks;
  await withWorkers(workflowBundle, { [QUEUE]: {} }, async () => {
    await until(async () => await hasCompleted(1));
    await handle.signal(heardSignal);
    await until(async () => await hasCompleted(2));
  });
  const heardAt = Date.now();
  await until(async () => await Promise.resolve(Date.now() - heardAt > WINDOW_MS));
  await withWorkers(workflowBundle, { [QUEUE]: {} }, async () => {
    await handle.executeUpdate(answerUpdate);
    await handle.result();
  });
  return await handle.fetchHistory();
}
