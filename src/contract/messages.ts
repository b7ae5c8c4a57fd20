import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { AccountPause, AccountTrouble } from '../domain/account-pause';
import type { AmendmentInput } from '../domain/amendment';
import type { LateEventState } from '../domain/late-event';
import type { MarketplaceEvent } from '../domain/marketplace-event';
import type { DeliveryState } from '../domain/notification-delivery';
import type { Notification } from '../domain/notifications';
import type { ShipmentPolicy } from '../domain/policy';
import type { OrderRevision } from '../domain/question';
import { LATE_OUTCOME_SIGNAL, type LateOutcome } from '../domain/send-outcome';
import type { Shipment } from '../domain/shipment';
import type { ShipmentState } from '../domain/shipment-state';

/** An event for this shipment, however it was routed. */
export const marketplaceEventReceivedSignal = defineSignal<[MarketplaceEvent]>('marketplaceEventReceived');

/** The outcome of a write whose activity Temporal timed out. The activity repeats the signal until it is delivered. */
export const lateOutcomeReceivedSignal = defineSignal<[LateOutcome]>(LATE_OUTCOME_SIGNAL);

/** Why shipments wait for their account. A worker sends each reason once, for any number of shipments. */
export const accountTroubleMetSignal = defineSignal<[AccountTrouble]>('accountTroubleMet');

export const accountPauseQuery = defineQuery<AccountPause>('accountPause');

/** The account is fixed: every shipment that waits for it tries again. */
export const resumeAccountUpdate = defineUpdate<void, [Statement]>('resumeAccount');

/** The whole state, even after the end. */
export const shipmentStateQuery = defineQuery<ShipmentState>('shipmentState');

/** Everything about a shipment. */
export interface WholeShipment {
  /** As it was last revised. Contains people's data. */
  readonly order: Shipment;
  /** What the order follows: its own document's policy, on top of its account's. */
  readonly policy: ShipmentPolicy;
  readonly state: ShipmentState;
}

/** Answers even after the end, like `shipmentState`. */
export const shipmentQuery = defineQuery<WholeShipment>('shipment');

/** Who acts and why, for the shipment's timeline. */
export interface Statement {
  readonly by: string;
  readonly reason: string;
}

/** An answer names its question, so a late answer cannot reach another question. */
export interface AnswerInput extends Statement {
  readonly questionId: string;
  /**
   * The run that the person looked at. After a reset, a write requires that a person looked at this very run, and
   * stated that nothing exists (`resend`) or that the booking ended (`rebook`).
   */
  readonly runId?: string;
  /** What the person checked. Some answers are refused without it. */
  readonly checked?: string;
}

/** The form of every answer's update. */
export function defineAnswer<Input extends AnswerInput>(name: string) {
  return defineUpdate<void, [Input]>(name);
}

/** Approves a price above the order's limit. */
export const approvePriceUpdate = defineAnswer<AnswerInput>('approvePrice');

/** States the cost of the coverage, in hundredths of the price's currency. */
export const statePremiumUpdate = defineAnswer<AnswerInput & { readonly premiumMinorUnits: number }>(
  'statePremium',
);

/** Accepts a rate that the policy did not choose. */
export const selectRateUpdate = defineAnswer<AnswerInput & { readonly rateId: string }>('selectRate');

/** Decides a write in doubt. `resend` and `abandon` state that nothing exists. */
export type DoubtDecision =
  | { readonly kind: 'adopt'; readonly listingId: string }
  | { readonly kind: 'resend' }
  | { readonly kind: 'abandon' };

export const resolveInDoubtUpdate = defineAnswer<AnswerInput & { readonly decision: DoubtDecision }>(
  'resolveInDoubt',
);

/** The obstacle is gone: try again. */
export const retryNowUpdate = defineAnswer<AnswerInput>('retryNow');

/** Moves a pickup that no carrier can keep any more to the next possible day. */
export const postponePickupUpdate = defineAnswer<AnswerInput>('postponePickup');

/** Replaces the order's document before it is booked. */
export const reviseOrderUpdate = defineAnswer<AnswerInput & OrderRevision>('reviseOrder');

/**
 * Changes the open listing to match another document. Refused once the listing is booked, and while a question is
 * open.
 */
export const amendListingUpdate = defineUpdate<void, [AmendmentInput]>('amendListing');

/** Books again in the same run, after a booking ended. */
export const rebookUpdate = defineAnswer<AnswerInput>('rebook');

/** Ends the order, after a booking ended. */
export const closeShipmentUpdate = defineAnswer<AnswerInput>('closeShipment');

/** Withdraws the order. Refused once it is booked: then a person must cancel on the marketplace's web page. */
export const cancelShipmentUpdate = defineUpdate<void, [Statement]>('cancelShipment');

/** Asks again for missing documents. */
export const fetchDocumentsUpdate = defineUpdate<void, [Statement]>('fetchDocuments');

/** A person has seen the problem that a `lateEvent` workflow reports, and it is not asked again. */
export const acknowledgeUpdate = defineUpdate<void, [Statement]>('acknowledge');

export const lateEventStateQuery = defineQuery<LateEventState>('lateEventState');

/** News of a shipment for the endpoints of its account. The shipment sends a batch again after an interruption. */
export const notificationsRaisedSignal = defineSignal<[readonly Notification[]]>('notificationsRaised');

/** A person wants known notifications to be sent again: from this id on, or all with null. */
export const notificationsReplayAskedSignal = defineSignal<[string | null]>('notificationsReplayAsked');

/** A person has fixed an endpoint, or all with null: it is tried again at once. */
export const notificationsRetryAskedSignal = defineSignal<[string | null]>('notificationsRetryAsked');

export const notificationDeliveryQuery = defineQuery<DeliveryState>('notificationDelivery');
