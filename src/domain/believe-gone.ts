import { updateCandidate } from './candidates';
import type { AnswerGiven, AnswerKind, Question, QuestionKind } from './question';
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

/**
 * The answers to the open question that do more when a person has checked the marketplace: that such a listing does
 * not exist, or that no truck comes for an acceptance without an answer.
 */
export function checkableAnswers(
  state: Pick<ShipmentState, 'question' | 'candidates'>,
): readonly AnswerKind[] {
  const { question } = state;
  if (question?.kind === 'unansweredAcceptance') return question.answers;
  if (question === null || perhapsGone(state).length === 0) return [];
  return question.answers.filter((kind) => saysGone(question, kind));
}

const saysGone = ({ kind }: Question, answer: AnswerKind): boolean =>
  SAY_GONE[kind]?.includes(answer) === true;

/**
 * Believes a person's check: the listings that the question named, and that answer 404 without proof, are gone.
 * Nobody checked other listings.
 */
export function believeGone(state: ShipmentState, { answer, checked }: AnswerGiven): ShipmentState {
  const { question } = state;
  if (checked === null || question === null || !saysGone(question, answer.kind)) return state;
  // The adopted listing exists.
  const kept = answer.kind === 'adopt' ? answer.listingId : null;
  const gone = perhapsGone(state).filter((listingId) => listingId !== kept);
  return gone.reduce((before, listingId) => updateCandidate(before, listingId, { gone: 'believed' }), state);
}
