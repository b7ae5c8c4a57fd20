import { randomUUID } from 'node:crypto';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { until, type TestTemporal, type WorkflowBundle } from './temporal';
import { answerUpdate, heardSignal, WINDOW_MS } from './time-sensitive-shipment';
import * as unseenTask from './unseen-task-shipment';

const QUEUE = 'time-sensitive';
/** So many that at least one of them is asked before its task. */
const EARLY = 12;
/** What the web UI asks of every workflow. */
const METADATA = '__temporal_workflow_metadata';

export const bundleTimeSensitive = async (workflowInterceptorModules: string[]): Promise<WorkflowBundle> =>
  await bundle(require.resolve('./time-sensitive-shipment'), workflowInterceptorModules);
export const bundleUnseenTask = async (workflowInterceptorModules: string[]): Promise<WorkflowBundle> =>
  await bundle(require.resolve('./unseen-task-shipment'), workflowInterceptorModules);

async function bundle(workflowsPath: string, workflowInterceptorModules: string[]): Promise<WorkflowBundle> {
  const logger = new DefaultLogger('ERROR');
  return await bundleWorkflowCode({ workflowsPath, workflowInterceptorModules, logger });
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
  const { handles, allHave } = await startMany(client);
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

/**
 * The last task before an event brought nothing that the workflow sees. Then an answer comes with the event, and a query
 * before their task.
 */
export async function askedAfterUnseenTask(
  { client, withWorkers }: TestTemporal,
  workflowBundle: WorkflowBundle,
): Promise<readonly History[]> {
  const { handles, allHave } = await startMany(client);
  await withWorkers(workflowBundle, { [QUEUE]: {} }, async () => {
    await until(async () => await allHave(1));
    await Promise.all(handles.map(async (handle) => await handle.signal(unseenTask.gaveUpSignal)));
    // The third is the one that the cancelled activity leads to.
    await until(async () => await allHave(3));
  });
  const over = new AbortController();
  const queries = handles.map(async (handle) => {
    while (!over.signal.aborted) await handle.query(METADATA).catch(() => null);
  });
  await Promise.all(handles.map(async (handle) => await handle.signal(unseenTask.heardSignal)));
  const answers = handles.map(async (handle) => await handle.executeUpdate(unseenTask.answerUpdate));
  await withWorkers(workflowBundle, { [QUEUE]: {} }, async () => {
    await Promise.all(answers);
    over.abort();
    await Promise.all([...queries, ...handles.map(async (handle) => await handle.result())]);
  });
  return await Promise.all(handles.map(async (handle) => await handle.fetchHistory()));
}

async function startMany(client: Client) {
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
  return { handles, allHave };
}
