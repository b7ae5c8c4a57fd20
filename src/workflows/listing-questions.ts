import { commandLines } from '../domain/command-lines';
import type { ListingRecord } from '../domain/listing';
import { canBeBooked, hasEnded, isOver, listingStanding } from '../domain/listing-progress';
import { isPickedUp, whenPickedUp } from '../domain/picked-up';
import { leaveListing, switchListing, type StrayListing } from '../domain/shipment-state';
import { orderReference } from '../domain/workflow-id';
import { proveAdoption } from './adopt-listing';
import { closeAsCancelled, followProven } from './our-listings';
import { readListing, recognise } from './recognise-listing';
import type { ShipmentRun } from './shipment-run';
import { deliveredToo, leaveStray, retireStrays } from './strays';
import { takeDown } from './take-down';
import { listingIdOf, readAgain, takeRecord } from './take-record';

/**
 * Until when an LTL listing whose acceptance said booked may still read as open; milliseconds from now, negative once it
 * is overdue, null where that is no question. Its carrier gave it up before anybody saw it booked.
 */
export function overdueInMs({ state, input }: ShipmentRun): number | null {
  const { kind, phase, phaseSince, listing } = state;
  if (kind !== 'ltl' || phase !== 'awaitingBooking' || phaseSince === null || listing === null) return null;
  if (listingStanding(listing) !== 'open' || listing.status === 'OnHold') return null;
  return Date.parse(phaseSince) + input.policy.sweepPace.maximumMs - Date.now();
}

const isAtItsEnd = (run: ShipmentRun): boolean => hasEnded(run.state) || (overdueInMs(run) ?? 1) <= 0;

/** A listing that ended asks, and so does a second one of ours; what sorts itself out takes its question back. */
export function askAboutListing(run: ShipmentRun): void {
  const { question, strays, unreadable } = run.state;
  const isOver = isAtItsEnd(run);
  const isMissing = unreadable?.isMissing === true;
  if (question?.kind === 'listingMissing' && !isMissing) {
    run.note('the listing can be read again; the question is taken back');
    run.close();
  }
  if (question?.kind === 'listingEnded' && !isOver) {
    run.note('the listing lives again; the question is taken back');
    run.close();
  }
  if (question?.kind === 'possibleDoubleBooking' && strays.length === 0) {
    run.note('only one listing is left; the question is taken back');
    run.close();
  }
  // An answer that is still to be acted upon comes before the next question.
  if (run.state.question !== null || run.hasAnswer()) return;
  if (isMissing) run.open('listingMissing', missingText(run), ['adopt', 'rebook', 'close', 'retry']);
  else if (isOver) run.open('listingEnded', endedText(run), ['rebook', 'close']);
  else if (strays.length > 0) {
    run.open('possibleDoubleBooking', doubleBookingText(run, strays), ['adopt', 'retry']);
  }
}

function endedText(run: ShipmentRun): string {
  const { state } = run;
  const what = `Listing ${listingIdOf(run)} is ${state.listing?.status ?? 'gone'}`;
  return isPickedUp(state)
    ? `${what}, after its goods were ${whenPickedUp(state)}. Find out where they are. Answer close when the order is done. Book it anew ` +
        `only when no truck has the goods: \`${commandLines.answer(state, { answer: 'rebook', isChecked: true })}\`.`
    : `${what} and is not on its way. Rebook the order, close it, or wait for the listing to come back.`;
}

function missingText(run: ShipmentRun): string {
  const { unreadable, phase } = run.state;
  const known = isPickedUp(run.state) ? `It was ${whenPickedUp(run.state)}. ` : '';
  const was = phase === 'awaitingBooking' ? 'not booked' : phase;
  return (
    `Listing ${listingIdOf(run)} (${was}) cannot be read since ${unreadable?.since ?? run.now()}: ${unreadable?.reason ?? ''}. ` +
    `${known}Look it up at the marketplace. If another listing is this order's, adopt it. If there is none, rebook the order ` +
    'or close it. Retry reads the listing again. The question closes by itself when the listing can be read.'
  );
}

function doubleBookingText({ input, state }: ShipmentRun, strays: readonly StrayListing[]): string {
  const { account, orderId } = input.shipment;
  const [followed, ...others] = [
    { listingId: 'listingId' in state ? state.listingId : '?', ...linkOf(state.listing) },
    ...strays,
  ].map(
    ({ listingId, status, cancellationLink, difference }) =>
      `${listingId} (${[
        status ?? 'status unknown',
        ...(difference === null ? [] : [difference]),
        ...(cancellationLink === null ? [] : [`cancelled at ${cancellationLink}`]),
      ].join(', ')})`,
  );
  return (
    `Beside listing ${followed} also ${others.join(' and ')} carries the reference ${orderReference(account, orderId)}: ` +
    'two trucks may come. Cancel one at the marketplace, then answer retry; or adopt the one to keep (not one that is ' +
    'other than the order), and the other is deleted unless a carrier has booked it. Where both are delivered, answer retry.'
  );
}

const linkOf = (record: ListingRecord | null): Omit<StrayListing, 'listingId' | 'wasAskedAbout'> => ({
  status: record?.status ?? null,
  cancellationLink: record?.cancellationLink ?? null,
  difference: null,
});

