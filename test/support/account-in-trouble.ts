import type { WorkflowHandle } from '@temporalio/client';
import type { Shipment } from '../../src/domain/shipment';
import { accountPauseWorkflowId } from '../../src/domain/workflow-id';
import { BY, type Harness } from './harness';
import { untilConfirmed } from './until-confirmed';

/** The one question about the account `acme`. */
export function accountOf(harness: Harness): WorkflowHandle {
  return harness.temporal.client.workflow.getHandle(accountPauseWorkflowId('acme'));
}

/** Resolves once all of them wait for the account; its one question is asked by then. */
export async function paused(harness: Harness, shipments: readonly Shipment[]): Promise<void> {
  for (const shipment of shipments) await harness.until(shipment, ({ state }) => state?.pause != null);
}

/** A person says that the account is fixed. */
export async function resume(harness: Harness): Promise<void> {
  await untilConfirmed(async () => await harness.shipments.retryAccount('acme', BY));
}
