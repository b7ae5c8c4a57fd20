import type { Priority } from '@temporalio/common';
import { ActivityFailure, ApplicationFailure, isCancellation } from '@temporalio/workflow';
import { keepUnread, noRoomToBook } from '../../domain/bounded-state';
import { LIST_LIMITS, namesOf } from '../../domain/bounds';
import { FailureType } from '../../domain/failure-type';
import type { ListingRecord } from '../../domain/listing';
import { listingStanding } from '../../domain/listing-progress';
import { isOfAnotherSend, isOfSend } from '../../domain/listing-proof';
import { keepReading } from '../../domain/order-listings';
import {
  doubtOf,
  followedListing,
  switchListing,
  withListing,
  type Claim,
} from '../../domain/shipment-state';
import { lookAtEarlierAcceptances } from './earlier-acceptances';
import { BEHIND_SHIPMENTS, BRIEFLY } from '../run/read-patiently';
import { doesNotExist, isLive, recognise, recogniseNamed, type Recognised } from './recognise-listing';
import type { ShipmentRun } from '../run/shipment-run';
import { StillConsidered } from '../run/still-considered';
import { isStray, leaveStray, looksAfterNothing, noteStray, retireStrays } from './strays';

/** What the events at hand name, and those before whose listings could not be read. */
interface Named {
  readonly ours: readonly ListingRecord[];
  /** With our reference, and not as the order says. */
  readonly differing: readonly ListingRecord[];
  /** Of one that cannot be read. It is kept for the next look: it may be the booking that the event told of. */
  readonly failure: ActivityFailure | null;
}

/** How many listings are read, and before or behind what. */
interface Budget {
  readonly rounds: number;
  readonly priority: Priority;
  /** One that cannot be read must not hold up what else goes on. */
  readonly isBrief?: boolean;
  /** Whether the events that come meanwhile are left in the inbox. */
  readonly leavesEvents?: boolean;
}

const READ_AT_ONCE = 10;
/** Any of them may be the listing that is waited for, and nothing is decided before all are read. */
const ALL: Budget = { rounds: 2 * (LIST_LIMITS.unreadListingIds.count / READ_AT_ONCE), priority: {} };
/**
 * Beside the listing that is followed they are somebody else's, or a second one: the next look reads on. An event that
 * comes meanwhile may be about the followed one, whose record was read before it.
 */
const A_FEW: Budget = { rounds: 1, priority: BEHIND_SHIPMENTS, isBrief: true, leavesEvents: true };
/** Beside a question or a poll: what cannot be read waits for the next look. */
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
    const turn = run.state.unreadListingIds.filter((id) => !failed.has(id)).slice(0, READ_AT_ONCE);
    if (turn.length === 0) break;
    const readings = await run.unlessLong(
      async () => await Promise.all(turn.map(async (listingId) => await readNamed(run, listingId, how))),
    );
    for (const { listingId, found, failure } of readings) {
      if (failure !== null) failed.set(listingId, failure);
      else if (found === null) leaveForeign(run, listingId, doesNotExist(listingId));
      else if (found.as.kind === 'foreign') leaveForeign(run, listingId, found.as.why);
      // One that proved itself before stays the order's, whatever this reading leaves out.
      else if (found.as.kind === 'unreferenced' && !isStray(run, listingId))
        run.note(`not taken: ${found.as.why}`);
      else if (!isLeft(run, found.record))
        (found.as.kind === 'differs' ? differing : ours).push(found.record);
    }
    // What could not be read waits behind the others.
    const others = run.state.unreadListingIds.filter((id) => !turn.includes(id));
    const again = turn.filter((id) => failed.has(id));
    run.update({ unreadListingIds: [...others, ...again] });
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
  if (isStray(run, listingId)) leaveStray(run, listingId, why);
  else run.note(`not taken: ${why}`);
}

/**
 * One that the order has left is of interest again only while a carrier is to fetch it, or as long as it is known to: a
 * second truck.
 */
function isLeft(run: ShipmentRun, record: ListingRecord): boolean {
  if (isStray(run, record.listingId)) return false;
  return run.state.earlierListingIds.includes(record.listingId) && listingStanding(record) !== 'booked';
}

/** What the events at hand name is read at the next look: whoever waits for news must not be woken by these again. */
export function putOffEvents(run: ShipmentRun): void {
  run.state = keepUnread(
    run.state,
    run.takeEvents().flatMap(({ listingIds }) => listingIds),
  );
}

interface Wanted {
  /** Null: of whichever send. */
  readonly sendId: string | null;
  /** Whether one that is only on the market is not taken. */
  readonly onlyLive: boolean;
}

/**
 * The listing that the events at hand name and that is proven to be this order's; a booked one before one that is only
 * on the market. Any other one of ours is kept as a stray: it could become a second booking.
 * @throws ActivityFailure when none is taken and one cannot be read
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
  const taken = fits.find(isLive) ?? (onlyLive ? null : (fits[0] ?? null));
  for (const record of [...ours, ...differing]) if (record !== taken) noteStray(run, record);
  if (taken === null && failure !== null) throw failure;
  return taken;
}

/** A listing that ended is the outcome of a send only when it names it: an earlier one may have left it. */
function isAnOldEnd(record: ListingRecord, sendId: string | null): boolean {
  return listingStanding(record) === 'ended' && (sendId === null || !isOfSend(record, sendId));
}

