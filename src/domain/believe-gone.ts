import { know } from './candidates';
import type { AnswerGiven, AnswerKind, QuestionKind } from './question';
import type { ShipmentState } from './shipment-state';

/** The answers that act upon a listing as if it did not exist. What was checked for any other one says something else. */
const SAY_GONE: Readonly<Partial<Record<QuestionKind, readonly AnswerKind[]>>> = {
  listingMissing: ['rebook', 'close'],
  listingEnded: ['rebook', 'close'],
  possibleDoubleBooking: ['adopt', 'retry'],
  inDoubt: ['resend', 'abandon'],
  unexpectedFailure: ['retry'],
};

/** The listings of the open question that answer 404, while nothing proves that they do not exist. */
export const perhapsGone = ({
  question,
  candidates,
}: Pick<ShipmentState, 'question' | 'candidates'>): readonly string[] =>
  candidates.flatMap(({ listingId, gone }) =>
    gone === 'perhaps' && question?.listingIds.includes(listingId) === true ? [listingId] : [],
  );

/** The answers to the open question by which a person can say that such a listing does not exist. */
export function checkableAnswers(
  state: Pick<ShipmentState, 'question' | 'candidates'>,
): readonly AnswerKind[] {
  const { question } = state;
  if (question === null || perhapsGone(state).length === 0) return [];
  return question.answers.filter((kind) => SAY_GONE[question.kind]?.includes(kind) === true);
}

/**
 * What a person has checked is believed of the listings that answer 404 without proof, as far as the question named them:
 * nobody looked at others.
 */
export function believeGone(state: ShipmentState, { answer, checked }: AnswerGiven): ShipmentState {
  if (checked === null || !checkableAnswers(state).includes(answer.kind)) return state;
  // The one to keep is there.
  const kept = answer.kind === 'adopt' ? answer.listingId : null;
  const gone = perhapsGone(state).filter((listingId) => listingId !== kept);
  return gone.reduce((before, listingId) => know(before, listingId, { gone: 'believed' }), state);
}
