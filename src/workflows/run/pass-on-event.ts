import {
  ApplicationFailure,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  startChild,
  TemporalFailure,
} from '@temporalio/workflow';
import type { MarketplaceEvent } from '../../domain/marketplace-event';
import { lateEventWorkflowId } from '../../domain/workflow-id';
import { marketplaceEventReceivedSignal } from '../../contract/messages';
import { UNROUTED_EVENTS_QUEUE } from '../../contract/task-queue';
import type { LateEventInput } from '../../contract/workflow-input';

/** @returns why the workflow takes no more events; null when it took this one */
export async function passOn(workflowId: string, event: MarketplaceEvent): Promise<string | null> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(marketplaceEventReceivedSignal, event);
    return null;
  } catch (error) {
    if (!(error instanceof TemporalFailure)) throw error;
    return error.message;
  }
}

/**
 * Gives an event to the late event of its listing: starts the workflow, or signals the running one. Either may just
 * have ended when the other is tried.
 */
export async function passToLateEvent(input: LateEventInput, event: MarketplaceEvent): Promise<void> {
  const workflowId = lateEventWorkflowId(input.account.name, input.orderId, input.listingId);
  for (let round = 0; round < 5; round += 1) {
    try {
      const child = await startChild<(input: LateEventInput) => Promise<unknown>>('lateEvent', {
        ...{ workflowId, args: [input], taskQueue: UNROUTED_EVENTS_QUEUE },
        parentClosePolicy: ParentClosePolicy.ABANDON,
      });
      await child.signal(marketplaceEventReceivedSignal, event);
      return;
    } catch (error) {
      if (!(error instanceof TemporalFailure)) throw error;
    }
    if ((await passOn(workflowId, event)) === null) return;
  }
  throw ApplicationFailure.nonRetryable(`${workflowId} could not receive event ${event.id}`);
}
