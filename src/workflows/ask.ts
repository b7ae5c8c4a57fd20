import { ActivityFailure, ApplicationFailure, condition, TemporalFailure } from '@temporalio/workflow';
import { FailureType } from '../domain/failure-type';
import type { Answer, AnswerKind, QuestionKind } from '../domain/question';
import { reasonOf } from './failure-cause';
import { Moved, Revised, Withdrawn } from './leave-phase';
import { adoptLive, putOffEvents } from './our-listings';
import type { ShipmentRun } from './shipment-run';

interface NewQuestion {
  readonly kind: QuestionKind;
  readonly text: string;
  readonly answers: readonly AnswerKind[];
}

/**
 * Asks a person and waits for the answer, however long: only a person can settle it, or an event that tells of a booking
 * that an earlier attempt left behind. Only for phases in which nothing is under way at the marketplace.
 * @throws LeavePhase when the order was withdrawn, revised, or is booked after all
 */
export async function ask(run: ShipmentRun, { kind, text, answers }: NewQuestion): Promise<Answer> {
  run.open(kind, text, answers);
  for (;;) {
    await condition(() => run.hasAnswer() || run.isToBeRetired() || run.inbox.length > 0);
    const answer = run.takeAnswer();
    if (answer?.kind === 'revise') {
      run.revise(answer);
      throw new Revised();
    }
    if (answer !== null) return answer;
    const isBookedAfterAll = !run.isToBeRetired() && (await adoptIfReadable(run));
    if (!isBookedAfterAll && !run.isToBeRetired()) continue;
    run.close();
    throw isBookedAfterAll ? new Moved() : new Withdrawn();
  }
}

/**
 * What cannot be read, or is in the way of what comes next, is kept and looked at again before anything is booked: the
 * question that is open comes first.
 */
async function adoptIfReadable(run: ShipmentRun): Promise<boolean> {
  try {
    return await adoptLive(run);
  } catch (error) {
    if (!(error instanceof TemporalFailure) || !(error instanceof ActivityFailure || isAboutStray(error)))
      throw error;
    putOffEvents(run);
    run.note(`an event could not be acted upon as yet: ${reasonOf(error)}`);
    return false;
  }
}

const isAboutStray = (error: TemporalFailure): boolean =>
  error instanceof ApplicationFailure && error.type === FailureType.UnexpectedResponse;
