import type { FixedPrice } from './fixed-price';
import { isPickupPast } from './pickup';
import { planAmendment } from './plan-amendment';
import type { ShipmentPolicy } from './policy';
import type { OrderRevision } from './question';
import { isSame } from './same';
import type { IsoInstant, Shipment } from './shipment';
import { isBooked, type ShipmentState } from './shipment-state';

/** How the last change of an open listing ended. Holds names of fields only, never their content. */
export interface AmendmentReport {
  readonly at: IsoInstant;
  readonly status: 'underWay' | 'done' | 'refused';
  readonly what: string;
}

/** A change that is accepted and not finished yet. */
export interface PendingAmendment {
  /** The only listing that this change applies to. */
  readonly listingId: string;
  readonly revision: OrderRevision;
  /** The price for this change. A repeated attempt must send exactly the same one. */
  readonly fixedPrice: FixedPrice | null;
  /** An attempt may have changed the listing; only the listing's record can say. */
  readonly wasSent: boolean;
  /** Something that the change needs could not be read. Consign tries again at the next event, or after some time. */
  readonly isPutOff: boolean;
}

export interface AmendmentInput extends OrderRevision {
  readonly by: string;
  readonly reason: string;
}

interface OrderNow {
  readonly shipment: Shipment;
  readonly policy: ShipmentPolicy;
  readonly isAmending: boolean;
  readonly isWithdrawn: boolean;
  readonly now: IsoInstant;
}

/**
 * Why a listing cannot be changed now; null when it can. Synchronous and without side effects, because an update
 * validator calls it.
 */
export function refuseAmendment(
  state: ShipmentState,
  order: OrderNow,
  { by, reason, shipment, policy }: AmendmentInput,
): string | null {
  if (by.trim() === '') return 'say who changes it: `by` must not be empty';
  if (reason.trim() === '') return 'say why: `reason` must not be empty';
  const refused = refuseState(state, order);
  if (refused !== null) return refused;
  if (shipment.account !== state.account || shipment.orderId !== state.orderId)
    return `this is order ${state.account}/${state.orderId}, the document is of ${shipment.account}/${shipment.orderId}`;
  if (shipment.kind !== 'furniture' || order.shipment.kind !== 'furniture')
    return `this is a ${state.kind} order, the document is of ${shipment.kind}`;
  if (isPickupPast(shipment, order.now)) return 'the last pickup day of the document is past';
  const isUnchanged = planAmendment(order.shipment, shipment).kind === 'nothing';
  return isUnchanged && isSame(policy, order.policy) ? 'the document says what the order already is' : null;
}

function refuseState(state: ShipmentState, { isAmending, isWithdrawn }: OrderNow): string | null {
  if (state.kind === 'ltl') return 'only the listing of a furniture order can be changed';
  if (isBooked(state)) return 'the shipment is booked; its listing can no longer be changed';
  if ('doubt' in state.at && state.at.doubt !== null)
    return `${state.at.doubt.what} is in doubt, which is settled first`;
  if (state.question !== null) return `question ${state.question.id} must be answered first`;
  if (state.at.phase !== 'awaitingBooking')
    return `the order has no open listing: it is ${state.at.phase}; try again once it waits for its booking`;
  if (isWithdrawn) return 'the order is withdrawn';
  return isAmending ? 'another change of the listing is under way; wait for its end' : null;
}
