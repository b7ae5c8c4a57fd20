import type { Priority } from '@temporalio/common';
import { ActivityFailure, ApplicationFailure, isCancellation } from '@temporalio/workflow';
import { mayBringTruck } from '../../domain/acceptance';
import { isUnguarded, type FinalStep } from '../../domain/blocked';
import { keepUnread } from '../../domain/bounded-state';
import { LIST_LIMITS, namesOf } from '../../domain/bounds';
import {
  isDuplicate,
  isLeft,
  keepReading,
  updateCandidate,
  leave,
  putBack,
  unreadIds,
} from '../../domain/candidates';
import { FailureType } from '../../domain/failure-type';
import type { ListingRecord } from '../../domain/listing';
import { isBookedOrDelivered, listingStanding } from '../../domain/listing-progress';
import { isOfAnotherSend, isOfSend } from '../../domain/listing-proof';
import { doubtOf, followedListing, switchListing, type UnverifiedListing } from '../../domain/shipment-state';
import { lookAtEarlierAcceptances } from './earlier-acceptances';
import { BEHIND_SHIPMENTS, BRIEFLY } from '../run/read-patiently';
import { doesNotExist, recognise, recogniseNamed, type Recognised } from './read-listing';
import type { ShipmentRun } from '../run/shipment-run';
import { StillConsidered } from '../run/still-considered';
import { leaveDuplicate, noteDuplicate, retireDuplicates } from './duplicate-listings';

/** Listings that current events name, and earlier ones that could not be read. */
interface Named {
  readonly ours: readonly ListingRecord[];
  /** Has the order's reference, but differs from the order. */
  readonly differing: readonly ListingRecord[];
  /**
   * The failure of an unreadable listing. The listing is kept for the next look: it may be the booking that the event
   * announced.
   */
  readonly failure: ActivityFailure | null;
}

/** How many listings to read, and with which priority. */
interface Budget {
  readonly rounds: number;
  readonly priority: Priority;
  /** Gives up early on an unreadable listing, which must not delay other work. */
  readonly isBrief?: boolean;
  /** Whether events that arrive during the reads stay in the inbox. */
  readonly leavesEvents?: boolean;
}

const READ_AT_ONCE = 10;
/** Any of them may be the awaited listing, so nothing is decided before all are read. */
const ALL: Budget = { rounds: 2 * (LIST_LIMITS.unread.count / READ_AT_ONCE), priority: {} };
/**
 * For listings besides the followed one: they are foreign or duplicates, and the next look reads the rest. An event
 * that arrives during the reads may be about the followed listing, whose record was read before it.
 */
const A_FEW: Budget = { rounds: 1, priority: BEHIND_SHIPMENTS, isBrief: true, leavesEvents: true };
/** For use during a question or poll: an unreadable listing waits for the next look. */
const ALL_BRIEFLY: Budget = { ...ALL, isBrief: true };

async function listingsOfEvents(
  run: ShipmentRun,
  { rounds, leavesEvents = false, ...how }: Budget,
): Promise<Named> {
  const ours: ListingRecord[] = [];
  const differing: ListingRecord[] = [];
  const failed = new Map<string, ActivityFailure>();
  for (let round = 0; round < rounds; round += 1) {
    if (!leavesEvents) putOffEvents(run);
    const turn = unreadIds(run.state)
      .filter((id) => !failed.has(id))
      .slice(0, READ_AT_ONCE);
    if (turn.length === 0) break;
    const readings = await run.unlessLong(
      async () => await Promise.all(turn.map(async (listingId) => await readNamed(run, listingId, how))),
    );
    for (const { listingId, found, failure } of readings) {
      if (failure !== null) failed.set(listingId, failure);
      else if (found === null) leaveForeign(run, listingId, doesNotExist(listingId));
      else if (found.as.kind === 'foreign') leaveForeign(run, listingId, found.as.why);
      // A listing that proved itself before stays the order's, even if this reading has no reference.
      else if (found.as.kind === 'unreferenced' && !isDuplicate(run.state, listingId))
        run.addTimeline(`not taken: ${found.as.why}`);
      else if (!isOfNoInterest(run, found.record))
        (found.as.kind === 'differs' ? differing : ours).push(found.record);
    }
    for (const listingId of turn)
      if (!failed.has(listingId)) run.state = updateCandidate(run.state, listingId, { isUnread: false });
    run.state = putBack(
      run.state,
      turn.filter((listingId) => failed.has(listingId)),
    );
  }
  const [failure = null] = failed.values();
  return { ours, differing, failure };
}

