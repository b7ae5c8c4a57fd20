import type { AccountPause } from '../domain/account-pause';
import type { AccountPin } from '../domain/account-pin';
import type { EventPolicy } from '../domain/event-policy';
import type { LateEventState } from '../domain/late-event';
import type { MarketplaceEvent } from '../domain/marketplace-event';
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
  /** Of the run before, whose history had grown long. */
  readonly carried?: CarriedLookUp;
}

export interface CarriedLookUp {
  readonly events: readonly MarketplaceEvent[];
  readonly taken: number;
  readonly replays: number;
  readonly looks: number;
  /** Until when an unreadable listing is looked at; epoch milliseconds. */
  readonly endsAt: number;
}

/** Whose the listing is; null means that it was read and names no order of ours, so that its events are dropped. */
export interface UnroutedEventResult {
  readonly workflowId: string | null;
  readonly events: number;
}

/** Who has seen to a shipment that Temporal ended, and what was done. */
export interface EndAcknowledgedInput {
  readonly by: string;
  readonly reason: string;
}

export interface LateEventInput {
  readonly account: AccountPin;
  readonly orderId: string;
  /** Null when the event names none: the order's is taken. */
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
  /** Null leaves the fixed price out. */
  readonly furniture: FurnitureShipment | null;
  /** Null leaves the rates out. */
  readonly ltl: LtlShipment | null;
  readonly rates: ShipmentPolicy['rates'];
  /** Null leaves the reads of a listing out. */
  readonly listingId: string | null;
}
