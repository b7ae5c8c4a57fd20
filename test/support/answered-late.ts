import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { until, type TestTemporal, type WorkflowBundle } from './temporal';
import { answerUpdate, heardSignal, WINDOW_MS } from './time-sensitive-shipment';

const QUEUE = 'time-sensitive';
/** So many that at least one of them is asked before its task. */
const EARLY = 12;
/** What the web UI asks of every workflow. */
const METADATA = '__temporal_workflow_metadata';

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

/**
 * An event is heard while no worker runs and a query waits, and others while the next worker starts: the query comes before
 * the task, with the first of them.
 */
export async function askedEarly(
  { client, withWorkers }: TestTemporal,
  workflowBundle: WorkflowBundle,
): Promise<readonly History[]> {
  const handles = await Promise.all(
    Array.from({ length: EARLY }, async () => {
      const workflowId = `shipment/${randomUUID()}`;
      return await client.workflow.start('furnitureShipment', { taskQueue: QUEUE, workflowId });
    }),
  );
  const allHave = async (tasks: number): Promise<boolean> => {
    const histories = await Promise.all(handles.map(async (handle) => await handle.fetchHistory()));
    return histories.every((history) => tasksCompleted(history) >= tasks);
  };
  await withWorkers(workflowBundle, { [QUEUE]: {} }, async () => await until(async () => await allHave(1)));
  const over = new AbortController();
  const repeat = async (send: () => Promise<unknown>): Promise<void> => {
    while (!over.signal.aborted) await send();
  };
  // A query without a worker fails, and is sent again.
  const queries = handles.map((handle) => repeat(async () => await handle.query(METADATA).catch(() => null)));
  await Promise.all(handles.map(async (handle) => await handle.signal(heardSignal)));
  const signals = handles.map((handle) => repeat(async () => await handle.signal(heardSignal)));
  await withWorkers(workflowBundle, { [QUEUE]: {} }, async () => {
    await until(async () => await allHave(3));
    over.abort();
    await Promise.all([...queries, ...signals]);
    for (const handle of handles) await handle.executeUpdate(answerUpdate);
    await Promise.all(handles.map(async (handle) => await handle.result()));
  });
  return await Promise.all(handles.map(async (handle) => await handle.fetchHistory()));
}
