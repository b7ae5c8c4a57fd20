import type { Client } from '@temporalio/client';
import type { ShipmentPolicy } from '../../src/domain/policy';
import type { Shipment } from '../../src/domain/shipment';
import type { ShipmentState } from '../../src/domain/shipment-state';
import { SHIPMENTS_QUEUE } from '../../src/contract/task-queue';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import type { CarriedState, ShipmentInput } from '../../src/workflows/run/input';
import { FAST_POLICY } from './harness';

const HOUR_MS = 3_600_000;

interface NextRun {
  /** The document by then; the order itself when left out. */
  readonly shipment?: Shipment;
  readonly policy?: Partial<ShipmentPolicy>;
  readonly carried: Partial<CarriedState> & Pick<CarriedState, 'state'>;
}

/**
 * As continue-as-new does, with what is different by then: no clock can be moved, but a run can go on from a state, or
 * with a document, of another time.
 */
export async function goOn(
  client: Client,
  order: Shipment,
  { shipment = order, policy, carried }: NextRun,
): Promise<void> {
  const workflowId = shipmentWorkflowId(order.account, order.orderId);
  await client.workflow.getHandle(workflowId).terminate('goes on in another run');
  const ownPolicy = { ...FAST_POLICY, ...policy };
  const input: Omit<ShipmentInput, 'shipment'> & { readonly shipment: Shipment } = {
    shipment,
    account: { name: order.account, environment: 'sandbox' },
    policy: ownPolicy,
    earlierListings: [],
    carried: {
      ...{
        inbox: [],
        withdrawal: null,
        amendment: null,
        cancelAsked: false,
        pendingAnswer: null,
        answered: null,
        looksAgain: false,
        lateOutcomes: [],
      },
      ...{ documentHash: null, resetFrom: null, order: { shipment, policy: ownPolicy } },
      ...carried,
    },
  };
  const type = order.kind === 'ltl' ? 'ltlShipment' : 'furnitureShipment';
  await client.workflow.start(type, { workflowId, taskQueue: SHIPMENTS_QUEUE, args: [input] });
}

/** The state of an order whose acceptance was sent so many hours ago. */
export function pendingFor(state: ShipmentState | null, hours: number): ShipmentState {
  if (state?.at.phase !== 'accepting' || state.at.pending === null) throw new TypeError('it is not pending');
  const since = new Date(Date.now() - hours * HOUR_MS).toISOString();
  return { ...state, at: { ...state.at, pending: { ...state.at.pending, since } } };
}
