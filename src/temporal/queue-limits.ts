import { isGrpcServiceError, type Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { UserError } from '../platform/user-error';
import { marketplaceQueue } from '../contract/task-queue';

/** An account whose calls are limited. */
export interface LimitedAccount {
  readonly name: string;
  /** Null for no limit. */
  readonly callsPerSecond: number | null;
}

/** gRPC status: the server does not know the call. */
const UNIMPLEMENTED = 12;

/**
 * Sets how many marketplace calls per second may begin for each account. The server enforces the limit for all workers
 * together; with the workers' own option, the last one to poll would decide it.
 * @throws UserError when a limit is configured and the server does not support limits
 */
export async function limitQueues(client: Client, accounts: readonly LimitedAccount[]): Promise<void> {
  await Promise.all(accounts.map(async (account) => await limitQueue(client, account)));
}

async function limitQueue(client: Client, { name, callsPerSecond }: LimitedAccount): Promise<void> {
  const rateLimit = callsPerSecond === null ? null : { requestsPerSecond: callsPerSecond };
  try {
    await client.workflowService.updateTaskQueueConfig({
      namespace: client.options.namespace,
      identity: client.options.identity,
      taskQueue: marketplaceQueue(name),
      taskQueueType: temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
      updateQueueRateLimit: { rateLimit, reason: 'callsPerSecond of the accounts file' },
    });
  } catch (error) {
    if (!isGrpcServiceError(error)) throw error;
    const code: number = error.code;
    // An older server cannot have a limit to remove.
    if (callsPerSecond === null && code === UNIMPLEMENTED) return;
    throw new UserError(
      `Temporal refused the limit of ${callsPerSecond ?? 'no'} calls per second for account ${name}: ` +
        `${error.details}. Use a server of version 1.29 or later, or remove \`callsPerSecond\`.`,
      { cause: error },
    );
  }
}
