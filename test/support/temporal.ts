import { Client, Connection, WorkflowFailedError } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import { SEARCH_ATTRIBUTES } from '../../src/contract/search-attributes';
import { createLog } from '../../src/platform/log';
import { openTemporal, type EmbeddedOptions, type OpenTemporal } from '../../src/temporal/connect';
import { installRuntime } from '../../src/worker/install-runtime';

export { until } from './until';

/** A real Temporal server of the test's own, made fit for us, and a client of it. */
export interface TestTemporal {
  readonly open: OpenTemporal;
  readonly client: Client;
  /** Runs one worker for each of `queues` while `use` runs; all of them have stopped when it returns. */
  withWorkers<T>(workflowBundle: WorkflowBundle, queues: Queues, use: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export type WorkflowBundle = NonNullable<WorkerOptions['workflowBundle']>;
/** The activities of each task queue; empty for one that runs workflows only. */
export type Queues = Readonly<Record<string, NonNullable<WorkerOptions['activities']>>>;

/** In memory, without a web UI, on a free port. The person's own Temporal settings are not looked at. */
export async function startTestTemporal(
  embedded: EmbeddedOptions = {},
  dataConverter: DataConverter = {},
): Promise<TestTemporal> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_')),
  );
  const open = await openTemporal({
    env,
    log: () => undefined,
    searchAttributes: SEARCH_ATTRIBUTES,
    embedded: { uiPort: null, ...embedded },
  });
  const { namespace } = open;
  const connection = await Connection.connect(open.clientConnection);
  const client = new Client({ connection, namespace, dataConverter });
  let native: NativeConnection | null = null;
  return {
    open,
    client,
    async withWorkers(workflowBundle, queues, use) {
      native ??= await connectWorkers(open);
      const common = { connection: native, namespace, dataConverter, workflowBundle };
      const workers: Worker[] = [];
      for (const [taskQueue, activities] of Object.entries(queues)) {
        workers.push(await Worker.create({ ...common, taskQueue, activities }));
      }
      return await workers.reduceRight((inner, worker) => async () => await worker.runUntil(inner), use)();
    },
    async close() {
      await native?.close();
      await connection.close();
      await open.close();
    },
  };
}

let isQuiet = false;

/** @param metricsPort where the runtime of this test process serves its metrics */
export async function connectWorkers(
  open: OpenTemporal,
  metricsPort: number | null = null,
): Promise<NativeConnection> {
  if (!isQuiet && metricsPort !== null)
    installRuntime({ host: '127.0.0.1', port: metricsPort }, createLog('test', 'error'));
  else if (!isQuiet) Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
  isQuiet = true;
  return await NativeConnection.connect(open.nativeConnection);
}

/** Bundles the scripted shipments, which do what a test says, with the real look-up of unrouted events. */
export async function bundleScriptedShipments(): Promise<WorkflowBundle> {
  return await bundleWorkflowCode({
    workflowsPath: require.resolve('./scripted-shipments'),
    logger: new DefaultLogger('ERROR'),
  });
}

/** The signals that a workflow was given: their names, in the order in which they came. */
export async function signalsOf(client: Client, workflowId: string): Promise<string[]> {
  const { events = [] } = await client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) =>
    typeof signal?.signalName === 'string' ? [signal.signalName] : [],
  );
}

/** Waits for the end of a workflow, however it ends. */
export async function untilEnded(client: Client, workflowId: string): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId).result();
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
  }
}
