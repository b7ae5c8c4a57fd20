import type { ShipmentPolicy } from './policy';
import type { IsoInstant, Shipment } from './shipment';

/** Why a person is asked. */
export type QuestionKind =
  | 'premiumUnknown'
  | 'priceApproval'
  | 'rateChoice'
  | 'noRates'
  | 'paymentMethod'
  | 'inDoubt'
  | 'listingEnded'
  | 'listingMissing'
  | 'possibleDoubleBooking'
  | 'pickupPassed'
  | 'unexpectedFailure';

/** What may be answered; each is an update of the workflow, and `cancel` is `cancelShipment`. */
export type AnswerKind = Answer['kind'] | 'cancel';

/** One clear question to a person. It can be open in any phase. */
export interface Question {
  /** Unique within the order, so that a repeated click is recognised and a late one refused. */
  readonly id: string;
  readonly kind: QuestionKind;
  readonly text: string;
  readonly since: IsoInstant;
  readonly answers: readonly AnswerKind[];
  /** `resend` is refused before: the first send may still be answered. */
  readonly resendFrom?: IsoInstant;
}

export type Answer =
  | { readonly kind: 'approve' }
  /** What the coverage costs, in hundredths of the currency of the price. */
  | { readonly kind: 'premium'; readonly premiumMinorUnits: number }
  | { readonly kind: 'selectRate'; readonly rateId: string }
  | { readonly kind: 'adopt'; readonly listingId: string }
  | { readonly kind: 'resend' }
  | { readonly kind: 'abandon' }
  | { readonly kind: 'retry' }
  | { readonly kind: 'postpone' }
  | ({ readonly kind: 'revise' } & OrderRevision)
  | { readonly kind: 'rebook' }
  | { readonly kind: 'close' };

/** The order as it is from now on. */
export interface OrderRevision {
  readonly shipment: Shipment;
  readonly policy: ShipmentPolicy;
  /** Of the document that it was read from. */
  readonly documentHash: string;
}

/** Who answers, to which question, and why; kept in the timeline. */
export interface AnswerGiven {
  readonly questionId: string;
  readonly by: string;
  readonly reason: string;
  /** What the person checked that Consign cannot: the goods are not on a truck, a listing is gone or is this order's. */
  readonly checked: string | null;
  readonly answer: Answer;
}
