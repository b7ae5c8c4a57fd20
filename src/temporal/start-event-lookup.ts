import type { Client, WorkflowIdReusePolicy, WorkflowHandleWithSignaledRunId } from '@temporalio/client';
import type { MarketplaceEvent } from '../domain/marketplace-event';
import { UNROUTED_EVENTS_QUEUE } from '../contract/task-queue';
import { unroutedEventWorkflowId } from '../domain/workflow-id';
import type { UnroutedEventInput, UnroutedEventResult } from '../contract/workflow-input';
import { marketplaceEventReceivedSignal } from '../contract/messages';

type LookUp = (input: UnroutedEventInput) => Promise<UnroutedEventResult>;

/**
 * Sends an event to the one workflow that finds the order of its listing, and starts that workflow when there is none.
 * @throws WorkflowExecutionAlreadyStartedError when it has ended, and `reuse` does not allow a new run
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
    staticSummary: `find the order of listing ${input.listingId}`,
  });
}