interface NamedReading {
  readonly listingId: string;
  readonly found: Recognised | null;
  readonly failure: ActivityFailure | null;
}

async function readNamed(
  run: ShipmentRun,
  listingId: string,
  how: Omit<Budget, 'rounds' | 'leavesEvents'>,
): Promise<NamedReading> {
  try {
    return { listingId, found: await recogniseNamed(run, listingId, how), failure: null };
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return { listingId, found: null, failure: error };
  }
}

function leaveForeign(run: ShipmentRun, listingId: string, why: string): void {
  if (isDuplicate(run.state, listingId)) leaveDuplicate(run, listingId, why);
  else run.addTimeline(`not taken: ${why}`);
}

/**
 * A listing that the order has left matters again only if a carrier may still pick it up: that would be a second
 * truck.
 */
const isOfNoInterest = ({ state }: ShipmentRun, record: ListingRecord): boolean =>
  isLeft(state, record.listingId) && listingStanding(record) !== 'booked';

/** Defers the listings of current events to the next look, so the same events do not wake a waiting phase again. */
export function putOffEvents(run: ShipmentRun): void {
  run.state = keepUnread(
    run.state,
    run.consumeEvents().flatMap(({ listingIds }) => listingIds),
  );
}

interface Wanted {
  /** Null accepts any send. */
  readonly sendId: string | null;
  /** Whether a listing that is only on the market is refused. */
  readonly onlyLive: boolean;
}

/**
 * The listing that current events name and that is proven to be this order's; a booked one before one on the market.
 * Other listings of the order are kept as duplicates, because each could become a second booking.
 * @throws ActivityFailure when there is none and a listing cannot be read
 */
async function proveFromEvents(
  run: ShipmentRun,
  { sendId, onlyLive }: Wanted,
  budget: Budget,
): Promise<ListingRecord | null> {
  const { ours, differing, failure } = await listingsOfEvents(run, budget);
  const fits = ours.filter(
    (record) => (sendId === null || !isOfAnotherSend(record, sendId)) && !isAnOldEnd(record, sendId),
  );
  const taken = fits.find(isBookedOrDelivered) ?? (onlyLive ? null : (fits[0] ?? null));
  for (const record of [...ours, ...differing]) if (record !== taken) noteDuplicate(run, record);
  if (taken === null && failure !== null) throw failure;
  return taken;
}

/** An ended listing is the outcome of a send only if it carries the send id: an earlier send may have left it. */
function isAnOldEnd(record: ListingRecord, sendId: string | null): boolean {
  return (
    ['ended', 'lapsed'].includes(listingStanding(record)) && (sendId === null || !isOfSend(record, sendId))
  );
}

/** As `proveFromEvents`, for callers that conclude nothing from null: an unreadable listing waits for the next look. */
export async function proveIfReadable(run: ShipmentRun, wanted: Wanted): Promise<ListingRecord | null> {
  try {
    return await proveFromEvents(run, wanted, ALL_BRIEFLY);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    noteUnread(run, error);
    return null;
  }
}

/** Notes duplicates that events name while the order follows another listing. */
export async function noteDuplicatesOfEvents(run: ShipmentRun): Promise<void> {
  const { ours, differing, failure } = await listingsOfEvents(run, A_FEW);
  for (const record of [...ours, ...differing]) noteDuplicate(run, record);
  if (failure !== null) noteUnread(run, failure);
}

function noteUnread(run: ShipmentRun, failure: ActivityFailure): void {
  run.addTimeline(`listing ${namesOf(unreadIds(run.state))} cannot be read yet: ${run.why(failure)}`);
}

/**
 * Follows a booked listing that an earlier, abandoned send or acceptance left. Deletes what else earlier attempts
 * left on the market.
 * @returns whether there was such a booking
 */
