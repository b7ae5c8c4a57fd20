import { ActivityFailure, isCancellation, patched } from '@temporalio/workflow';
import type { EarlierAcceptance } from '../domain/acceptance';
import { SAID } from '../domain/marketplace-event';
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

/**
 * The acceptance at hand is not waited for any more; what a carrier still makes of it must not go unseen.
 * @param likelyListingId the listing that is followed in its place
 */
export function keepAcceptance(run: ShipmentRun, likelyListingId?: string): void {
  if (run.state.phase !== 'accepting' || run.state.pending === null) return;
  const { rate, pending } = run.state;
  const kept = {
    ...{ ...pending, rateId: rate.rateId, carrier: rate.carrier.displayName },
    ...(looksOnceMore() ? { leftOn: run.now() } : {}),
    ...(likelyListingId === undefined ? {} : { likelyListingId }),
  };
  run.state = keepEarlierAcceptance(run.state, kept);
}

/**
 * 2026-11-28: earlier runs forgot the last acceptance when an event named a booked listing of the order, unless others
 * had been sent before; but it may be a listing that was left, or that a person made.
 */
export const keepsAcceptance = (): boolean => patched('keeps-acceptance');

/** 2026-11-28: earlier runs counted its time from its sending, and gave it up without a last look. */
const looksOnceMore = (): boolean => patched('earlier-once-more');

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
 * @returns why the order cannot be closed: the first that its carrier still considers
 */
export async function lookAtEarlierAcceptances(run: ShipmentRun): Promise<string | null> {
  const { account, policy } = run.input;
  let considered: string | null = null;
  for (const { rateId, executionId, carrier, since, likelyListingId } of earlierAcceptances(run)) {
    try {
      const status = await run.activities.reads.getAcceptanceStatus({ account, rateId, executionId });
      if (status.kind === 'booked') run.hint(status.listingId, SAID);
      const until = Date.parse(since) + policy.acceptance.windowMs;
      if (status.kind === 'pending' && likelyListingId === undefined && Date.now() < until)
        considered ??= `${carrier} may still book what was accepted before, until ${new Date(until).toISOString()}`;
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isAccountTrouble(error)) throw error;
      run.note(`the earlier acceptance by ${carrier} does not tell: ${reasonOf(error)}`);
    }
  }
  return considered;
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
  { rateId, executionId, carrier, since, leftOn }: EarlierAcceptance,
): Promise<EarlierFact> {
  const fact = (listingId: string | null): EarlierFact => ({
    ...{ kind: 'earlierAcceptance', executionId, listingId },
  });
  const { account, policy } = run.input;
  const input = { account, rateId, executionId };
  const scheduleToCloseTimeout = Date.parse(leftOn ?? since) + policy.acceptance.windowMs - Date.now();
  const summary = `whether ${carrier} books after all`;
  const { polls, reads } = run.activities;
  try {
    if (scheduleToCloseTimeout > 0) {
      const outcome = await polls.pollAcceptance.executeWithOptions({ scheduleToCloseTimeout, summary }, [
        { ...input, pace: policy.sweepPace, untilBooked: true },
      ]);
      return fact(outcome.kind === 'booked' ? outcome.listingId : null);
    }
  } catch (error) {
    const { retryState } = noteFailure(run, `${carrier} did not book`, error);
    if (retryState !== 'TIMEOUT') return fact(null);
  }
  // Its last look may be long ago.
  if (!looksOnceMore()) return fact(null);
  try {
    const status = await reads.getAcceptanceStatus(input);
    return fact(status.kind === 'booked' ? status.listingId : null);
  } catch (error) {
    noteFailure(run, `${carrier} does not tell whether it booked`, error);
    return fact(null);
  }
}

/** Trouble of the account is not told here: a person is asked about it. */
function noteFailure(run: ShipmentRun, what: string, error: unknown): ActivityFailure {
  if (!(error instanceof ActivityFailure) || isCancellation(error) || isAccountTrouble(error)) throw error;
  run.note(`${what}: ${reasonOf(error)}`);
  return error;
}

export function takeEarlierFact(run: ShipmentRun, { executionId, listingId }: EarlierFact): void {
  const left = run.state.earlierAcceptances.filter((known) => known.executionId !== executionId);
  run.state = { ...run.state, earlierAcceptances: left };
  if (listingId === null) return;
  const isFollowed = 'listingId' in run.state && run.state.listingId === listingId;
  // 2026-11-28: earlier runs read the listing that they followed once more.
  if (!isFollowed || !keepsAcceptance()) run.hint(listingId, SAID);
}
