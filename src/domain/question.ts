import type { Money } from './money';
import type { ShipmentPolicy } from './policy';
import type { IsoInstant, Shipment } from './shipment';

export const QUESTION_KINDS = [
  ...(['premiumUnknown', 'priceApproval', 'rateChoice', 'noRates', 'paymentMethod', 'inDoubt'] as const),
  ...(['listingEnded', 'listingMissing', 'possibleDoubleBooking', 'pickupPassed'] as const),
  ...(['unansweredAcceptance', 'priceChanged', 'late'] as const),
  // A carrier may still book an earlier acceptance: nothing else is booked or closed for now.
  'stillConsidered',
  'unexpectedFailure',
] as const;
/** Why a person is asked. */
export type QuestionKind = (typeof QUESTION_KINDS)[number];

/** Possible answers. Each is an update of the workflow; `cancel` is `cancelShipment`. */
export type AnswerKind = Answer['kind'] | 'cancel';

/** What a person is asked. Code reads the fields; the text is for people. */
export interface NewQuestion {
  readonly kind: QuestionKind;
  readonly text: string;
  readonly answers: readonly AnswerKind[];
  /** Before this instant `resend` is refused, because the carrier may still answer the first send. */
  readonly resendFrom?: IsoInstant;
  /** The listings that the text names. A person can state only of these that they are gone. */
  readonly listingIds?: readonly string[];
  /** The offer to approve, in a price approval. */
  readonly offer?: Offer;
}

/** A price that a carrier or the marketplace asks. */
export interface Offer {
  readonly price: Money;
  /** Null for furniture. */
  readonly rateId: string | null;
}

/** An open question to a person. Every phase can have one. */
export interface Question extends Omit<NewQuestion, 'listingIds' | 'offer'> {
  /** Unique within the order: a repeated answer is recognised, and a late one is refused. */
  readonly id: string;
  readonly since: IsoInstant;
  readonly listingIds: readonly string[];
  readonly offer: Offer | null;
  /** Where to get help with the account; null when the accounts file has no address. */
  readonly supportAddress: string | null;
}

/** The kind of the question with this id, which ends with it. */
export const kindOf = (questionId: string): QuestionKind | null =>
  QUESTION_KINDS.find((kind) => questionId.endsWith(`-${kind}`)) ?? null;

/** The full text for a person. */
export const questionText = ({ text, supportAddress }: Question): string =>
  supportAddress === null ? text : `${text} Support: ${supportAddress}.`;

/** An answer to a question, with what its kind needs. */
export type Answer =
  | { readonly kind: 'approve' }
  /** Cost of the coverage, in hundredths of the price's currency. */
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

/** The order after a revision. */
export interface OrderRevision {
  readonly shipment: Shipment;
  readonly policy: ShipmentPolicy;
  /** Hash of the new document. */
  readonly documentHash: string;
}

/** Who answers which question, and why; kept in the timeline. */
export interface AnswerGiven {
  readonly questionId: string;
  readonly by: string;
  readonly reason: string;
  /**
   * What the person checked that Consign cannot check: that the goods are not on a truck, or that a listing is gone
   * or is this order's.
   */
  readonly checked: string | null;
  readonly answer: Answer;
}
