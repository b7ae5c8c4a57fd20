import type { Candidate } from './candidates';
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

/**
 * What a person has checked is believed of the listings that answer 404 without proof, as far as the question named them:
 * nobody looked at others.
 */
export function believeGone(state: ShipmentState, { answer, checked }: AnswerGiven): ShipmentState {
  const { question } = state;
  if (checked === null || question === null) return state;
  if (SAY_GONE[question.kind]?.includes(answer.kind) !== true) return state;
  // The one to keep is there.
  const kept = answer.kind === 'adopt' ? answer.listingId : null;
  const isBelieved = ({ listingId, gone }: Candidate): boolean =>
    gone === 'perhaps' && listingId !== kept && question.listingIds.includes(listingId);
  const candidates = state.candidates.map((one) =>
    isBelieved(one) ? { ...one, gone: 'believed' as const } : one,
  );
  return { ...state, candidates };
}
