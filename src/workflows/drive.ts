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
import { applyListing } from '../domain/listing-progress';
import { shipmentResult, type ShipmentResult } from '../domain/shipment-result';
import { isBooked, switchListing, type Phase, type ShipmentState } from '../domain/shipment-state';
import type { CarriedState } from './input';
import { retireStrays } from './our-listings';
import { Revised, Withdrawn, type ShipmentRun } from './shipment-run';
import { takeDown } from './take-down';

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
      if (workflowInfo().continueAsNewSuggested && isBooked(state) && state.question === null) {
        await condition(allHandlersFinished);
        await continueAsNew(run.carry());
      }
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
    // The next round retires what exists, or begins anew.
    if (error instanceof Withdrawn || error instanceof Revised) return;
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
  if (type === FailureType.Rejected && isFirst && NOTHING_BOOKED.includes(run.state.phase))
    throw failedBeforeBooking(message);
  const trouble = type === FailureType.AccountTrouble || type === FailureType.AccountMismatch;
  const kind = trouble ? 'accountTrouble' : 'unexpectedFailure';
  const remedy = trouble ? 'Mend the account, then retry.' : 'Retry when the cause is out of the way.';
  const mayCancel = !isBooked(run.state) && run.state.phase !== 'accepting';
  await run.ask(kind, `${message}. ${remedy}`, mayCancel ? ['retry', 'cancel'] : ['retry']);
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
  const { state, guard, activities } = run;
  const reason = run.withdrawal?.reason ?? 'withdrawn';
  // Taken, not kept: what goes wrong below is asked, and an open withdrawal would answer every question.
  run.withdrawal = null;
  const live = await retireStrays(run);
  if (live !== null) {
    const from = 'listingId' in state ? state.listingId : null;
    run.state = switchListing(run.state, from, live.listingId);
    run.notice(`not withdrawn: listing ${live.listingId} is booked`);
    run.publish();
    return;
  }
  if (state.phase !== 'awaitingBooking') {
    run.enter({ phase: 'cancelled', reason }, 'cancelled; nothing is booked');
    return;
  }
  const { listingId } = state;
  const why = await takeDown(run, listingId);
  if (why === null) {
    run.enter({ phase: 'cancelled', reason }, `listing ${listingId} deleted; nothing is booked`);
    return;
  }
  run.notice(`not withdrawn: ${why}`);
  const record = await activities.reads.getListing({ account: guard.account, listingId });
  run.state = applyListing(run.state, record, run.now());
  run.publish();
}
