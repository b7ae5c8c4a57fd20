import { ActivityFailure, ApplicationFailure, condition, TemporalFailure } from '@temporalio/workflow';
import { FailureType } from '../../domain/failure-type';
import type { Answer, NewQuestion } from '../../domain/question';
import { isSame } from '../../domain/same';
import { PhaseChanged, Revised, Withdrawn } from '../run/leave-phase';
import { adoptLiveBriefly, putOffEvents } from '../listing/candidates';
import type { ShipmentRun } from '../run/shipment-run';

/**
 * Asks a person and waits without limit. Only the person can settle the question, or an event about a booking from an
 * earlier attempt. Only for phases in which nothing is under way at the marketplace.
 * @throws LeavePhase when the order was withdrawn, was revised, or is booked after all
 */
export async function ask(run: ShipmentRun, asked: NewQuestion): Promise<Answer> {
  if (!isAnswered(run, asked)) run.open(asked);
  await untilAnswered(run);
  const answer = run.consumeAnswer();
  if (answer === null) throw new TypeError('the wait for an answer ended without one');
  if (answer.kind !== 'revise') return answer;
  run.revise(answer);
  throw new Revised();
}

/** Whether an earlier run asked this question and it is answered. A different price is a new question. */
function isAnswered(run: ShipmentRun, { kind, offer }: NewQuestion): boolean {
  const { question } = run.state;
  if (question?.kind !== kind || !run.hasAnswer()) return false;
  return isSame(question.offer, offer ?? null);
}

/**
 * Resumes a question that the previous run left open: nothing is done again before a person answers. The phase then
 * asks again and finds the answer. After a failure the phase runs again anyway.
 * @throws LeavePhase as `ask` does
 */
export async function resumeQuestion(run: ShipmentRun): Promise<void> {
  await untilAnswered(run);
  const isOfFailure = run.state.question?.kind === 'unexpectedFailure';
  if (!isOfFailure && run.answerKind() !== 'revise') return;
  const answer = run.consumeAnswer();
  if (answer?.kind !== 'revise') return;
  run.revise(answer);
  throw new Revised();
}

async function untilAnswered(run: ShipmentRun): Promise<void> {
  for (;;) {
    await condition(
      () => run.hasAnswer() || run.withdrawal.isToBeDone() || run.inbox.length > 0 || run.isLong(),
    );
    if (run.hasAnswer()) return;
    // The question stays open, and the new run waits for its answer.
    run.yieldIfLong();
    const isBookedAfterAll = !run.withdrawal.isToBeDone() && (await adoptIfReadable(run));
    if (!isBookedAfterAll && !run.withdrawal.isToBeDone()) continue;
    run.close();
    throw isBookedAfterAll ? new PhaseChanged() : new Withdrawn();
  }
}

/**
 * The open question comes first. An event that cannot be handled yet is kept, and handled before anything is booked.
 */
async function adoptIfReadable(run: ShipmentRun): Promise<boolean> {
  try {
    return await adoptLiveBriefly(run);
  } catch (error) {
    if (!(error instanceof TemporalFailure) || !(error instanceof ActivityFailure || isAboutDuplicate(error)))
      throw error;
    putOffEvents(run);
    run.addTimeline(`an event could not be handled yet: ${run.why(error)}`);
    return false;
  }
}

const isAboutDuplicate = (error: TemporalFailure): boolean =>
  error instanceof ApplicationFailure && error.type === FailureType.UnexpectedResponse;
