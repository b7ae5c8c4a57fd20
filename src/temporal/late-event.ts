import type { Client } from '@temporalio/client';
import type { MarketplaceEvent } from '../domain/marketplace-event';
import { UNROUTED_EVENTS_QUEUE } from '../contract/task-queue';
import { lateEventWorkflowId, orderReference } from '../domain/workflow-id';
import type { LateEventInput } from '../contract/workflow-input';
import { marketplaceEventReceivedSignal } from '../contract/messages';

/**
 * Sends an event of an ended order to the one workflow of its listing, and starts that workflow when there is none. The
 * workflow reads the listing, and ends when nothing is wrong.
 */
export async function startLateEvent(
  client: Client,
  input: LateEventInput,
  event: MarketplaceEvent,
): Promise<void> {
  const { account, orderId, listingId } = input;
  await client.workflow.signalWithStart('lateEvent', {
    workflowId: lateEventWorkflowId(account.name, orderId, listingId),
    taskQueue: UNROUTED_EVENTS_QUEUE,
    args: [input],
    signal: marketplaceEventReceivedSignal,
    signalArgs: [event],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `late event of ${orderReference(account.name, orderId)}, which has ended`,
  });
}
