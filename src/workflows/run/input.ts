import type { AccountPin } from '../../domain/account-pin';
import type { PendingAmendment } from '../../domain/amendment';
import type { MarketplaceEvent } from '../../domain/marketplace-event';
import type { ShipmentPolicy } from '../../domain/policy';
import type { AnswerGiven } from '../../domain/question';
import type { LateOutcome } from '../../domain/send-outcome';
import type { FurnitureShipment, LtlShipment, Shipment } from '../../domain/shipment';
import type { ShipmentState } from '../../domain/shipment-state';
import type { Statement } from '../../contract/messages';

/** The order as the workflow holds it: as it was started with, or revised since. */
export interface Order {
  readonly shipment: Shipment;
  readonly account: AccountPin;
  readonly policy: ShipmentPolicy;
  /** Whom to ask about trouble with the account. */
  readonly supportAddress?: string | undefined;
}

/** Carried over continue-as-new: the state, and what had arrived and was not yet handled. */
export interface CarriedState {
  readonly state: ShipmentState;
  readonly inbox: readonly MarketplaceEvent[];
  readonly withdrawal: Statement | null;
  readonly amendment: PendingAmendment | null;
  readonly cancelAsked: boolean;
  /** The answer to the open question, when it was given and not yet taken. */
  readonly pendingAnswer: AnswerGiven | null;
  /** Who answered last. */
  readonly answered: Statement | null;
  /** Whether the open question ends by itself, after some time or by an event. */
  readonly looksAgain: boolean;
  readonly lateOutcomes: readonly LateOutcome[];
  /** Of the document that the order was revised with; null: of the one that it was started with. */
  readonly documentHash: string | null;
  readonly order: Pick<Order, 'shipment' | 'policy'>;
}

interface ShipmentInputOf<S extends Shipment> {
  readonly shipment: S;
  readonly account: AccountPin;
  readonly policy: ShipmentPolicy;
  /** Listings that an earlier run of the order knew; they are read before anything is booked. */
  readonly earlierListings: readonly string[];
  /** Where to get help with the account; absent when the accounts file names none. */
  readonly supportAddress?: string;
  readonly carried?: CarriedState;
}

export type FurnitureShipmentInput = ShipmentInputOf<FurnitureShipment>;
export type LtlShipmentInput = ShipmentInputOf<LtlShipment>;
export type ShipmentInput = FurnitureShipmentInput | LtlShipmentInput;