/** Does what a person answered to a question about the listing, if one did. */
export async function takeListingAnswer(run: ShipmentRun): Promise<void> {
  await run.actUponAnswer(async ({ answer, checked }) => {
    const isMissing = run.state.unreadable?.isMissing === true;
    if (answer.kind === 'rebook' || answer.kind === 'close')
      await endListing(run, { next: answer.kind, isChecked: checked !== null });
    else if (answer.kind === 'adopt' && isMissing) await adoptInstead(run, answer.listingId, checked);
    else if (answer.kind === 'adopt') await keepOne(run, answer.listingId);
    else if (answer.kind === 'retry' && isMissing) await readMissing(run);
    else if (answer.kind === 'retry') await keepOne(run, null);
  });
}

/** The one that was followed is left as it is: it cannot be read, and a person knows better. */
async function adoptInstead(run: ShipmentRun, listingId: string, checked: string | null): Promise<void> {
  const proof = await proveAdoption(run, { listingId, checked, onlyLive: false });
  if (typeof proof === 'string') run.note(`not adopted: ${proof}`);
  else followProven(run, proof, `listing ${listingId} is followed now`);
}

async function readMissing(run: ShipmentRun): Promise<void> {
  const record = await readListing(run, listingIdOf(run));
  if (record === null) run.note('the listing still answers 404');
  else await takeRecord(run, record);
}

interface Ending {
  readonly next: 'rebook' | 'close';
  /** A person has checked what Consign cannot. */
  readonly isChecked: boolean;
}

/**
 * Ends a listing whose booking ended, as a person said; proved by a reading of this moment, because the listing may
 * live again meanwhile. One that a carrier could still book is taken down first: neither a closed order nor one that
 * is booked anew may leave a listing behind that somebody takes.
 */
async function endListing(run: ShipmentRun, { next, isChecked }: Ending): Promise<void> {
  const listingId = listingIdOf(run);
  const listing = await readListing(run, listingId);
  if (listing !== null) await takeRecord(run, listing);
  if (listing !== null && !isAtItsEnd(run)) {
    run.note('nothing done: the listing lives again');
    return;
  }
  if (next === 'rebook' && isPickedUp(run.state) && !isChecked) {
    run.notice(`not booked anew: the goods were ${whenPickedUp(run.state)}`);
    return;
  }
  if (listing !== null && canBeBooked(listing)) {
    const end = await takeDown(run, listingId);
    if (end.kind === 'booked') await readAgain(run);
    if (end.kind !== 'gone' && !isOver(run.state.listing ?? listing, end.kind === 'booked')) {
      run.notice(`${next === 'rebook' ? 'not booked anew' : 'not closed'}: ${end.why}`);
      return;
    }
  }
  const live = await retireStrays(run);
  if (live !== null) {
    run.state = switchListing(run.state, listingId, { to: live.listingId });
    run.notice(`listing ${live.listingId} is booked for this order; it is followed now`);
  } else if (next === 'close') {
    await closeAsCancelled(run, 'closed: the booking ended');
  } else {
    run.state = leaveListing(run.state, listingId);
    run.note(`books anew; listing ${listingId} is left`);
  }
  run.publish();
}

/**
 * Ends a possible double booking: one listing is kept, the others must be gone or are taken off the market. One that a
 * carrier has booked can only be cancelled at the marketplace, so that the question comes back.
 * @param preferred the one that a person named; null keeps the one that is booked
 */
async function keepOne(run: ShipmentRun, preferred: string | null): Promise<void> {
  const followed = listingIdOf(run);
  const ids = [followed, ...run.state.strays.map(({ listingId }) => listingId)];
  const records = new Map<string, ListingRecord | null>();
  for (const id of ids) records.set(id, await readListing(run, id));
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
  if (!ids.includes(kept)) {
    run.note(`listing ${kept} is none of ${ids.join(', ')}`);
    return;
  }
  const difference = differences.get(kept);
  if (difference !== undefined && kept !== followed) {
    run.note(`not kept: ${difference}`);
    return;
  }
  if (stillBooked.length > 0) {
    run.note(`still booked: ${stillBooked.join(', ')}`);
    return;
  }
  for (const id of ids) {
    const record = records.get(id) ?? null;
    if (id === kept || record === null || !canBeBooked(record)) continue;
    const different = differences.get(id);
    // Nobody has said that it is to go.
    if (preferred === null && different !== undefined) {
      run.note(`listing ${id} is still there: ${different}`);
      return;
    }
    const end = await takeDown(run, id);
    if (end.kind !== 'gone' && !isOver(record, end.kind === 'booked')) {
      run.note(`listing ${id} is still there: ${end.why}`);
      return;
    }
  }
  // What was delivered cannot be cancelled any more: that two trucks came is told, and asks nothing.
  for (const id of delivered) if (id !== kept) run.notice(deliveredToo(id));
  if (kept !== followed) run.state = switchListing(run.state, followed, { to: kept });
  for (const { listingId } of run.state.strays) leaveStray(run, listingId, `listing ${kept} is kept`);
  run.publish();
}

/** In which way a listing with our reference is not as the order says, by its id. */
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
