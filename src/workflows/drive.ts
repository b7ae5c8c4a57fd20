import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  condition,
  ContinueAsNew,
  ActivityFailure,
  TemporalFailure,
  workflowInfo,
} from '@temporalio/workflow';
import { FailureType } from '../domain/failure-type';
import { shipmentResult, type ShipmentResult } from '../domain/shipment-result';
import { isBooked, type Phase, type ShipmentState } from '../domain/shipment-state';
import type { CarriedState } from './input';
import { LeavePhase } from './leave-phase';
import { adoptLive, closeAsCancelled } from './our-listings';
import { pauseForAccount } from './pause-for-account';
import type { ShipmentRun } from './shipment-run';
import { takeDown } from './take-down';
import { readAgain } from './take-record';

/** What a phase does until it enters another one, or has taken one fact. */
export type Step = (run: ShipmentRun) => Promise<void>;
export type Steps = Readonly<Partial<Record<Phase, Step>>>;

/**
 * Drives a shipment from phase to phase until it is over. The one outer guard: whatever fails once a booking is
 * possible becomes a question, so that no failure leaves the workflow while a truck may be booked.
 */
export async function drive(
  run: ShipmentRun,
  steps: Steps,
  continueAsNew: (carried: CarriedState) => Promise<never>,
): Promise<ShipmentResult> {
  return await CancellationScope.nonCancellable(async () => {
    run.publish();
    for (;;) {
      const { state } = run;
      if (state.phase === 'settled') {
        await condition(allHandlersFinished);
        return shipmentResult(state, state.listingId);
      }
      if (state.phase === 'cancelled') throw cancelled(state.reason);
      // Nothing is under way between two steps, so that the state says all.
      if (workflowInfo().continueAsNewSuggested && state.question === null) {
        await condition(allHandlersFinished);
        await continueAsNew(run.carry());
      }
      run.reconsiderCancel();
      await takeStep(run, run.isWithdrawn() ? retire : stepOf(steps, state.phase));
    }
  });
}

function stepOf(steps: Steps, phase: Phase): Step {
  const step = steps[phase];
  if (step === undefined) throw new TypeError(`no step for phase ${phase}`);
  return step;
}

async function takeStep(run: ShipmentRun, step: Step): Promise<void> {
  try {
    await step(run);
  } catch (error) {
    if (error instanceof LeavePhase) return;
    // Anything that is not a Temporal failure is a bug: the task fails and waits for a fix, the shipment stays.
    if (error instanceof ContinueAsNew || !(error instanceof TemporalFailure)) throw error;
    await askAfterFailure(run, error);
  }
}

const NOTHING_BOOKED: readonly Phase[] = ['validating', 'quoting', 'collectingRates'];

async function askAfterFailure(run: ShipmentRun, error: TemporalFailure): Promise<void> {
  if (error instanceof ApplicationFailure && error.type === FailureType.FailedBeforeBooking) throw error;
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const type = cause instanceof ApplicationFailure ? cause.type : null;
  const message = cause?.message ?? error.message;
  const isFirst = !mayHaveBooked(run.state);
  if (type === FailureType.Rejected && isFirst && NOTHING_BOOKED.includes(run.state.phase)) {
    if (await adoptLive(run)) return;
    throw failedBeforeBooking(message);
  }
  const trouble = type === FailureType.AccountTrouble || type === FailureType.AccountMismatch;
  const mayCancel = !isBooked(run.state) && run.state.phase !== 'accepting';
  const text = `${message}. Retry when the cause is out of the way.`;
  if (trouble) await pauseForAccount(run, message);
  else if (isBooked(run.state)) await askBesideTransit(run, text);
  else await run.ask('unexpectedFailure', text, mayCancel ? ['retry', 'cancel'] : ['retry']);
}

/** A truck is on its way whatever we are told: an event, or some time, is reason enough to look again. */
async function askBesideTransit(run: ShipmentRun, text: string): Promise<void> {
  run.open('unexpectedFailure', text, ['retry']);
  await condition(() => run.hasAnswer() || run.inbox.length > 0, run.input.policy.sweepPace.maximumMs, {
    summary: 'until it is tried again',
  });
  if (run.takeAnswer() === null) run.close();
}

/** Whether something was tried before that a carrier could have booked: a refusal now is not the whole story. */
function mayHaveBooked({ earlierListingIds, strays, excludedRateIds }: ShipmentState): boolean {
  return earlierListingIds.length + strays.length + excludedRateIds.length > 0;
}

/** Ends the workflow as failed. Only where it is certain that nothing is booked. */
export function failedBeforeBooking(reason: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(reason, FailureType.FailedBeforeBooking);
}

function cancelled(reason: string): Error {
  // Only a workflow that Temporal was asked to cancel can close as Cancelled; the others fail with this type.
  return CancellationScope.current().parent?.consideredCancelled === true
    ? new CancelledFailure(reason)
    : ApplicationFailure.nonRetryable(reason, FailureType.ShipmentCancelled);
}

/** Leaves nothing behind at the marketplace: a listing is deleted, unless a carrier booked it before. */
async function retire(run: ShipmentRun): Promise<void> {
  await run.whileRetiring(async (reason) => {
    const { state } = run;
    if (state.phase === 'accepting' && state.pending !== null) {
      run.notice('not withdrawn: a carrier is being booked');
      return;
    }
    if (state.phase !== 'awaitingBooking') {
      await closeAsCancelled(run, reason, 'cancelled; nothing is booked');
      return;
    }
    const { listingId } = state;
    const why = await takeDown(run, listingId);
    if (why === null) {
      await closeAsCancelled(run, reason, `listing ${listingId} deleted; nothing is booked`);
      return;
    }
    run.notice(`not withdrawn: ${why}`);
    await readAgain(run);
    run.publish();
  });
}
