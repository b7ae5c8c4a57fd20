import { ActivityFailure, isCancellation, sleep, type ActivityOptions } from '@temporalio/workflow';
import {
  mayStillBook,
  unansweredAcceptances,
  type AcceptanceSaid,
  type AcceptanceStatus,
  type EarlierAcceptance,
} from '../../domain/acceptance';
import { summaryOf } from '../../domain/bounds';
import { followedListing, keepEarlierAcceptance } from '../../domain/shipment-state';
import { isAccountTrouble } from '../run/failure-cause';
import { BRIEFLY } from '../run/read-patiently';
import { readListing } from './read-listing';
import type { ShipmentRun } from '../run/shipment-run';

/** What became of an acceptance that the order no longer waited for. */
export interface EarlierFact {
  readonly kind: 'earlierAcceptance';
  readonly executionId: string;
  readonly said: Exclude<AcceptanceSaid, { kind: 'considered' }>;
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

/**
 * Keeps polling while another listing is followed: until it is booked, for as long as a carrier may take to answer;
 * and if it then still has no end, until it has one.
 */
export async function awaitEarlierBooking(
  run: ShipmentRun,
  acceptance: EarlierAcceptance,
): Promise<EarlierFact> {
  const { rateId, executionId, carrier, leftOn, said } = acceptance;
  const { account, policy } = run.input;
  const isUnanswered = said.kind === 'unanswered';
  const endsAt = isUnanswered ? Infinity : Date.parse(leftOn) + policy.acceptance.windowMs;
  const input = { account, rateId, executionId, pace: policy.sweepPace, untilBooked: !isUnanswered };
  const summary = summaryOf(`whether ${carrier} books after all`);
  for (let leftMs = endsAt - Date.now(); leftMs > 0; leftMs = endsAt - Date.now()) {
    try {
      const timeout = isUnanswered ? {} : { scheduleToCloseTimeout: leftMs };
      const outcome = await run.activities.polls.pollAcceptance.executeWithOptions({ ...timeout, summary }, [
        input,
      ]);
      return { kind: 'earlierAcceptance', executionId, said: endOf(outcome) };
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isCancellation(error) || isAccountTrouble(error))
        throw error;
      if (error.retryState === 'TIMEOUT') break;
      // An invalid answer says nothing: the carrier may book until its time is over.
      run.addTimeline(`whether ${carrier} books after all cannot be read: ${run.why(error)}`);
      await sleep(Math.max(1, Math.min(policy.sweepPace.maximumMs, endsAt - Date.now())), { summary });
    }
  }
  return { kind: 'earlierAcceptance', executionId, said: await lastWordOn(run, acceptance) };
}

const endOf = (status: AcceptanceStatus): EarlierFact['said'] =>
  status.kind === 'booked' ? { kind: 'unseen', listingId: status.listingId } : { kind: 'over' };

/** Once the time is over, nothing waits for the answer: trouble of the account leaves it open too. */
async function lastWordOn(
  run: ShipmentRun,
  { rateId, executionId, carrier }: EarlierAcceptance,
  options: ActivityOptions = {},
): Promise<EarlierFact['said']> {
  const input = { account: run.input.account, rateId, executionId };
  try {
    const status = await run.activities.reads.getAcceptanceStatus.executeWithOptions(options, [input]);
    return status.kind === 'pending' ? { kind: 'unanswered' } : endOf(status);
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    run.addTimeline(`${carrier} does not say whether it booked: ${run.why(error)}`);
    return { kind: 'unanswered' };
  }
}

export function applyEarlierFact(run: ShipmentRun, { executionId, said }: EarlierFact): void {
  const isSame = (known: EarlierAcceptance): boolean => known.executionId === executionId;
  const { earlierAcceptances } = run.state;
  run.update({
    earlierAcceptances:
      said.kind === 'unanswered'
        ? earlierAcceptances.map((known) => (isSame(known) ? { ...known, said } : known))
        : earlierAcceptances.filter((known) => !isSame(known)),
  });
  if (said.kind === 'unseen' && followedListing(run.state) !== said.listingId) run.hintOwn(said.listingId);
}

/**
 * A person has seen to the acceptances without an answer.
 * @returns why nothing was done; null when none is left
 */
export async function endUnanswered(
  run: ShipmentRun,
  { isChecked }: { /** No truck comes. */ readonly isChecked: boolean },
): Promise<string | null> {
  for (const acceptance of unansweredAcceptances(run.state)) {
    const { executionId, carrier } = acceptance;
    const said = await lastWordOn(run, acceptance, BRIEFLY);
    if (said.kind === 'unanswered' && !isChecked) return `the acceptance by ${carrier} still has no answer`;
    const end = said.kind === 'unanswered' ? ({ kind: 'over' } as const) : said;
    applyEarlierFact(run, { kind: 'earlierAcceptance', executionId, said: end });
  }
  return null;
}
