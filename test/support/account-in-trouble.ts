import type { Shipment } from '../../src/domain/shipment';
import { accountPauseWorkflowId, shipmentWorkflowId } from '../../src/domain/workflow-id';
import * as messages from '../../src/workflows/messages';
import { BY, type Harness } from './harness';
import { until } from './temporal';

/** Resolves once all of them wait for the account, and its one question counts them. */
export async function paused(harness: Harness, shipments: readonly Shipment[]): Promise<void> {
  for (const shipment of shipments) await harness.until(shipment, ({ state }) => state?.pause != null);
  const account = harness.temporal.client.workflow.getHandle(accountPauseWorkflowId('acme'));
  const ids = shipments.map((shipment) => shipmentWorkflowId(shipment.account, shipment.orderId));
  await until(async () => {
    const { waiting } = await account.query(messages.accountPauseQuery);
    return ids.every((id) => waiting.some(({ workflowId }) => workflowId === id));
  });
}

/** A person says that the account is mended. */
export async function resume(harness: Harness): Promise<void> {
  const account = harness.temporal.client.workflow.getHandle(accountPauseWorkflowId('acme'));
  await account.executeUpdate(messages.resumeAccountUpdate, { args: [BY] });
}
