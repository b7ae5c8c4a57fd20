import { ServiceError, isGrpcServiceError, type Client } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';
import { SHIPMENTS_QUEUE } from '../../contract/task-queue';

const { TaskQueueType, WorkerVersioningMode } = temporal.api.enums.v1;
const TYPES = {
  workflow: TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
  activity: TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
} as const;

/**
 * A worker polls again at least every minute; one that has been silent for longer is gone. Temporal does not notice
 * that a worker was killed: until then it looks like a waiting worker.
 */
export const HEARD_MS = 75_000;

/** A worker, and when it last polled. */
export interface Poller {
  readonly identity: string;
  readonly heardAtMs: number;
  /** Its deployment and build, such as `consign:2f1c9ab`; null when it is unversioned. */
  readonly build: string | null;
}

export interface Queue {
  readonly name: string;
  readonly kind: keyof typeof TYPES;
}

/** Which workers poll a queue, and which of them get its tasks. */
export interface QueueWorkers {
  /** The workers that polled recently, each once, whatever their build. */
  readonly pollers: readonly Poller[];
  /** The build that gets the tasks; null: unversioned workers. */
  readonly current: string | null;
  /** Those of `pollers` that get tasks: of the current build, or of the ramping build. */
  readonly serving: readonly Poller[];
}

/** Whether shipments may answer queries: without a worker each query would only run into its deadline. */
export async function canShipmentsAnswer(client: Client): Promise<boolean> {
  return (await isPolled(client, { name: SHIPMENTS_QUEUE, kind: 'workflow' })) !== false;
}

/** Whether any worker polled a queue recently; null when the server does not report it. */
export async function isPolled(client: Client, queue: Queue): Promise<boolean | null> {
  return await whenKnown(async () => {
    // For most queues, the first partition already shows a poller.
    if (pollersOf(await describe(client, queue, queue.name)).length > 0) return true;
    return (await findAll(client, queue)).pollers.length > 0;
  });
}

/** The workers of a queue; null when the server does not report them. */
export async function findWorkers(client: Client, queue: Queue): Promise<QueueWorkers | null> {
  return await whenKnown(async () => await findAll(client, queue));
}

type Description = temporal.api.workflowservice.v1.IDescribeTaskQueueResponse;

/** A queue has several partitions, and a worker may wait at any of them. */
async function findAll(client: Client, queue: Queue): Promise<QueueWorkers> {
  const listed = await client.workflowService.listTaskQueuePartitions({
    namespace: client.options.namespace,
    taskQueue: { name: queue.name },
  });
  const partitions =
    queue.kind === 'workflow' ? listed.workflowTaskQueuePartitions : listed.activityTaskQueuePartitions;
  const names = new Set([queue.name, ...partitions.flatMap(({ key }) => key ?? [])]);
  const [root, ...others] = await Promise.all(
    [...names].map(async (name) => await describe(client, queue, name)),
  );
  const newest = new Map<string, Poller>();
  for (const poller of [root, ...others].flatMap((found) => (found === undefined ? [] : pollersOf(found)))) {
    const key = `${poller.identity} ${poller.build}`;
    const before = newest.get(key);
    if (before === undefined || before.heardAtMs < poller.heardAtMs) newest.set(key, poller);
  }
  const pollers = [...newest.values()];
  const { currentDeploymentVersion, rampingDeploymentVersion } = root?.versioningInfo ?? {};
  const current = buildOf(currentDeploymentVersion);
  const ramping = buildOf(rampingDeploymentVersion);
  const isServing = ({ build }: Poller): boolean =>
    build === current || (build !== null && build === ramping);
  return { pollers, current, serving: pollers.filter(isServing) };
}

async function describe(client: Client, { kind }: Queue, name: string): Promise<Description> {
  // The other mode covers all partitions, but it reports no versioned worker, and the server deprecates it.
  return await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name },
    taskQueueType: TYPES[kind],
  });
}

/** Those that polled recently. */
function pollersOf({ pollers }: Description): readonly Poller[] {
  const since = Date.now() - HEARD_MS;
  return (pollers ?? []).flatMap(({ identity, lastAccessTime, deploymentOptions }) => {
    const heardAtMs = optionalTsToMs(lastAccessTime) ?? 0;
    const isVersioned =
      deploymentOptions?.workerVersioningMode === WorkerVersioningMode.WORKER_VERSIONING_MODE_VERSIONED;
    const build = isVersioned ? buildOf(deploymentOptions) : null;
    return heardAtMs > since ? [{ identity: identity ?? '', heardAtMs, build }] : [];
  });
}

function buildOf(
  version: temporal.api.deployment.v1.IWorkerDeploymentVersion | null | undefined,
): string | null {
  return version?.buildId ? `${version.deploymentName}:${version.buildId}` : null;
}

/** A server without this call cannot report workers. That must not be taken for "no worker". */
async function whenKnown<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ServiceError || isGrpcServiceError(error)) return null;
    throw error;
  }
}
