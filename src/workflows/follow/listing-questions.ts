import { ActivityFailure } from '@temporalio/workflow';
import { askedAbout } from '../../domain/acceptance';
import { cutText, TEXT_BYTES } from '../../domain/bounds';
import { duplicateListings } from '../../domain/candidates';
import type { ListingRecord } from '../../domain/listing';
import { canBeBooked, hasEnded, isOver, listingStanding } from '../../domain/listing-progress';
import { isListingQuestion, isReason, wantedQuestion } from '../../domain/listing-question';
import { listingQuestion, TAKEN_BACK } from '../../domain/listing-question-text';
import { isPickedUp, whenPickedUp } from '../../domain/picked-up';
import { approvePrice } from '../../domain/price-watch';
import { kindOf, type AnswerGiven } from '../../domain/question';
import { leaveListing, switchListing } from '../../domain/shipment-state';
import { isOverdue } from '../../domain/wants';
import { proveAdoption } from '../listing/adopt-listing';
import { isAccountTrouble, listingIdsOf } from '../run/failure-cause';
import { closeAsCancelled, followProven } from '../listing/candidates';
import { BRIEFLY } from '../run/read-patiently';
import { readListing, recognise } from '../listing/read-listing';
import type { ShipmentRun } from '../run/shipment-run';
import { leaveDuplicate, retireDuplicates, reportSecondDelivery } from '../listing/duplicate-listings';
import { removeFromMarket } from '../listing/delete-listing';
import { listingIdOf, readAgain, applyRecord } from '../listing/apply-record';
import { endUnanswered } from '../listing/earlier-acceptances';

const isLate = (run: ShipmentRun): boolean =>
  isOverdue(run.state, { now: run.now(), policy: run.input.policy });

const isAtItsEnd = (run: ShipmentRun): boolean => hasEnded(run.state) || isLate(run);

/**
 * Asks about a listing that ended, or about a duplicate, and closes a question whose reason is gone.
 * @param undone why the question is asked again, if it is
 */
export function askAboutListing(run: ShipmentRun, undone: Undone | null = null): void {
  const kind = run.state.question?.kind;
  const isLateNow = isLate(run);
  if (kind !== undefined && isListingQuestion(kind) && !isReason(run.state, kind, isLateNow)) {
    run.addTimeline(`${TAKEN_BACK[kind]}; the question is taken back`);
    run.close();
  }
  const wanted = wantedQuestion(run.state, isLateNow);
  // An answer that was given comes before the next question.
  if (wanted === null || run.state.question !== null || run.hasAnswer()) return;
  const { why = null, listingIds = [] } = undone ?? {};
  const before = why === null ? '' : `The last answer changed nothing (${cutText(why, TEXT_BYTES.notice)}). `;
  const { state, input } = run;
  const listingId = listingIdOf(run);
  const question = listingQuestion(wanted, { state, shipment: input.shipment, listingId, now: run.now() });
  const beside =
    wanted === 'possibleDoubleBooking' ? duplicateListings(state).map(({ listingId: id }) => id) : [];
  run.open({ ...question, text: before + question.text, listingIds: [listingId, ...beside, ...listingIds] });
  if (wanted === 'unansweredAcceptance')
    run.update({ earlierAcceptances: askedAbout(state.earlierAcceptances) });
}

/**
 * Acts on a person's answer about the listing, if there is one. Nothing follows the shipment during that time, so
 * every read is brief. A person who is asked again learns why.
 */
export async function applyListingAnswer(run: ShipmentRun): Promise<void> {
  const undone = await run.actUponAnswer(async (given) => await actIfReadable(run, given));
  if (undone === null) return;
  askAboutListing(run, undone);
  // Without a new question, a notice must say why the answer changed nothing.
  if (run.state.question === null) run.addWarning(undone.why);
}

/** Why an answer changed nothing. */
interface Undone {
  readonly why: string;
  /** Listings that could not be read. */
  readonly listingIds: readonly string[];
}

async function actIfReadable(run: ShipmentRun, given: AnswerGiven): Promise<Undone | null> {
  try {
    const why = await act(run, given);
    return why === null ? null : { why, listingIds: [] };
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isAccountTrouble(error)) throw error;
    return { why: run.why(error), listingIds: listingIdsOf(error) };
  }
}

/** @returns why nothing was done; null when it was done */
async function act(run: ShipmentRun, { questionId, answer, checked }: AnswerGiven): Promise<string | null> {
  // The question itself is closed by now.
  const asked = kindOf(questionId);
  const isMissing = run.state.unreadable?.isMissing === true;
  switch (answer.kind) {
    case 'rebook':
    case 'close':
      return await endListing(run, { next: answer.kind, isChecked: checked !== null });
    case 'adopt':
      return isMissing
        ? await adoptInstead(run, answer.listingId, checked)
        : await keepOne(run, answer.listingId);
    case 'approve':
      run.state = approvePrice(run.state);
      return null;
    case 'retry':
      if (asked === 'late') return await lookAgain(run);
      if (asked === 'unansweredAcceptance') return await endUnanswered(run, { isChecked: checked !== null });
      return isMissing ? await readMissing(run) : await keepOne(run, null);
    default:
      return null;
  }
}

