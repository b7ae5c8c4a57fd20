import { ServiceError, isGrpcServiceError, type Client } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';

const { DescribeTaskQueueMode, TaskQueueType, TaskQueueKind } = temporal.api.enums.v1;
const TYPES = {
  workflow: TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
  activity: TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
} as const;

/**
 * A worker asks again at least every minute; one that was not heard of for longer is gone. Temporal does not see that a
 * worker was killed: until then nobody can tell it from one that waits.
 */
export const HEARD_MS = 75_000;

/** A worker, and when it asked last. */
export interface Poller {
  readonly identity: string;
  readonly heardAtMs: number;
}

export interface Queue {
  readonly name: string;
  readonly kind: keyof typeof TYPES;
}

/** How many workers asked for tasks of a queue lately; null when the server cannot tell. */
export async function countPollers(client: Client, queue: Queue): Promise<number | null> {
  return (await findPollers(client, queue))?.length ?? null;
}

/** The workers that asked for tasks of a queue lately, each once; null when the server cannot tell. */
export async function findPollers(client: Client, { name, kind }: Queue): Promise<readonly Poller[] | null> {
  try {
    const { versionsInfo } = await client.workflowService.describeTaskQueue({
      namespace: client.options.namespace,
      taskQueue: { name, kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
      // The other mode looks at one partition of the queue only, and a worker may wait at another.
      apiMode: DescribeTaskQueueMode.DESCRIBE_TASK_QUEUE_MODE_ENHANCED,
      taskQueueTypes: [TYPES[kind]],
      reportPollers: true,
    });
    const since = Date.now() - HEARD_MS;
    const heard = new Map<string, number>();
    for (const { identity, lastAccessTime } of Object.values(versionsInfo)
      .flatMap(({ typesInfo }) => Object.values(typesInfo ?? {}))
      .flatMap(({ pollers }) => pollers ?? [])) {
      const at = optionalTsToMs(lastAccessTime) ?? 0;
      if (at > since) heard.set(identity ?? '', Math.max(at, heard.get(identity ?? '') ?? 0));
    }
    return [...heard].map(([identity, heardAtMs]) => ({ identity, heardAtMs }));
  } catch (error) {
    // Servers give this up one day; then nothing is known, which must not be read as "none".
    if (error instanceof ServiceError || isGrpcServiceError(error)) return null;
    throw error;
  }
}
