import { commandLines } from './command-lines';
import type { AnswerGiven } from './question';
import { doubtOf, isBooked, type ShipmentState } from './shipment-state';

type Statement = Pick<AnswerGiven, 'by' | 'reason'>;

/**
 * Why an order cannot be withdrawn now; null when it can. Synchronous and without side effects, because an update
 * validator calls it.
 * @param standing the withdrawal that is already requested, if any
 */
export function refuseWithdrawal(
  state: ShipmentState,
  { by, reason }: Statement,
  standing: Statement | null,
): string | null {
  if (by.trim() === '') return 'say who withdraws it: `by` must not be empty';
  if (reason.trim() === '') return 'say why: `reason` must not be empty';
  if (isBooked(state)) {
    return `the shipment is booked; only the marketplace's web page can cancel it, and \`${commandLines.show(state)}\` has the link`;
  }
  // A repeated click: the same withdrawal is already requested.
  if (standing?.by === by && standing.reason === reason) return null;
  const { question, pause, at } = state;
  const doubt = doubtOf(state);
  if (doubt !== null && question === null)
    return `${doubt.what} is in doubt, which is settled first: wait for its question, or for the answer`;
  if (question !== null && !question.answers.includes('cancel'))
    return `question ${question.id} must be answered first`;
  if (at.phase === 'accepting' && question === null && pause === null)
    return 'a carrier is being booked right now; wait for its answer';
  if (standing !== null) return 'the order is already withdrawn';
  return null;
}
