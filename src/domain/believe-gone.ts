import { updateCandidate } from './candidates';
import type { AnswerGiven, AnswerKind, QuestionKind } from './question';
import type { ShipmentState } from './shipment-state';

/** Answers that treat a listing as gone. A person's check that comes with any other answer is about something else. */
const SAY_GONE: Readonly<Partial<Record<QuestionKind, readonly AnswerKind[]>>> = {
  listingMissing: ['rebook', 'close'],
  listingEnded: ['rebook', 'close'],
  possibleDoubleBooking: ['adopt', 'retry'],
  inDoubt: ['resend', 'abandon'],
  unexpectedFailure: ['retry'],
};

/** The open question's listings that answer 404 without proof that they do not exist. */
export const perhapsGone = ({
  question,
  candidates,
}: Pick<ShipmentState, 'question' | 'candidates'>): readonly string[] =>
  candidates.flatMap(({ listingId, gone }) =>
    gone === 'perhaps' && question?.listingIds.includes(listingId) === true ? [listingId] : [],
  );

/** The answers to the open question that let a person state that such a listing does not exist. */
export function checkableAnswers(
  state: Pick<ShipmentState, 'question' | 'candidates'>,
): readonly AnswerKind[] {
  const { question } = state;
  if (question === null || perhapsGone(state).length === 0) return [];
  return question.answers.filter((kind) => SAY_GONE[question.kind]?.includes(kind) === true);
}

/**
 * Believes a person's check: the listings that the question named, and that answer 404 without proof, are gone.
 * Nobody checked other listings.
 */
export function believeGone(state: ShipmentState, { answer, checked }: AnswerGiven): ShipmentState {
  if (checked === null || !checkableAnswers(state).includes(answer.kind)) return state;
  // The adopted listing exists.
  const kept = answer.kind === 'adopt' ? answer.listingId : null;
  const gone = perhapsGone(state).filter((listingId) => listingId !== kept);
  return gone.reduce((before, listingId) => updateCandidate(before, listingId, { gone: 'believed' }), state);
}
