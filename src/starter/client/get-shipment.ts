import { WorkflowFailedError, type Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { shipmentQuery, type WholeShipment } from '../../contract/messages';
import type { ShipmentPolicy } from '../../domain/policy';
import type { Shipment } from '../../domain/shipment';
import { parseWithdrawal, type ShipmentResult, type Withdrawal } from '../../domain/shipment-result';
import type { ShipmentState } from '../../domain/shipment-state';
import { shipmentWorkflowId, type OrderKey } from '../../domain/workflow-id';
import { notFound, noWorkerAnswers, ShipmentFailedError } from './errors';
import { answerOf, describeLast, failureOf, stateOf } from './last-run';
import { canShipmentsAnswer } from './pollers';

/** The result of `get`: Temporal's view of the run, and the shipment's own state when a worker answers. */
export interface ShipmentView {
  readonly workflowId: string;
  readonly runId: string;
  readonly status: string;
  readonly waitingFor: string | null;
  /** Null while no worker answers; `waitingFor` is available even then. */
  readonly state: ShipmentState | null;
  readonly failure: string | null;
  /** Who withdrew the order, and why; null unless it ended by that. */
  readonly withdrawal: Withdrawal | null;
}

const OPEN: ReadonlySet<string> = new Set(['RUNNING', 'PAUSED', 'CONTINUED_AS_NEW']);

/** Whether the shipment goes on. */
export const isOpen = ({ status }: Pick<ShipmentView, 'status'>): boolean => OPEN.has(status);

/** @throws ShipmentNotFoundError */
export async function getShipment(client: Client, order: OrderKey): Promise<ShipmentView> {
  const workflowId = shipmentWorkflowId(order.account, order.orderId);
  const [found, canAnswer] = await Promise.all([
    describeLast(client, workflowId),
    canShipmentsAnswer(client),
  ]);
  if (found === null) throw notFound(order);
  return {
    workflowId,
    runId: found.runId,
    status: found.status.name,
    waitingFor: typeof found.memo?.waitingFor === 'string' ? found.memo.waitingFor : null,
    state: canAnswer ? await stateOf(client, workflowId, found.runId) : null,
    failure: (await failureOf(client, workflowId, found))?.message ?? null,
    withdrawal: parseWithdrawal(found.memo?.withdrawn),
  };
}

/** @throws ShipmentNotFoundError, NoWorkerError */
export async function getOrder(client: Client, order: OrderKey): Promise<Shipment> {
  return (await getWholeShipment(client, order)).order;
}

/** @throws ShipmentNotFoundError, NoWorkerError */
export async function getPolicy(client: Client, order: OrderKey): Promise<ShipmentPolicy> {
  return (await getWholeShipment(client, order)).policy;
}

/** One answer of a worker, so its parts fit together. @throws ShipmentNotFoundError, NoWorkerError */
export async function getWholeShipment(client: Client, order: OrderKey): Promise<WholeShipment> {
  const workflowId = shipmentWorkflowId(order.account, order.orderId);
  const [found, canAnswer] = await Promise.all([
    describeLast(client, workflowId),
    canShipmentsAnswer(client),
  ]);
  if (found === null) throw notFound(order);
  const known = canAnswer ? await answerOf(client, { workflowId, runId: found.runId }, shipmentQuery) : null;
  if (known === null) throw noWorkerAnswers(workflowId);
  return known;
}

/** Waits for the end. @throws ShipmentFailedError, ShipmentNotFoundError */
export async function resultOf(client: Client, order: OrderKey): Promise<ShipmentResult> {
  const workflowId = shipmentWorkflowId(order.account, order.orderId);
  if ((await describeLast(client, workflowId)) === null) throw notFound(order);
  try {
    return await client.workflow.getHandle<() => Promise<ShipmentResult>>(workflowId).result();
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    const { cause } = error;
    const type = cause instanceof ApplicationFailure ? (cause.type ?? null) : null;
    throw new ShipmentFailedError(
      `${workflowId} did not complete: ${cause?.message ?? error.message}`,
      type,
      {
        cause: error,
      },
    );
  }
}
