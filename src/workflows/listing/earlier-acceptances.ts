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

const CONSIDERED = { kind: 'considered' } as const;
const NOT_ASKED = { kind: 'unanswered', isAsked: false } as const;

/** What a status without a clear answer does not change; null when it says all that is known. */
const lasting = (said: AcceptanceSaid) =>
  said.kind === 'unanswered' || said.kind === 'followed' ? said : null;

/** Stops waiting for the current acceptance, but remembers it: its carrier may still book. */
export function keepAcceptance(run: ShipmentRun, said: EarlierAcceptance['said'] = CONSIDERED): void {
  const { at } = run.state;
  if (at.phase !== 'accepting' || at.pending === null) return;
  const { rate, pending } = at;
  const kept = { ...pending, rateId: rate.rateId, carrier: rate.carrier.displayName };
  run.state = keepEarlierAcceptance(run.state, { ...kept, leftOn: run.now(), said });
}

/**
 * Reads each status once, before another rate is accepted or the order is closed. Hints at the listing of a booked
 * acceptance, as an event would.
 */
export async function lookAtEarlierAcceptances(run: ShipmentRun): Promise<void> {
  for (const acceptance of run.state.earlierAcceptances)
    setSaid(run, acceptance, await lookAt(run, acceptance));
}

function setSaid(run: ShipmentRun, { executionId }: EarlierAcceptance, said: AcceptanceSaid): void {
  const earlierAcceptances = run.state.earlierAcceptances.map((known) =>
    known.executionId === executionId ? { ...known, said } : known,
  );
  run.update({ earlierAcceptances });
}

async function lookAt(
  run: ShipmentRun,
  { rateId, executionId, carrier, said }: EarlierAcceptance,
): Promise<AcceptanceSaid> {
  const { account } = run.input;
  const open = lasting(said) ?? CONSIDERED;
  try {
    const { getAcceptanceStatus } = run.activities.reads;
    const input = { account, rateId, executionId };
    const status = await run.unlessLong(async () => await getAcceptanceStatus(input));
    if (mayStillBook(status)) return open;
    if (status.kind !== 'booked') return { kind: 'over' };
    const { listingId } = status;
    run.hintOwn(listingId);
    return (await readListing(run, listingId)) === null ? { kind: 'unseen', listingId } : { kind: 'over' };
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isAccountTrouble(error)) throw error;
    run.addTimeline(`the earlier acceptance by ${carrier} does not answer: ${run.why(error)}`);
    return open;
  }
}

/**
 * Keeps polling while another listing is followed: until it is booked, for as long as a carrier may take to answer;
 * and if it then has no answer, until it has one.
 */
export async function awaitEarlierBooking(
  run: ShipmentRun,
  acceptance: EarlierAcceptance,
): Promise<EarlierFact> {
  const { rateId, executionId, carrier, leftOn, said } = acceptance;
  const { account, policy } = run.input;
  const isUnanswered = said.kind === 'unanswered';
  const endsAt = isUnanswered ? Infinity : Date.parse(leftOn) + policy.acceptance.windowMs;
  const input = { account, rateId, executionId, pace: policy.sweepPace };
  const until = isUnanswered ? 'answer' : 'booked';
  const summary = summaryOf(`whether ${carrier} books after all`);
  let told = '';
  for (let leftMs = endsAt - Date.now(); leftMs > 0; leftMs = endsAt - Date.now()) {
    try {
      const limit: ActivityOptions = isUnanswered ? {} : { scheduleToCloseTimeout: leftMs };
      const { pollAcceptance } = run.activities.polls;
      const status = await pollAcceptance.executeWithOptions({ ...limit, summary }, [{ ...input, until }]);
      return { kind: 'earlierAcceptance', executionId, said: endOf(run, status) };
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
      // Once a person is asked, no account waits for this status; other reads find trouble of the account.
      if (isAccountTrouble(error) && !isUnanswered) throw error;
      if (error.retryState === 'TIMEOUT') break;
      // An invalid answer says nothing: the carrier may book until its time is over.
      const text = `whether ${carrier} books after all cannot be read: ${run.why(error)}`;
      if (text !== told) run.addTimeline(text);
      told = text;
      await sleep(Math.max(1, Math.min(policy.sweepPace.maximumMs, endsAt - Date.now())), { summary });
    }
  }
  return { kind: 'earlierAcceptance', executionId, said: await lastWordOn(run, acceptance) };
}

function endOf(run: ShipmentRun, status: AcceptanceStatus): EarlierFact['said'] {
  if (status.kind === 'booked') return { kind: 'unseen', listingId: status.listingId };
  // A failed acceptance can leave a listing that others may book.
  if (status.kind !== 'notVisible' && status.listingId !== null) run.hint(status.listingId);
  return { kind: 'over' };
}

/**
 * A last look, which must not wait for a marketplace that is away, or for an account in trouble: what it cannot say, a
 * person is asked.
 */
async function lastWordOn(
  run: ShipmentRun,
  { rateId, executionId, carrier, said }: EarlierAcceptance,
): Promise<EarlierFact['said']> {
  const input = { account: run.input.account, rateId, executionId };
  const unclear = lasting(said) ?? NOT_ASKED;
  try {
    const status = await run.activities.reads.getAcceptanceStatus.executeWithOptions(BRIEFLY, [input]);
    return mayStillBook(status) ? unclear : endOf(run, status);
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    run.addTimeline(`${carrier} does not say whether it booked: ${run.why(error)}`);
    return unclear;
  }
}

export function applyEarlierFact(run: ShipmentRun, { executionId, said }: EarlierFact): void {
  const { earlierAcceptances } = run.state;
  const known = earlierAcceptances.find((one) => one.executionId === executionId);
  if (known === undefined) return;
  if (said.kind !== 'unanswered')
    run.update({ earlierAcceptances: earlierAcceptances.filter((one) => one !== known) });
  else if (known.said.kind !== 'unanswered') setSaid(run, known, said);
  if (said.kind === 'unseen' && followedListing(run.state) !== said.listingId) run.hintOwn(said.listingId);
}

/**
 * A person has seen to the acceptances without an answer.
 * @returns why nothing was done; null when it was done
 */
export async function endUnanswered(
  run: ShipmentRun,
  { isChecked }: { /** No truck comes for those that the question names. */ readonly isChecked: boolean },
): Promise<string | null> {
  const before = unansweredAcceptances(run.state);
  for (const acceptance of before) {
    const said = await lastWordOn(run, acceptance);
    const isLetGo = isChecked && said.kind === 'unanswered' && said.isAsked;
    const { executionId } = acceptance;
    applyEarlierFact(run, {
      kind: 'earlierAcceptance',
      executionId,
      said: isLetGo ? { kind: 'over' } : said,
    });
  }
  const left = unansweredAcceptances(run.state);
  return left.length < before.length
    ? null
    : `the acceptance by ${left[0]?.carrier ?? ''} still has no answer`;
}
