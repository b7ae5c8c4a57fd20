import { ServiceError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { NotConfirmedError } from '../../src/starter/client/errors';

const UNCONFIRMED = [NotConfirmedError, ServiceError, WorkflowUpdateRPCTimeoutOrCancelledError];

/**
 * Sends a person's request again while nobody confirms it, as while workers come and go: repeating it is safe, and what
 * people are told to do. The time of the test limits it.
 */
export async function untilConfirmed(send: () => Promise<unknown>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!UNCONFIRMED.some((kind) => error instanceof kind)) throw error;
    await untilConfirmed(send);
  }
}