/** Leaves the followed listing as it is: Consign cannot read it, and the person has looked. */
async function adoptInstead(
  run: ShipmentRun,
  listingId: string,
  checked: string | null,
): Promise<string | null> {
  const proof = await proveAdoption(run, { listingId, checked, onlyLive: false, acceptance: null });
  if (typeof proof === 'string') return `not adopted: ${proof}`;
  followProven(run, proof, `listing ${listingId} is followed now`);
  return null;
}

async function readMissing(run: ShipmentRun): Promise<string | null> {
  const record = await readListing(run, listingIdOf(run), BRIEFLY);
  if (record === null) return 'the listing still answers 404';
  applyRecord(run, record);
  return null;
}

/** The person knows of the delay. */
async function lookAgain(run: ShipmentRun): Promise<null> {
  const { late } = run.state;
  if (late !== null) run.update({ late: { ...late, isSeen: true } });
  await readAgain(run, BRIEFLY);
  return null;
}

interface Ending {
  readonly next: 'rebook' | 'close';
  /** A person has checked what Consign cannot check. */
  readonly isChecked: boolean;
}

/**
 * Ends a listing whose booking ended, as a person decided. A new reading proves the end, because the listing may be
 * active again. A listing that a carrier could still book is deleted first: neither a closed order nor a rebooked one
 * may leave it on the market.
 * @returns as `act`
 */
async function endListing(run: ShipmentRun, { next, isChecked }: Ending): Promise<string | null> {
  const listingId = listingIdOf(run);
  const listing = await readListing(run, listingId, BRIEFLY);
  if (listing !== null) applyRecord(run, listing);
  if (listing !== null && !isAtItsEnd(run)) return 'nothing done: the listing lives again';
  const not = next === 'rebook' ? 'not booked anew' : 'not closed';
  if (next === 'rebook' && isPickedUp(run.state) && !isChecked)
    return `${not}: the goods were ${whenPickedUp(run.state)}`;
  if (listing !== null && canBeBooked(listing)) {
    const end = await removeFromMarket(run, listingId, BRIEFLY);
    if (end.kind === 'booked') await readAgain(run, BRIEFLY);
    if (end.kind !== 'gone' && !isOver(run.state.listing ?? listing, end.kind === 'booked'))
      return `${not}: ${end.why}`;
  }
  const live = await retireDuplicates(run, BRIEFLY);
  if (live !== null) {
    run.state = switchListing(run.state, { to: live.listingId });
    run.addWarning(`listing ${live.listingId} is booked for this order; it is followed now`);
  } else if (next === 'close') {
    await closeAsCancelled(run, 'closed: the booking ended');
  } else {
    run.state = leaveListing(run.state, listingId);
    run.addTimeline(`books anew; listing ${listingId} is left`);
  }
  run.publish();
  return null;
}

/**
 * Resolves a possible double booking: keeps one listing; the others must be gone or are deleted. A booked listing can
 * only be cancelled at the marketplace, so the question then returns.
 * @param preferred the listing that a person named; null keeps the booked one
 * @returns as `act`
 */
async function keepOne(run: ShipmentRun, preferred: string | null): Promise<string | null> {
  const followed = listingIdOf(run);
  const ids = [followed, ...duplicateListings(run.state).map(({ listingId }) => listingId)];
  const records = new Map<string, ListingRecord | null>();
  for (const id of ids) records.set(id, await readListing(run, id, BRIEFLY));
  const standingOf = (id: string) => {
    const record = records.get(id) ?? null;
    return record === null ? 'gone' : listingStanding(record);
  };
  const delivered = ids.filter((id) => standingOf(id) === 'delivered');
  const booked = ids.filter((id) => standingOf(id) === 'booked');
  const differences = differencesOf(run, records);
  const isOurs = (id: string) => id === followed || !differences.has(id);
  const kept = preferred ?? delivered.find(isOurs) ?? booked.find(isOurs) ?? followed;
  const stillBooked = booked.filter((id) => id !== kept);
  if (!ids.includes(kept)) return `listing ${kept} is none of ${ids.join(', ')}`;
  const difference = differences.get(kept);
  if (difference !== undefined && kept !== followed) return `not kept: ${difference}`;
  if (stillBooked.length > 0) return `still booked: ${stillBooked.join(', ')}`;
  for (const id of ids) {
    const record = records.get(id) ?? null;
    if (id === kept || record === null || !canBeBooked(record)) continue;
    const different = differences.get(id);
    // Nobody has said that this listing should go.
    if (preferred === null && different !== undefined) return `listing ${id} is still there: ${different}`;
    const end = await removeFromMarket(run, id, BRIEFLY);
    if (end.kind !== 'gone' && !isOver(record, end.kind === 'booked'))
      return `listing ${id} is still there: ${end.why}`;
  }
  // A delivered listing cannot be cancelled any more: a notice reports the second truck, and there is nothing to ask.
  for (const id of delivered) if (id !== kept) reportSecondDelivery(run, id);
  if (kept !== followed) run.state = switchListing(run.state, { to: kept });
  for (const { listingId } of duplicateListings(run.state))
    leaveDuplicate(run, listingId, `listing ${kept} is kept`);
  run.publish();
  return null;
}

/** How listings with the order's reference differ from the order, by listing id. */
function differencesOf(
  run: ShipmentRun,
  records: ReadonlyMap<string, ListingRecord | null>,
): ReadonlyMap<string, string> {
  const differences = new Map<string, string>();
  for (const [id, record] of records) {
    if (record === null) continue;
    const as = recognise(run, record);
    if (as.kind === 'differs') differences.set(id, as.why);
  }
  return differences;
}
