import type { Client } from '@temporalio/client';
import type { Statement } from '../../contract/messages';
import { listDocuments, type DocumentFacts, type ListedDocument } from '../../domain/documents';
import { shipmentWorkflowId, type OrderKey } from '../../domain/workflow-id';
import { noWorkerAnswers } from './errors';
import { getShipment } from './get-shipment';
import { confirmed, type Receipt } from './request';
import { sendFetchDocuments } from './send-answer';

/** The documents of a shipment: those that are stored, and those that are not. */
export interface ShipmentDocuments extends Pick<DocumentFacts, 'billOfLading' | 'wantedAttachments'> {
  /** Images, bill of lading and attachments. `saveDocuments` writes their content. */
  readonly stored: readonly ListedDocument[];
}

/** @throws ShipmentNotFoundError, NoWorkerError */
export async function documentsOf(client: Client, order: OrderKey): Promise<ShipmentDocuments> {
  const { state, workflowId } = await getShipment(client, order);
  if (state === null) throw noWorkerAnswers(workflowId);
  const { billOfLading, wantedAttachments } = state;
  return { stored: listDocuments(state), billOfLading, wantedAttachments };
}

/**
 * Requests the missing documents of a shipment again.
 * @throws ShipmentNotFoundError, RefusedError, ShipmentEndedError, NotConfirmedError
 */
export async function refetchDocuments(client: Client, order: OrderKey, by: Statement): Promise<Receipt> {
  await getShipment(client, order);
  const handle = client.workflow.getHandle(shipmentWorkflowId(order.account, order.orderId));
  return await confirmed(client, { what: 'retry' }, async () => await sendFetchDocuments(handle, by));
}
