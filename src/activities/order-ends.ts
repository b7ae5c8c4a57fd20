import type { OrderEnd } from '../domain/late-event';
import type { ShipmentResult } from '../domain/shipment-result';
import { shipmentWorkflowId } from '../domain/workflow-id';
import { readOrderEnd } from '../temporal/describe-last-run';
import type { AccountInput, ActivityDependencies } from './dependencies';

export interface OrderEndInput extends AccountInput {
  readonly orderId: string;
}

export function createOrderEndActivities({ client }: ActivityDependencies) {
  /** The state of an order's last run, from Temporal; makes no marketplace call. */
  async function getOrderEnd({ account, orderId }: OrderEndInput): Promise<OrderEnd> {
    const workflowId = shipmentWorkflowId(account.name, orderId);
    const found = await readOrderEnd(client, workflowId);
    if (found === null) return { status: 'unknown', listingId: null, standingListings: [], price: null };
    const { runId, ...end } = found;
    if (end.status !== 'completed') return { ...end, price: null };
    const handle = client.workflow.getHandle<() => Promise<ShipmentResult>>(workflowId, runId);
    const result = await handle.result();
    if (result.kind === 'withdrawn')
      return { ...end, status: 'withdrawn', listingId: result.listingIds.at(-1) ?? null, price: null };
    return { ...end, listingId: result.listingId, price: result.price };
  }
  return { getOrderEnd };
}
