import type { IsoInstant } from './shipment';

/** Why a person is asked. */
export type QuestionKind =
  | 'priceApproval'
  | 'rateChoice'
  | 'noRates'
  | 'paymentMethod'
  | 'accountTrouble'
  | 'inDoubt'
  | 'listingEnded'
  | 'unexpectedFailure';

/** What may be answered; each is an update of the workflow, and `cancel` is `cancelShipment`. */
export type AnswerKind =
  'approve' | 'selectRate' | 'adopt' | 'resend' | 'abandon' | 'retry' | 'rebook' | 'close' | 'cancel';

/** One clear question to a person. It can be open in any phase. */
export interface Question {
  /** Unique within the order, so that a repeated click is recognised and a late one refused. */
  readonly id: string;
  readonly kind: QuestionKind;
  readonly text: string;
  readonly since: IsoInstant;
  readonly answers: readonly AnswerKind[];
}

export type Answer =
  | { readonly kind: 'approve' }
  | { readonly kind: 'selectRate'; readonly rateId: string }
  | { readonly kind: 'adopt'; readonly listingId: string }
  | { readonly kind: 'resend' }
  | { readonly kind: 'abandon' }
  | { readonly kind: 'retry' }
  | { readonly kind: 'rebook' }
  | { readonly kind: 'close' };

/** Who answers, to which question, and why; kept in the timeline. */
export interface AnswerGiven {
  readonly questionId: string;
  readonly by: string;
  readonly reason: string;
  readonly answer: Answer;
}

/** Why an answer cannot be taken, or null when it can. Synchronous and without effect: it serves as validator. */
export function refuseAnswer(question: Question | null, given: AnswerGiven): string | null {
  if (given.by.trim() === '') return 'say who answers: `by` must not be empty';
  if (given.reason.trim() === '') return 'say why: `reason` must not be empty';
  if (question === null) return 'no question is open; it may have been answered or settled meanwhile';
  if (question.id !== given.questionId) {
    return `the open question is ${question.id}, not ${given.questionId}; read it again before answering`;
  }
  if (!question.answers.includes(given.answer.kind)) {
    return `question ${question.id} cannot be answered with ${given.answer.kind}; possible: ${question.answers.join(', ')}`;
  }
  return null;
}
