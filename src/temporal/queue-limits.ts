import { isGrpcServiceError, type Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { UserError } from '../platform/user-error';
import { marketplaceQueue } from '../contract/task-queue';

/** An account whose calls are limited. */
export interface LimitedAccount {
  readonly name: string;
  /** Null: as many as the workers can make. */
  readonly callsPerSecond: number | null;
}

/** Of gRPC: the server does not know the call. */
const UNIMPLEMENTED = 12;

/**
 * Sets how many marketplace calls a second may begin for each account. The server holds the limit, so that it is kept
 * however many workers there are; a worker's own option would be whoever polled last.
 * @throws UserError when a limit is wanted and the server cannot keep one
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
    // An older server never had a limit to take back.
    if (callsPerSecond === null && code === UNIMPLEMENTED) return;
    throw new UserError(
      `Temporal does not take the limit of ${callsPerSecond ?? 'no'} calls a second for account ${name}: ` +
        `${error.details}. It needs a server of version 1.29 or later; without \`callsPerSecond\` any will do.`,
      { cause: error },
    );
  }
}
