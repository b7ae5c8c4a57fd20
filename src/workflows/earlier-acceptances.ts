import { ActivityFailure, isCancellation, patched } from '@temporalio/workflow';
import type { EarlierAcceptance } from '../domain/acceptance';
import { keepEarlierAcceptance } from '../domain/shipment-state';
import { isAccountTrouble, reasonOf } from './failure-cause';
import type { ShipmentRun } from './shipment-run';
import type { Watch } from './watches';

/** What became of an acceptance that nobody waited for any more. */
export interface EarlierFact {
  readonly kind: 'earlierAcceptance';
  readonly executionId: string;
  /** Null: its time is over. */
  readonly listingId: string | null;
}

/** The acceptance at hand is not waited for any more; what a carrier still makes of it must not go unseen. */
export function keepAcceptance(run: ShipmentRun): void {
  if (run.state.phase !== 'accepting' || run.state.pending === null) return;
  const { rate, pending } = run.state;
  const kept = { ...pending, rateId: rate.rateId, carrier: rate.carrier.displayName };
  run.state = keepEarlierAcceptance(run.state, kept);
}

/** Those that may still book. */
export function earlierAcceptances({ state }: ShipmentRun): readonly EarlierAcceptance[] {
  // 2026-11-28: earlier runs did not look at them again.
  return state.earlierAcceptances.length > 0 && patched('earlier-acceptances')
    ? state.earlierAcceptances
    : [];
}

/**
 * Reads the status of each once, before another rate is taken or the order is closed. The listing of one that booked is
 * looked at as if an event had named it.
 */
export async function lookAtEarlierAcceptances(run: ShipmentRun): Promise<void> {
  const { account } = run.input;
  for (const { rateId, executionId, carrier } of earlierAcceptances(run)) {
    try {
      const status = await run.activities.reads.getAcceptanceStatus({ account, rateId, executionId });
      if (status.kind === 'booked') run.hint(status.listingId);
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isAccountTrouble(error)) throw error;
      run.note(`the earlier acceptance by ${carrier} does not tell: ${reasonOf(error)}`);
    }
  }
}

/** Asks on beside the listing that is followed, for as long as a carrier may take to answer. */
export function earlierAcceptanceWatch(run: ShipmentRun, acceptance: EarlierAcceptance): Watch<EarlierFact> {
  return {
    name: 'earlierAcceptance',
    dependsOn: [acceptance.executionId],
    bring: () => awaitEarlierBooking(run, acceptance),
  };
}

async function awaitEarlierBooking(
  run: ShipmentRun,
  { rateId, executionId, carrier, since }: EarlierAcceptance,
): Promise<EarlierFact> {
  const over: EarlierFact = { kind: 'earlierAcceptance', executionId, listingId: null };
  const { account, policy } = run.input;
  const scheduleToCloseTimeout = Date.parse(since) + policy.acceptance.windowMs - Date.now();
  if (scheduleToCloseTimeout <= 0) return over;
  const summary = `whether ${carrier} books after all`;
  try {
    const outcome = await run.activities.polls.pollAcceptance.executeWithOptions(
      { scheduleToCloseTimeout, summary },
      [{ account, rateId, executionId, pace: policy.sweepPace, untilBooked: true }],
    );
    return outcome.kind === 'booked' ? { ...over, listingId: outcome.listingId } : over;
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error) || isAccountTrouble(error)) throw error;
    run.note(`${carrier} did not book: ${reasonOf(error)}`);
    return over;
  }
}

export function takeEarlierFact(run: ShipmentRun, { executionId, listingId }: EarlierFact): void {
  const left = run.state.earlierAcceptances.filter((known) => known.executionId !== executionId);
  run.state = { ...run.state, earlierAcceptances: left };
  if (listingId !== null) run.hint(listingId);
}
