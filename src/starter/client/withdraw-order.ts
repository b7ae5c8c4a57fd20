import type { Client } from '@temporalio/client';
import type { Statement } from '../../contract/messages';
import { accountPauseWorkflowId, shipmentWorkflowId, type OrderKey } from '../../domain/workflow-id';
import { ShipmentEndedError } from './errors';
import { getShipment } from './get-shipment';
import { confirmed, type Receipt } from './request';
import { sendResume, sendWithdrawal } from './send-answer';

const DONE_BEFORE: Receipt = { outcome: 'doneBefore' };
const NOTHING_BOOKED: ReadonlySet<string> = new Set(['FAILED', 'CANCELLED']);

/**
 * Withdraws an order that is not booked.
 * @throws ShipmentNotFoundError, RefusedError, ShipmentEndedError, NotConfirmedError
 */
export async function withdrawOrder(client: Client, order: OrderKey, by: Statement): Promise<Receipt> {
  await getShipment(client, order);
  const handle = client.workflow.getHandle(shipmentWorkflowId(order.account, order.orderId));
  try {
    return await confirmed(client, { what: 'withdrawal' }, async () => await sendWithdrawal(handle, by));
  } catch (error) {
    if (!(error instanceof ShipmentEndedError)) throw error;
    const { status, withdrawal } = await getShipment(client, order);
    // An earlier try of this withdrawal may be what ended the shipment.
    if (NOTHING_BOOKED.has(status) || withdrawal !== null) return DONE_BEFORE;
    throw error;
  }
}

/**
 * Resumes the shipments that are paused because of an account.
 * @throws RefusedError, NotConfirmedError
 */
export async function resumeAccount(client: Client, account: string, by: Statement): Promise<Receipt> {
  const handle = client.workflow.getHandle(accountPauseWorkflowId(account));
  try {
    return await confirmed(client, { what: 'retry' }, async () => await sendResume(handle, by));
  } catch (error) {
    if (error instanceof ShipmentEndedError) return DONE_BEFORE;
    throw error;
  }
}
