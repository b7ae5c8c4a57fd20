import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  condition,
  ContinueAsNew,
  TemporalFailure,
  upsertMemo,
} from '@temporalio/workflow';
import { cutText, TEXT_BYTES } from '../domain/bounds';
import { commandLines } from '../domain/command-lines';
import { candidateOf, hasTraces, unreadIds } from '../domain/candidates';
import { DEFAULT_EVENT_POLICY } from '../domain/event-policy';
import { FailureType } from '../domain/failure-type';
import { isOver } from '../domain/listing-progress';
import { LISTING_QUESTIONS } from '../domain/listing-question';
import type { AnswerKind, NewQuestion, QuestionKind } from '../domain/question';
import { deliveredResult, withdrawalOf, type ShipmentResult } from '../domain/shipment-result';
import {
  doubtOf,
  isBooked,
  isUnderWay,
  type In,
  type Phase,
  type ShipmentState,
} from '../domain/shipment-state';
import { ask, resumeQuestion } from './asking/ask';
import { callOf, failureTypeOf, isAccountTrouble, listingIdsOf, statusOf } from './run/failure-cause';
import { failedBeforeBooking } from './run/failed-before-booking';
import { registerHandlers } from './run/handlers';
import { endAmendmentOfLeft } from './run/on-amendment';
import type { CarriedState } from './run/input';
import { LeavePhase } from './run/leave-phase';
import { adoptLive, closeAsCancelled, putOffEvents } from './listing/candidates';
import { passToLateEvent } from './run/pass-on-event';
import { pauseForAccount } from './run/pause-for-account';
import { readListing } from './listing/read-listing';
import type { ShipmentRun } from './run/shipment-run';
import { StillConsidered } from './run/still-considered';
import { stillOnMarket, removeFromMarket } from './listing/delete-listing';
import { confirmUnverified, applyRecord } from './listing/apply-record';

/** Does the work of a phase, until the shipment enters another phase or one fact is applied. */
export type Step<P extends Phase = Phase> = (run: ShipmentRun, at: In<P>) => Promise<void>;
export type PhaseSteps = { readonly [P in Phase]?: Step<P> };

/**
 * Moves a shipment from phase to phase until it is over. Also the one outer guard: once a booking is possible, every
 * failure becomes a question, so no failure ends the workflow while a truck may be booked.
 */
export async function runPhases(
  run: ShipmentRun,
  steps: PhaseSteps,
  continueAsNew: (carried: CarriedState) => Promise<never>,
): Promise<ShipmentResult> {
  // Comes before any await, because messages can arrive with the first task.
  registerHandlers(run);
  return await CancellationScope.nonCancellable(async () => {
    void run.notifier?.send(run.input);
    try {
      return await untilEnd(run, steps, continueAsNew);
    } catch (error) {
      if (isFailedBeforeBooking(error)) {
        run.notifier?.notify(run.state, run.input, true);
        await endNotifications(run);
      }
      throw error;
    }
  });
}

async function untilEnd(
  run: ShipmentRun,
  steps: PhaseSteps,
  continueAsNew: (carried: CarriedState) => Promise<never>,
): Promise<ShipmentResult> {
  run.publish();
  await runStep(run, goOnAsking);
  for (;;) {
    endAmendmentOfLeft(run);
    const { state } = run;
    if (state.at.phase === 'settled') {
      await condition(allHandlersFinished);
      await endNotifications(run);
      return deliveredResult(state, state.at.listingId);
    }
    if (state.at.phase === 'cancelled') return await endWithdrawn(run, state.at);
    // Nothing is under way between two steps, so the carried state is complete.
    if (run.isLong()) {
      await condition(allHandlersFinished);
      await continueAsNew(run.carry());
    }
    run.withdrawal.reconsiderCancel();
    await runStep(
      run,
      async () => await (run.withdrawal.canBeDone() ? retire(run) : runNextStep(run, steps, state)),
    );
  }
}

/**
 * Waits until the last notifications are sent. An event that arrives during the wait finds an order that is over: it goes
 * to a late event, as one that arrives afterwards.
 */
async function endNotifications(run: ShipmentRun): Promise<void> {
  if (run.notifier === null) return;
  await run.notifier.sent();
  const { account, shipment } = run.input;
  const order = { account, orderId: shipment.orderId, policy: DEFAULT_EVENT_POLICY };
  // No await between the last look at the inbox and the end, or an event would be lost.
  while (run.inbox.length > 0) {
    for (const event of run.consumeEvents()) {
      const { listingIds } = event;
      for (const listingId of listingIds.length === 0 ? [null] : listingIds)
        await passToLateEvent({ ...order, listingId }, event);
    }
  }
}

