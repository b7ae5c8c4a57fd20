import type { Money } from './money';
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
  /** A carrier may still book what was accepted before: nothing is booked or closed beside it for now. */
  | 'stillConsidered'
  | 'unexpectedFailure';

/** What may be answered; each is an update of the workflow, and `cancel` is `cancelShipment`. */
export type AnswerKind = Answer['kind'] | 'cancel';

/** What a person is asked, and what code has to know of it: its text is for people. */
export interface NewQuestion {
  readonly kind: QuestionKind;
  readonly text: string;
  readonly answers: readonly AnswerKind[];
  /** `resend` is refused before: the first send may still be answered. */
  readonly resendFrom?: IsoInstant;
  /** The listings that the text names: of these, and no others, a person can say that they are gone. */
  readonly listingIds?: readonly string[];
  /** Of a price approval: what is approved. */
  readonly offer?: Offer;
}

/** A price that somebody asks. */
export interface Offer {
  readonly price: Money;
  /** Null for a furniture order. */
  readonly rateId: string | null;
}

/** One clear question to a person. It can be open in any phase. */
export interface Question extends Omit<NewQuestion, 'listingIds' | 'offer'> {
  /** Unique within the order, so that a repeated click is recognised and a late one refused. */
  readonly id: string;
  readonly since: IsoInstant;
  readonly listingIds: readonly string[];
  readonly offer: Offer | null;
  /** Where to get help with the account; null where the accounts file names none. */
  readonly supportAddress: string | null;
}

/** All that a person reads. */
export const questionText = ({ text, supportAddress }: Question): string =>
  supportAddress === null ? text : `${text} Support: ${supportAddress}.`;

/** An answer to a question, with what its kind needs. */
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
