import type { AccountPin } from '../../domain/account-pin';
import type { PendingAmendment } from '../../domain/amendment';
import type { MarketplaceEvent } from '../../domain/marketplace-event';
import type { Notification, Notified } from '../../domain/notifications';
import type { ShipmentPolicy } from '../../domain/policy';
import type { AnswerGiven } from '../../domain/question';
import type { LateOutcome } from '../../domain/send-outcome';
import type { FurnitureShipment, LtlShipment, Shipment } from '../../domain/shipment';
import type { ShipmentState } from '../../domain/shipment-state';
import type { Statement } from '../../contract/messages';

/** The order with which the workflow works: the original, or its latest revision. */
export interface Order {
  readonly shipment: Shipment;
  readonly account: AccountPin;
  readonly policy: ShipmentPolicy;
  /** Where to get help with the account. */
  readonly supportAddress?: string | undefined;
}

/** What the endpoints of the account know, and what is still to be sent to them. */
export interface CarriedNotifications {
  readonly notified: Notified;
  /** How many notifications the order has raised. */
  readonly raised: number;
  readonly outbox: readonly Notification[];
  /** Whether the workflow that delivers was started. */
  readonly hasDelivery: boolean;
}

/** What continue-as-new carries: the state, and everything that has arrived and is not handled yet. */
export interface CarriedState {
  readonly state: ShipmentState;
  readonly inbox: readonly MarketplaceEvent[];
  readonly withdrawal: Statement | null;
  readonly amendment: PendingAmendment | null;
  readonly cancelAsked: boolean;
  /** An answer to the open question that was given and is not acted on yet. */
  readonly pendingAnswer: AnswerGiven | null;
  /** The person who answered last. */
  readonly answered: Statement | null;
  /** Whether an event or some time closes the open question without an answer. */
  readonly looksAgain: boolean;
  readonly lateOutcomes: readonly LateOutcome[];
  /** Hash of the revised document; null while the order is not revised. */
  readonly documentHash: string | null;
  /** The run before a reset, whose writes may not be repeated; null once a person confirmed that they may. */
  readonly resetFrom: string | null;
  readonly order: Pick<Order, 'shipment' | 'policy'>;
  /** Absent when the account has no endpoints. */
  readonly notifications?: CarriedNotifications;
}

interface ShipmentInputOf<S extends Shipment> {
  readonly shipment: S;
  readonly account: AccountPin;
  readonly policy: ShipmentPolicy;
  /** Listings of an earlier run of the order, to read before anything is booked. */
  readonly earlierListings: readonly string[];
  /** Where to get help with the account; absent when the accounts file names no address. */
  readonly supportAddress?: string;
  /** Present when the account has endpoints at the start: its notifications are an order's for as long as it lasts. */
  readonly notifies?: true;
  readonly carried?: CarriedState;
}

export type FurnitureShipmentInput = ShipmentInputOf<FurnitureShipment>;
export type LtlShipmentInput = ShipmentInputOf<LtlShipment>;
export type ShipmentInput = FurnitureShipmentInput | LtlShipmentInput;
