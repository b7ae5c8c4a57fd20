import type { Client, WorkflowIdReusePolicy, WorkflowHandleWithSignaledRunId } from '@temporalio/client';
import type { MarketplaceEvent } from '../domain/marketplace-event';
import { UNROUTED_EVENTS_QUEUE } from '../contract/task-queue';
import { unroutedEventWorkflowId } from '../domain/workflow-id';
import type { UnroutedEventInput, UnroutedEventResult } from '../contract/workflow-input';
import { marketplaceEventReceivedSignal } from '../contract/messages';

type LookUp = (input: UnroutedEventInput) => Promise<UnroutedEventResult>;

/**
 * Hands an event to the one look-up of its listing, which finds out whose it is; starts it when there is none.
 * @throws WorkflowExecutionAlreadyStartedError when one has ended that `reuse` does not let begin anew
 */
export async function startLookUp(
  client: Client,
  input: UnroutedEventInput,
  { event, reuse }: { readonly event: MarketplaceEvent; readonly reuse: WorkflowIdReusePolicy },
): Promise<WorkflowHandleWithSignaledRunId<LookUp>> {
  return await client.workflow.signalWithStart<LookUp, [MarketplaceEvent]>('unroutedEvent', {
    workflowId: unroutedEventWorkflowId(input.account.name, input.listingId),
    taskQueue: UNROUTED_EVENTS_QUEUE,
    args: [input],
    signal: marketplaceEventReceivedSignal,
    signalArgs: [event],
    workflowIdReusePolicy: reuse,
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `whose is listing ${input.listingId}?`,
  });
}
