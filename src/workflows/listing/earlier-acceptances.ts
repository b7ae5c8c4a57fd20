import { ActivityFailure, isCancellation, sleep } from '@temporalio/workflow';
import { summaryOf } from '../../domain/bounds';
import { mayStillBook, type AcceptanceSaid, type EarlierAcceptance } from '../../domain/acceptance';
import { followedListing, keepEarlierAcceptance } from '../../domain/shipment-state';
import { isAccountTrouble } from '../run/failure-cause';
import { readListing } from './read-listing';
import type { ShipmentRun } from '../run/shipment-run';

/** What became of an acceptance that the order no longer waited for. */
export interface EarlierFact {
  readonly kind: 'earlierAcceptance';
  readonly executionId: string;
  /** Null when the carrier's time is over. */
  readonly listingId: string | null;
}

/** Stops waiting for the current acceptance, but remembers it: its carrier may still book. */
export function keepAcceptance(run: ShipmentRun): void {
  const { at } = run.state;
  if (at.phase !== 'accepting' || at.pending === null) return;
  const { rate, pending } = at;
  const kept = { ...pending, rateId: rate.rateId, carrier: rate.carrier.displayName };
  run.state = keepEarlierAcceptance(run.state, { ...kept, leftOn: run.now() });
}

/**
 * Reads each status once, before another rate is accepted or the order is closed. Hints at the listing of a booked
 * acceptance, as an event would.
 */
export async function lookAtEarlierAcceptances(run: ShipmentRun): Promise<void> {
  for (const acceptance of run.state.earlierAcceptances) {
    const said = await lookAt(run, acceptance);
    const { executionId } = acceptance;
    const earlierAcceptances = run.state.earlierAcceptances.map((known) =>
      known.executionId === executionId ? { ...known, said } : known,
    );
    run.update({ earlierAcceptances });
  }
}

async function lookAt(
  run: ShipmentRun,
  { rateId, executionId, carrier }: EarlierAcceptance,
): Promise<AcceptanceSaid> {
  const { account } = run.input;
  try {
    const { getAcceptanceStatus } = run.activities.reads;
    const input = { account, rateId, executionId };
    const status = await run.unlessLong(async () => await getAcceptanceStatus(input));
    if (mayStillBook(status)) return { kind: 'considered' };
    if (status.kind !== 'booked') return { kind: 'over' };
    const { listingId } = status;
    run.hintOwn(listingId);
    return (await readListing(run, listingId)) === null ? { kind: 'unseen', listingId } : { kind: 'over' };
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isAccountTrouble(error)) throw error;
    run.addTimeline(`the earlier acceptance by ${carrier} does not answer: ${run.why(error)}`);
    return { kind: 'considered' };
  }
}

/** Keeps polling while another listing is followed, for as long as a carrier may take to answer. */
export async function awaitEarlierBooking(
  run: ShipmentRun,
  { rateId, executionId, carrier, leftOn }: EarlierAcceptance,
): Promise<EarlierFact> {
  const fact = (listingId: string | null): EarlierFact => ({
    kind: 'earlierAcceptance',
    executionId,
    listingId,
  });
  const { account, policy } = run.input;
  const input = { account, rateId, executionId };
  const endsAt = Date.parse(leftOn) + policy.acceptance.windowMs;
  const summary = summaryOf(`whether ${carrier} books after all`);
  const { polls, reads } = run.activities;
  for (let leftMs = endsAt - Date.now(); leftMs > 0; leftMs = endsAt - Date.now()) {
    try {
      const options = { scheduleToCloseTimeout: leftMs, summary };
      const outcome = await polls.pollAcceptance.executeWithOptions(options, [
        { ...input, pace: policy.sweepPace, untilBooked: true },
      ]);
      return fact(outcome.kind === 'booked' ? outcome.listingId : null);
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isCancellation(error) || isAccountTrouble(error))
        throw error;
      if (error.retryState === 'TIMEOUT') break;
      // An invalid answer says nothing: the carrier may book until its time is over.
      run.addTimeline(`whether ${carrier} books after all cannot be read: ${run.why(error)}`);
      await sleep(Math.max(1, Math.min(policy.sweepPace.maximumMs, endsAt - Date.now())), { summary });
    }
  }
  try {
    const status = await reads.getAcceptanceStatus(input);
    if (status.kind === 'pending')
      run.addWarning(
        `${carrier} has not answered in its time what was accepted before; take it back at the marketplace, or a second truck may come`,
      );
    return fact(status.kind === 'booked' ? status.listingId : null);
  } catch (error) {
    // Account trouble counts too: the carrier's time is over, and nothing waits for the answer.
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    run.addTimeline(`${carrier} does not say whether it booked: ${run.why(error)}`);
    return fact(null);
  }
}

export function applyEarlierFact(run: ShipmentRun, { executionId, listingId }: EarlierFact): void {
  const left = run.state.earlierAcceptances.filter((known) => known.executionId !== executionId);
  run.update({ earlierAcceptances: left });
  if (listingId === null) return;
  if (followedListing(run.state) !== listingId) run.hintOwn(listingId);
}
