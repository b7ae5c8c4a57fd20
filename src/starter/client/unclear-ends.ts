import {
  WorkflowExecutionAlreadyStartedError,
  type Client,
  type WorkflowExecutionDescription,
} from '@temporalio/client';
import { commandLines } from '../../domain/command-lines';
import { UNROUTED_EVENTS_QUEUE } from '../../contract/task-queue';
import { endAcknowledgedWorkflowId, shipmentWorkflowId, type OrderKey } from '../../domain/workflow-id';
import type { EndAcknowledgedInput } from '../../contract/workflow-input';
import { describeLast, recordedListings } from './last-run';

/** A shipment that Temporal ended although a booking may exist, and that nobody has acknowledged. */
export interface UnclearEnd extends OrderKey {
  readonly runId: string;
  readonly text: string;
}

/** For `ShipmentClient.list`. Only the description of its last run shows whether it was started again since. */
export const ENDED_BY_TEMPORAL = "ExecutionStatus IN ('Terminated', 'TimedOut')";

const NOTHING_SENT: ReadonlySet<unknown> = new Set([undefined, 'validating', 'quoting']);

/** @returns null when the order was started again, the end is acknowledged, or nothing can be booked */
export async function findUnclearEnd(client: Client, order: OrderKey): Promise<UnclearEnd | null> {
  const { account, orderId } = order;
  const found = await describeLast(client, shipmentWorkflowId(account, orderId));
  if (found === null) return null;
  const text = unclearText(order, found);
  if (text === null) return null;
  const { runId } = found;
  const acknowledged = await describeLast(client, endAcknowledgedWorkflowId(account, orderId, runId));
  return acknowledged === null ? { account, orderId, runId, text } : null;
}

function unclearText({ account, orderId }: OrderKey, found: WorkflowExecutionDescription): string | null {
  const { status, searchAttributes } = found;
  if (status.name !== 'TERMINATED' && status.name !== 'TIMED_OUT') return null;
  const listings = recordedListings(found);
  const phase = searchAttributes.ShipmentPhase?.[0];
  if (listings.length === 0 && NOTHING_SENT.has(phase)) return null;
  const how = status.name === 'TERMINATED' ? 'was terminated' : 'timed out';
  const known =
    listings.length === 0
      ? 'its listing is unknown, but a booking may have been in progress'
      : `its listing is ${listings.join(', ')}`;
  return (
    `the shipment ${how} in phase ${String(phase ?? 'unknown')}; ${known}. Check the marketplace, then run ` +
    `\`${commandLines.startAgain()}\`, or \`${commandLines.acknowledge({ account, orderId })}\``
  );
}

/** Records that a person handled it. Repeating is safe. */
export async function acknowledgeEnd(
  client: Client,
  { account, orderId, runId }: UnclearEnd,
  statement: EndAcknowledgedInput,
): Promise<void> {
  try {
    await client.workflow.start('endAcknowledged', {
      workflowId: endAcknowledgedWorkflowId(account, orderId, runId),
      taskQueue: UNROUTED_EVENTS_QUEUE,
      args: [statement],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      memo: { acknowledged: statement },
      staticSummary: `a person acknowledged the end of ${account}/${orderId}`,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
