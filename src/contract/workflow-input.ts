import type { AccountPause } from '../domain/account-pause';
import type { AccountPin } from '../domain/account-pin';
import type { EventPolicy } from '../domain/event-policy';
import type { LateEventState } from '../domain/late-event';
import type { MarketplaceEvent } from '../domain/marketplace-event';
import type { DeliveryState } from '../domain/notification-delivery';
import type { Notification } from '../domain/notifications';
import type { ShipmentPolicy } from '../domain/policy';
import type { FurnitureShipment, LtlShipment } from '../domain/shipment';

export interface AccountPauseInput {
  readonly account: AccountPin;
  readonly supportAddress: string | null;
  readonly carried?: AccountPause;
}

export interface UnroutedEventInput {
  readonly account: AccountPin;
  readonly listingId: string;
  readonly policy: EventPolicy;
  /** From the previous run, whose history was too long. */
  readonly carried?: CarriedLookUp;
}

export interface CarriedLookUp {
  readonly events: readonly MarketplaceEvent[];
  readonly taken: number;
  readonly replays: number;
  readonly looks: number;
  /** Until when an unreadable listing is read again; epoch milliseconds. */
  readonly endsAt: number;
}

/**
 * The order of the listing. Null: the listing was read and names no order of the account, so its events are dropped.
 */
export interface UnroutedEventResult {
  readonly workflowId: string | null;
  readonly events: number;
}

/** Who handled a shipment that Temporal ended, and what was done. */
export interface EndAcknowledgedInput {
  readonly by: string;
  readonly reason: string;
}

/** What came with an idempotency key. */
export interface IdempotencyKeyInput {
  /** Digest of the request. */
  readonly request: string;
}

export interface LateEventInput {
  readonly account: AccountPin;
  readonly orderId: string;
  /** Null when the event names none: then the order's own listing is read. */
  readonly listingId: string | null;
  readonly policy: EventPolicy;
  readonly carried?: { readonly state: LateEventState; readonly events: readonly MarketplaceEvent[] };
}

export interface FurnitureQuoteInput {
  readonly account: AccountPin;
  readonly shipment: FurnitureShipment;
}

export interface LtlQuoteInput {
  readonly account: AccountPin;
  readonly shipment: LtlShipment;
  readonly policy: ShipmentPolicy;
}

export interface ConformanceInput {
  readonly account: AccountPin;
  /** Null skips the fixed price. */
  readonly furniture: FurnitureShipment | null;
  /** Null skips the rates. */
  readonly ltl: LtlShipment | null;
  readonly rates: ShipmentPolicy['rates'];
  /** Null skips the reads of a listing. */
  readonly listingId: string | null;
}

export interface NotificationDeliveryInput {
  readonly account: AccountPin;
  readonly orderId: string;
  /** The news that started it; empty when a person replays. */
  readonly batch: readonly Notification[];
  /** From the previous run, or from an ended one whose notifications are replayed. */
  readonly carried?: DeliveryState;
}
