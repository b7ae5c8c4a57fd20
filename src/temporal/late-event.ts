import type { Client } from '@temporalio/client';
import type { MarketplaceEvent } from '../domain/marketplace-event';
import { UNROUTED_EVENTS_QUEUE } from '../contract/task-queue';
import { lateEventWorkflowId, orderReference } from '../domain/workflow-id';
import type { LateEventInput } from '../contract/workflow-input';
import { marketplaceEventReceivedSignal } from '../contract/messages';

/**
 * Hands an event of an order that is over to the one workflow of its listing, which reads the listing and ends when
 * nothing is wrong; starts it when there is none.
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
    staticSummary: `an event of ${orderReference(account.name, orderId)}, which is over`,
  });
}
