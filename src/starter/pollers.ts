import { ServiceError, isGrpcServiceError, type Client } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';

const { DescribeTaskQueueMode, TaskQueueType, TaskQueueKind } = temporal.api.enums.v1;
const TYPES = {
  workflow: TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
  activity: TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
} as const;

/** A worker asks again at least every minute; one that was not heard of for longer is gone. */
const HEARD_MS = 75_000;

export interface Queue {
  readonly name: string;
  readonly kind: keyof typeof TYPES;
}

/** How many workers ask for tasks of a queue; null when the server cannot tell. */
export async function countPollers(client: Client, { name, kind }: Queue): Promise<number | null> {
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
    const heard = Object.values(versionsInfo)
      .flatMap(({ typesInfo }) => Object.values(typesInfo ?? {}))
      .flatMap(({ pollers }) => pollers ?? [])
      .filter(({ lastAccessTime }) => (optionalTsToMs(lastAccessTime) ?? 0) > since);
    return new Set(heard.map(({ identity }) => identity)).size;
  } catch (error) {
    // Servers give this up one day; then nothing is known, which must not be read as "none".
    if (error instanceof ServiceError || isGrpcServiceError(error)) return null;
    throw error;
  }
}
