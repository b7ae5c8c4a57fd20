import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { AccountPause, AccountTrouble } from '../domain/account-pause';
import type { AmendmentInput } from '../domain/amendment';
import type { LateEventState } from '../domain/late-event';
import type { MarketplaceEvent } from '../domain/marketplace-event';
import type { OrderRevision } from '../domain/question';
import { LATE_OUTCOME_SIGNAL, type LateOutcome } from '../domain/send-outcome';
import type { ShipmentState } from '../domain/shipment-state';

/** Type of the refusal of an update that came at the same moment as an event: repeating it is safe, and it is taken then. */
export const REPEAT_UPDATE = 'RepeatUpdate';

/** A webhook's event for this shipment, by whichever way it was routed. */
export const marketplaceEventReceivedSignal = defineSignal<[MarketplaceEvent]>('marketplaceEventReceived');

/** How a write ended that Temporal had given up: the activity delivers it for as long as it takes. */
export const lateOutcomeReceivedSignal = defineSignal<[LateOutcome]>(LATE_OUTCOME_SIGNAL);

/** Why shipments wait for their account. A worker sends each reason once, however many shipments meet it. */
export const accountTroubleMetSignal = defineSignal<[AccountTrouble]>('accountTroubleMet');

export const accountPauseQuery = defineQuery<AccountPause>('accountPause');

/** The account is fixed: every shipment that waits for it tries again. */
export const resumeAccountUpdate = defineUpdate<void, [Statement]>('resumeAccount');

/** The whole state, also after the end. */
export const shipmentStateQuery = defineQuery<ShipmentState>('shipmentState');

/** Who does it and why; both go into the shipment's timeline. */
export interface Statement {
  readonly by: string;
  readonly reason: string;
}

/** An answer names its question, so that one that comes late is not taken for another. */
export interface AnswerInput extends Statement {
  readonly questionId: string;
  /**
   * The run that was looked at. After a reset a write is only made when a person who says that nothing exists (`resend`)
   * or that it ended (`rebook`) has looked at this very run.
   */
  readonly runId?: string;
  /** What the person checked. Some answers are refused without it. */
  readonly checked?: string;
}

/** Every answer is an update of this form. */
export function defineAnswer<Input extends AnswerInput>(name: string) {
  return defineUpdate<void, [Input]>(name);
}

/** Takes the price although it is above the order's limit. */
export const approvePriceUpdate = defineAnswer<AnswerInput>('approvePrice');

/** States what the asked coverage costs, in hundredths of the currency of the price. */
export const statePremiumUpdate = defineAnswer<AnswerInput & { readonly premiumMinorUnits: number }>(
  'statePremium',
);

/** Takes one of the rates that the policy did not. */
export const selectRateUpdate = defineAnswer<AnswerInput & { readonly rateId: string }>('selectRate');

/** Says what became of a write in doubt. `resend` and `abandon` state that nothing exists. */
export type DoubtDecision =
  | { readonly kind: 'adopt'; readonly listingId: string }
  | { readonly kind: 'resend' }
  | { readonly kind: 'abandon' };

export const resolveInDoubtUpdate = defineAnswer<AnswerInput & { readonly decision: DoubtDecision }>(
  'resolveInDoubt',
);

/** What was in the way is out of it: go on. */
export const retryNowUpdate = defineAnswer<AnswerInput>('retryNow');

/** The pickup that cannot be kept any more moves to the next day that is possible. */
export const postponePickupUpdate = defineAnswer<AnswerInput>('postponePickup');

/** Another document takes the order's place, as long as it is not booked. */
export const reviseOrderUpdate = defineAnswer<AnswerInput & OrderRevision>('reviseOrder');

/** The open listing becomes what another document says; refused once it is booked, and while a question is open. */
export const amendListingUpdate = defineUpdate<void, [AmendmentInput]>('amendListing');

/** A booking that ended is sought anew, in the same run. */
export const rebookUpdate = defineAnswer<AnswerInput>('rebook');

/** A booking that ended is the end of the order. */
export const closeShipmentUpdate = defineAnswer<AnswerInput>('closeShipment');

/** Withdraws the order. Refused once it is booked, which only the marketplace's web page can undo. */
export const cancelShipmentUpdate = defineUpdate<void, [Statement]>('cancelShipment');

/** Asks for the documents that are missing again. */
export const fetchDocumentsUpdate = defineUpdate<void, [Statement]>('fetchDocuments');

/** A person has seen what a late event tells; it is not asked again. Of the workflow `lateEvent`. */
export const acknowledgeUpdate = defineUpdate<void, [Statement]>('acknowledge');

export const lateEventStateQuery = defineQuery<LateEventState>('lateEventState');