/** As `proveFromEvents`, where nothing is decided by there being none: what cannot be read waits for the next look. */
export async function proveIfReadable(run: ShipmentRun, wanted: Wanted): Promise<ListingRecord | null> {
  try {
    return await proveFromEvents(run, wanted, ALL_BRIEFLY);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    noteUnread(run, error);
    return null;
  }
}

/** Second listings of ours that events name beside the one that is followed. */
export async function noteStraysOfEvents(run: ShipmentRun): Promise<void> {
  const { ours, differing, failure } = await listingsOfEvents(run, A_FEW);
  for (const record of [...ours, ...differing]) noteStray(run, record);
  if (failure !== null) noteUnread(run, failure);
}

function noteUnread(run: ShipmentRun, failure: ActivityFailure): void {
  run.note(`listing ${namesOf(run.state.unreadListingIds)} cannot be read as yet: ${run.why(failure)}`);
}

/**
 * Follows a listing of ours that is booked although nothing was expected of it any more: an earlier send or acceptance
 * that was given up. What else earlier attempts left is taken down.
 * @returns whether there was one
 */
export async function adoptLive(run: ShipmentRun): Promise<boolean> {
  return (await lookForLive(run, ALL)).isLive;
}

/** As `adoptLive`, beside a question: whoever answers it must not wait for a listing that cannot be read. */
export async function adoptLiveBriefly(run: ShipmentRun): Promise<boolean> {
  return (await lookForLive(run, ALL_BRIEFLY)).isLive;
}

/**
 * As `adoptLive`, before another rate is taken or the order is closed.
 * @throws StillConsidered while a carrier may still book what was accepted before
 */
export async function adoptLiveOrWait(run: ShipmentRun): Promise<boolean> {
  const { isLive, standing } = await lookForLive(run, ALL);
  if (!isLive && standing !== null) throw new StillConsidered(standing);
  return isLive;
}

interface LastLook {
  /** One is booked, and is followed now. */
  readonly isLive: boolean;
  /** Why an earlier acceptance may still book. */
  readonly standing: string | null;
}

async function lookForLive(run: ShipmentRun, budget: Budget): Promise<LastLook> {
  if (looksAfterNothing(run)) {
    run.takeEvents();
    return { isLive: false, standing: null };
  }
  let standing = await lookAtEarlierAcceptances(run);
  // Events can arrive while the readings are made, and nothing is decided while one of them is not read.
  for (;;) {
    const named = await proveFromEvents(run, { sendId: null, onlyLive: false }, budget);
    if (named !== null) noteStray(run, named);
    const live = await retireStrays(run, budget.isBrief === true ? BRIEFLY : {});
    if (live !== null) {
      followProven(
        run,
        live,
        `listing ${live.listingId} of an earlier attempt is booked; it is followed now`,
      );
      return { isLive: true, standing };
    }
    const { unreadListingIds } = run.state;
    if (run.inbox.length === 0 && unreadListingIds.length === 0) return { isLive: false, standing };
    // It may have been told since that one was taken.
    standing = await lookAtEarlierAcceptances(run);
  }
}

/**
 * Before a listing or an acceptance is sent: what could not be kept in mind could be booked twice.
 * @throws ApplicationFailure where a person has to see to it
 */
export function needRoomToBook(run: ShipmentRun): void {
  const why = noRoomToBook(run.state);
  if (why === null) return;
  throw ApplicationFailure.nonRetryable(
    `nothing more is booked: ${why}, and no more could be kept in mind. Cancel the order, and place it again under ` +
      'another order id',
    FailureType.UnexpectedResponse,
  );
}

/** Another listing than before, if there was one, is the shipment's from now on. */
export function follow(
  run: ShipmentRun,
  { listingId, claim = null }: { readonly listingId: string; readonly claim?: Claim | null },
  what: string,
): void {
  const from = followedListing(run.state);
  run.dropPhaseQuestion();
  run.state = switchListing(run.state, from, { to: listingId, claim });
  run.note(what);
  run.publish();
}

/** One whose record proved it. What was sent before the order was revised is its listing too, and people must know. */
export function followProven(run: ShipmentRun, record: ListingRecord, what: string): void {
  const as = recognise(run, record);
  if (as.kind === 'ours' && as.outdated !== null)
    run.notice(`it moves what the order said before it was revised: ${as.outdated}`);
  follow(run, { listingId: record.listingId }, what);
  run.state = keepReading(run.state, record);
}

/**
 * Ends the order as the person wants who withdrew it or answered, unless a listing of it turns out to be booked, or how a write in doubt ended is told: no
 * event is left unread, and nothing is awaited between the last look and the end.
 * @throws StillConsidered while a carrier may still book what was accepted before
 */
export async function closeAsCancelled(run: ShipmentRun, what: string): Promise<void> {
  const isLive = await adoptLiveOrWait(run);
  const attempt = doubtOf(run.state)?.attempt ?? null;
  if (isLive) run.notice('not closed: a carrier has booked it');
  else if (run.lateOutcomes.has(attempt)) run.note('not closed: it is told how the doubt ended');
  else {
    const { state } = run;
    const listingId = followedListing(state);
    if (listingId !== null)
      run.update({ earlierListingIds: withListing(state.earlierListingIds, listingId) });
    run.enter({ phase: 'cancelled', ...run.decision(), endedAt: run.now() }, what);
  }
}
