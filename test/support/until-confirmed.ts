import { ServiceError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { NotConfirmedError, NoWorkerError } from '../../src/starter/client/errors';

const UNCONFIRMED = [
  ...[NotConfirmedError, NoWorkerError, ServiceError, WorkflowUpdateRPCTimeoutOrCancelledError],
];

/**
 * Sends a person's request again while nobody confirms or answers it, as while workers come and go: repeating it is safe, and what
 * people are told to do. The time of the test limits it.
 */
export async function untilConfirmed<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!UNCONFIRMED.some((kind) => error instanceof kind)) throw error;
    return await untilConfirmed(send);
  }
}