export const adoptLive = async (run: ShipmentRun): Promise<boolean> => await lookForLive(run, ALL);

/** As `adoptLive`, during a question: a person's answer must not wait for an unreadable listing. */
export const adoptLiveBriefly = async (run: ShipmentRun): Promise<boolean> =>
  await lookForLive(run, ALL_BRIEFLY);

/**
 * As `adoptLive`, right before a step that could book twice or lose a booking: nothing is awaited between the last
 * look and the step.
 * @throws StillConsidered while a carrier may still book an earlier acceptance
 * @throws ApplicationFailure when a person must act first
 */
export async function clearTheWay(run: ShipmentRun, step: FinalStep): Promise<boolean> {
  if (await adoptLive(run)) return true;
  const blocking = run.blockedBecause(step);
  if (blocking === null) return false;
  const { by, why } = blocking;
  if (by === 'carrier') throw new StillConsidered(why);
  const text =
    by === 'room'
      ? `nothing more is booked: ${why}, and no more could be kept in mind. Cancel the order, and place it again under ` +
        'another order id'
      : `nothing is booked or closed for now: ${why}`;
  throw ApplicationFailure.nonRetryable(text, FailureType.UnexpectedResponse);
}

async function lookForLive(run: ShipmentRun, budget: Budget): Promise<boolean> {
  if (isUnguarded(run.input.policy)) {
    run.consumeEvents();
    return false;
  }
  // Events can arrive during the reads, and nothing is decided while a listing is unread.
  for (;;) {
    await lookAtEarlierAcceptances(run);
    const named = await proveFromEvents(run, { sendId: null, onlyLive: false }, budget);
    if (named !== null) noteDuplicate(run, named);
    const live = await retireDuplicates(run, budget.isBrief === true ? BRIEFLY : {});
    if (live !== null) {
      followProven(
        run,
        live,
        `listing ${live.listingId} of an earlier attempt is booked; it is followed now`,
      );
      return true;
    }
    if (run.inbox.length === 0 && unreadIds(run.state).length === 0) return false;
  }
}

/** Follows this listing from now on, in place of any other. */
export function follow(
  run: ShipmentRun,
  {
    listingId,
    unverified = null,
  }: { readonly listingId: string; readonly unverified?: UnverifiedListing | null },
  what: string,
): void {
  run.dropPhaseQuestion();
  run.state = switchListing(run.state, { to: listingId, unverified });
  run.addTimeline(what);
  run.publish();
}

/**
 * Follows a listing that its record proved. A listing from before a revision is the order's too, and a notice says
 * so.
 */
export function followProven(run: ShipmentRun, record: ListingRecord, what: string): void {
  const as = recognise(run, record);
  if (as.kind === 'ours' && as.outdated !== null)
    run.addWarning(`it moves what the order said before it was revised: ${as.outdated}`);
  follow(run, { listingId: record.listingId }, what);
  run.state = keepReading(run.state, record);
}

/**
 * Ends the order, as the person who withdrew or answered wants. Does not end it if a listing turns out to be booked,
 * or a write in doubt has reported its outcome. No event is left unread, and nothing is awaited between the last look
 * and the end.
 * @throws StillConsidered while a carrier may still book an earlier acceptance
 */
export async function closeAsCancelled(run: ShipmentRun, what: string): Promise<void> {
  const isLive = await clearTheWay(run, 'close');
  const attempt = doubtOf(run.state)?.attempt ?? null;
  if (isLive) run.addWarning('not closed: a carrier has booked it');
  else if (run.lateOutcomes.has(attempt))
    run.addTimeline('not closed: the outcome of the write is known now');
  else {
    const listingId = followedListing(run.state);
    if (listingId !== null) run.state = leave(run.state, listingId);
    for (const { carrier, said } of run.state.earlierAcceptances)
      if (mayBringTruck(said))
        run.addWarning(
          `${carrier} has not answered in its time what was accepted before; have it taken back by the marketplace, or a truck may come`,
        );
    run.enter({ phase: 'cancelled', ...run.decision(), endedAt: run.now() }, what);
  }
}
