import { WorkflowNotFoundError, type Client, type WorkflowExecutionStatusName } from '@temporalio/client';
import { parseReadings } from '../domain/known-reading';
import type { OrderEnd } from '../domain/late-event';
import { parseWithdrawal } from '../domain/shipment-result';

const STATUS: Partial<Record<WorkflowExecutionStatusName, OrderEnd['status']>> = {
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
  TERMINATED: 'terminated',
  TIMED_OUT: 'timedOut',
};

/** The state of a shipment's last run in Temporal's own record: no worker is needed. */
export async function readOrderEnd(
  client: Client,
  workflowId: string,
): Promise<(Omit<OrderEnd, 'price'> & { readonly runId: string }) | null> {
  try {
    const { status, searchAttributes, memo, runId } = await client.workflow.getHandle(workflowId).describe();
    const withdrawal = parseWithdrawal(memo?.withdrawn);
    const listingId = searchAttributes.ListingId?.[0] ?? withdrawal?.listingIds.at(-1);
    const standingListings = parseReadings(memo?.standingListings);
    const isWithdrawn = status.name === 'COMPLETED' && withdrawal !== null;
    return {
      // Running, paused, or about to continue as a new run.
      status: isWithdrawn ? 'withdrawn' : (STATUS[status.name] ?? 'running'),
      listingId: typeof listingId === 'string' ? listingId : null,
      ...{ standingListings, runId },
    };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}