/** A run that follows an earlier one first looks at the earlier run's listings. */
async function runNextStep(run: ShipmentRun, steps: PhaseSteps, state: ShipmentState): Promise<void> {
  if (state.at.phase === 'validating' && unreadIds(state).length > 0) await lookAtEarlierListings(run);
  else await stepOf(steps, state.at)(run);
}

/** Follows a booked listing, deletes an open one, and asks about an unreadable one. */
async function lookAtEarlierListings(run: ShipmentRun): Promise<void> {
  run.addTimeline(`reads what an earlier run of this order left: ${unreadIds(run.state).join(', ')}`);
  await adoptLive(run);
}

function stepOf<P extends Phase>(
  steps: PhaseSteps,
  at: In<P> & { readonly phase: P },
): (run: ShipmentRun) => Promise<void> {
  const step: Step<P> | undefined = steps[at.phase];
  if (step === undefined) throw new TypeError(`no step for phase ${at.phase}`);
  return async (run) => await step(run, at);
}

async function runStep(run: ShipmentRun, step: (run: ShipmentRun) => Promise<void>): Promise<void> {
  let failure = await attempt(async () => await step(run));
  // The question about a failure can fail too, and no such failure may end the workflow.
  while (failure !== null) {
    const asked = failure;
    failure = await attempt(async () => await askAfterFailure(run, asked));
  }
}

/** @returns the failure that a person must be asked about; null when there is none */
async function attempt(work: () => Promise<void>): Promise<TemporalFailure | StillConsidered | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof LeavePhase) return null;
    if (error instanceof StillConsidered) return error;
    // Any error that is not a Temporal failure is a bug: the task fails and waits for a fix, and the shipment stays.
    if (error instanceof ContinueAsNew || !(error instanceof TemporalFailure)) throw error;
    if (isFailedBeforeBooking(error)) throw error;
    return error;
  }
}

const isFailedBeforeBooking = (error: unknown): boolean =>
  error instanceof ApplicationFailure && error.type === FailureType.FailedBeforeBooking;

const NOTHING_BOOKED: readonly Phase[] = ['validating', 'quoting', 'collectingRates'];

async function askAfterFailure(run: ShipmentRun, error: TemporalFailure | StillConsidered): Promise<void> {
  if (error instanceof StillConsidered) return await askAboutCarrier(run, error);
  const message = run.why(error);
  const isFirst = !mayHaveBooked(run.state);
  if (
    failureTypeOf(error) === FailureType.Rejected &&
    isFirst &&
    NOTHING_BOOKED.includes(run.state.at.phase)
  ) {
    if (await adoptLive(run)) return;
    throw failedBeforeBooking(message, callOf(error));
  }
  const listingIds = listingIdsOf(error);
  const isPerhapsGone = listingIds.some((id) => candidateOf(run.state, id).gone === 'perhaps');
  const hint = isPerhapsGone
    ? ` If the marketplace shows that listing ${listingIds.join(', ')} does not exist, say so: ` +
      `\`${commandLines.answer(run.state, { answer: 'retry', isChecked: true })}\`.`
    : '';
  const text = `${message}. Retry when the cause is out of the way.${hint}`;
  const mayCancel = mayBeCancelled(run.state);
  const mayRevise = mayCancel && NOTHING_BOOKED.includes(run.state.at.phase);
  const revise: readonly AnswerKind[] = mayRevise ? ['revise'] : [];
  const answers: readonly AnswerKind[] = ['retry', ...revise, ...(mayCancel ? (['cancel'] as const) : [])];
  const asked = { kind: 'unexpectedFailure', text, answers, listingIds } as const;
  if (isAccountTrouble(error)) await pauseForAccount(run, { reason: message, status: statusOf(error) });
  else if (run.hasAnswer() && takesAnswers(run.state)) await tryAgainSoon(run, message);
  else if (isUnderWay(run.state)) await askAndLookAgain(run, asked);
  else await ask(run, asked);
}

function mayBeCancelled(state: ShipmentState): boolean {
  const isAccepted = state.at.phase === 'accepting' && state.at.pending !== null;
  return !isBooked(state) && !isAccepted && doubtOf(state) === null;
}

/** Nothing else may happen to the order now. A withdrawal is recorded, and done once the carrier's time is over. */
async function askAboutCarrier(run: ShipmentRun, { message }: StillConsidered): Promise<void> {
  const why = `nothing is booked or closed for now: ${message}`;
  if (run.hasAnswer() && takesAnswers(run.state)) return await tryAgainSoon(run, why);
  const mayCancel = mayBeCancelled(run.state) && run.withdrawal.statement === null;
  const cancelling = mayCancel ? ' Cancel withdraws the order as soon as that is safe.' : '';
  await askAndLookAgain(run, {
    kind: 'stillConsidered',
    text:
      `Nothing is booked or closed for now: ${message}. Retry looks again at once.${cancelling} The question closes by itself ` +
      'when the carrier has booked, or its time is over, or the marketplace has taken the acceptance back.',
    answers: mayCancel ? ['retry', 'cancel'] : ['retry'],
  });
}

