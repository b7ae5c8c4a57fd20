import type { AccountPin } from '../domain/account-pin';
import type { MarketplaceEvent } from '../domain/marketplace-event';
import type { ShipmentPolicy } from '../domain/policy';
import type { LateOutcome } from '../domain/send-outcome';
import type { FurnitureShipment, LtlShipment, Shipment } from '../domain/shipment';
import type { ShipmentState } from '../domain/shipment-state';
import type { Statement } from './messages';

/** Carried over continue-as-new: the state, and what had arrived and was not yet handled. */
export interface CarriedState {
  readonly state: ShipmentState;
  readonly inbox: readonly MarketplaceEvent[];
  readonly withdrawal: Statement | null;
  readonly lateOutcomes?: readonly LateOutcome[];
}

interface ShipmentInputOf<S extends Shipment> {
  readonly shipment: S;
  readonly account: AccountPin;
  readonly policy: ShipmentPolicy;
  readonly carried?: CarriedState;
}

export type FurnitureShipmentInput = ShipmentInputOf<FurnitureShipment>;
export type LtlShipmentInput = ShipmentInputOf<LtlShipment>;
export type ShipmentInput = FurnitureShipmentInput | LtlShipmentInput;