/** Asks while the shipment continues: an event, or some time, is a reason to look again. */
async function askAndLookAgain(run: ShipmentRun, asked: NewQuestion): Promise<void> {
  run.open(asked);
  await lookAgain(run);
}

/** @throws HistoryTooLong while the question stays open; the new run waits for its answer */
async function lookAgain(run: ShipmentRun): Promise<void> {
  const hasNews = run.newsFromNow();
  const isOver = (): boolean => run.hasAnswer() || run.withdrawal.isToBeDone() || hasNews();
  run.looksAgain = true;
  await condition(() => isOver() || run.isLong(), run.input.policy.sweepPace.maximumMs, {
    summary: 'until it is tried again',
  });
  if (!isOver()) run.yieldIfLong();
  run.looksAgain = false;
  if (run.consumeAnswer() === null) run.close();
}

/** Resumes the question that the previous run left open. */
async function goOnAsking(run: ShipmentRun): Promise<void> {
  const { question } = run.state;
  // Following a listing and settling a doubt ask their own questions.
  if (question === null || ASKED_BESIDE.includes(question.kind)) return;
  await (run.looksAgain ? lookAgain(run) : resumeQuestion(run));
}

const ASKED_BESIDE: readonly QuestionKind[] = ['inDoubt', ...LISTING_QUESTIONS];

/** Whether the running work acts on an answer, rather than the code that asked. */
const takesAnswers = (state: ShipmentState): boolean => 'listingId' in state.at || doubtOf(state) !== null;

/** The person has already answered, and the answer is still waiting. */
async function tryAgainSoon(run: ShipmentRun, message: string): Promise<void> {
  run.addTimeline(`${message}; it is tried again, with the answer`);
  const hasNews = run.newsFromNow();
  const isOver = (): boolean => run.withdrawal.isToBeDone() || hasNews() || run.isLong();
  await condition(isOver, run.input.policy.notSentPace.initialMs, {
    summary: 'until it is tried again',
  });
}

/** Whether a carrier could have booked an earlier attempt: then a refusal now does not decide alone. */
function mayHaveBooked(state: ShipmentState): boolean {
  const { excludedRateIds, earlierAcceptances } = state;
  return hasTraces(state) || [excludedRateIds, earlierAcceptances].some(({ length }) => length > 0);
}

/**
 * Ends the workflow of an order that a person withdrew. The memo repeats the result, for readers without one: after
 * Temporal's cancel the workflow closes as Cancelled.
 */
async function endWithdrawn(run: ShipmentRun, at: In<'cancelled'>): Promise<ShipmentResult> {
  await condition(allHandlersFinished);
  await endNotifications(run);
  const withdrawal = withdrawalOf(run.state, at);
  upsertMemo({ withdrawn: withdrawal });
  if (CancellationScope.current().parent?.consideredCancelled === true)
    throw new CancelledFailure(cutText(withdrawal.reason, TEXT_BYTES.failure));
  return { kind: 'withdrawn', ...withdrawal };
}

/**
 * Withdraws the order, and leaves nothing at the marketplace: deletes the listing, unless a carrier booked it before.
 */
async function retire(run: ShipmentRun): Promise<void> {
  // Those listings are read before the order closes; the followed listing has its own reading.
  putOffEvents(run);
  await run.withdrawal.whileRetiring(async () => {
    const { state } = run;
    if (state.at.phase === 'accepting' && state.at.pending !== null) {
      run.addWarning('not withdrawn: a carrier is being booked');
      return;
    }
    if (state.at.phase === 'awaitingBooking') await retireListing(run, state.at.listingId);
    else await closeAsCancelled(run, 'cancelled; nothing is booked');
  });
}

/** @throws ApplicationFailure while the listing exists and nobody has booked it: the order stays withdrawn */
async function retireListing(run: ShipmentRun, listingId: string): Promise<void> {
  await confirmUnverified(run, listingId);
  const end = await removeFromMarket(run, listingId);
  if (end.kind === 'gone') {
    await closeAsCancelled(run, `listing ${listingId} deleted; nothing is booked`);
    return;
  }
  const record = await readListing(run, listingId);
  if (record !== null) applyRecord(run, record);
  if (isBooked(run.state)) run.addWarning(`not withdrawn: ${end.why}`);
  else if (record !== null && !isOver(record, end.kind === 'booked')) throw stillOnMarket(listingId, end);
  else await closeAsCancelled(run, `listing ${listingId} is ${record?.status ?? 'gone'}; nothing is booked`);
}
