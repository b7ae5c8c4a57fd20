import { ActivityFailure } from '@temporalio/workflow';
import { DEFAULT_EVENT_POLICY } from '../domain/event-policy';
import { FailureType } from '../domain/failure-type';
import type { ListingRecord } from '../domain/listing';
import { canBeBooked, isOver, listingStanding } from '../domain/listing-progress';
import { disproveListing, isOfSend } from '../domain/listing-proof';
import { switchListing, withListing, type Claim } from '../domain/shipment-state';
import { lookAtEarlierAcceptances } from './earlier-acceptances';
import { failureTypeOf, reasonOf } from './failure-cause';
import { readPatiently } from './read-patiently';
import type { ShipmentRun } from './shipment-run';
import { standsStill, takeDown } from './take-down';

/** The record, or null when the marketplace knows no such listing. */
export async function readListing(run: ShipmentRun, listingId: string): Promise<ListingRecord | null> {
  try {
    return await run.activities.reads.getListing({ account: run.input.account, listingId });
  } catch (error) {
    if (failureTypeOf(error) === FailureType.NotFound) return null;
    throw error;
  }
}

export const isLive = (record: ListingRecord | null): boolean =>
  record !== null && ['booked', 'delivered'].includes(listingStanding(record));

/** The listing that a person names, when its record proves that it is this order's; else why it is not taken. */
export async function tryListing(run: ShipmentRun, listingId: string): Promise<ListingRecord | string> {
  try {
    const record = await readListing(run, listingId);
    return record === null
      ? doesNotExist(listingId)
      : (disproveListing(record, run.input.shipment, null) ?? record);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return `listing ${listingId} cannot be read: ${reasonOf(error)}`;
  }
}

const doesNotExist = (listingId: string): string => `the marketplace knows no listing ${listingId}`;

/**
 * The listings named by the events at hand, and by those before whose listings could not be read, that are proven to be
 * this order's. One that cannot be read is kept for the next look: it may be the booking that the event told of.
 */
async function oursOfEvents(
  run: ShipmentRun,
): Promise<{ readonly ours: readonly ListingRecord[]; readonly failure: ActivityFailure | null }> {
  const followed = 'listingId' in run.state ? run.state.listingId : null;
  const named = run.takeEvents().flatMap(({ listingIds }) => listingIds);
  const ours: ListingRecord[] = [];
  const unread: string[] = [];
  let failure: ActivityFailure | null = null;
  for (const listingId of new Set([...run.state.unreadListingIds, ...named])) {
    if (listingId === followed) continue;
    try {
      const proof = await proveListing(run, listingId);
      if (typeof proof !== 'string') ours.push(...(isLeft(run, proof) ? [] : [proof]));
      else if (isStray(run, listingId)) leaveStray(run, listingId, proof);
      else run.note(`not taken: ${proof}`);
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
      unread.push(listingId);
      failure ??= error;
    }
  }
  run.state = { ...run.state, unreadListingIds: unread };
  return { ours, failure };
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
  const named = run.takeEvents().flatMap(({ listingIds }) => listingIds);
  run.state = { ...run.state, unreadListingIds: [...new Set([...run.state.unreadListingIds, ...named])] };
}

/** One that is not found is asked for again for a moment: an event can be faster than the record. */
async function proveListing(run: ShipmentRun, listingId: string): Promise<ListingRecord | string> {
  const { account, shipment, policy } = run.input;
  // A short patience is for several looks too, or a record that is late once would never be read.
  const { notFoundPace } = DEFAULT_EVENT_POLICY;
  const initialMs = Math.min(notFoundPace.initialMs, policy.doubtWaitMs / 10);
  const patience = { notFoundMs: policy.doubtWaitMs, notFoundPace: { ...notFoundPace, initialMs } };
  const record = await readPatiently({ account, listingId, policy: patience });
  return record === null ? doesNotExist(listingId) : (disproveListing(record, shipment, null) ?? record);
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
): Promise<ListingRecord | null> {
  const { ours, failure } = await oursOfEvents(run);
  const { shipment } = run.input;
  const fits = ours.filter(
    (record) => disproveListing(record, shipment, sendId) === null && !isAnOldEnd(record, sendId),
  );
  const taken = fits.find(isLive) ?? (onlyLive ? null : (fits[0] ?? null));
  for (const record of ours) if (record !== taken) noteStray(run, record);
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
    return await proveFromEvents(run, wanted);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    noteUnread(run, error);
    return null;
  }
}

/** Second listings of ours that events name beside the one that is followed. */
export async function noteStraysOfEvents(run: ShipmentRun): Promise<void> {
  const { ours, failure } = await oursOfEvents(run);
  for (const record of ours) noteStray(run, record);
  if (failure !== null) noteUnread(run, failure);
}

function noteUnread(run: ShipmentRun, failure: ActivityFailure): void {
  const ids = run.state.unreadListingIds.join(', ');
  run.note(`listing ${ids} cannot be read as yet: ${reasonOf(failure)}`);
}

/** Keeps a listing of ours that is not the one followed, as long as somebody could book it or has. */
export function noteStray(run: ShipmentRun, record: ListingRecord): void {
  if (looksAfterNothing(run)) return;
  const { listingId, status, cancellationLink } = record;
  const isKnown = isStray(run, listingId);
  if (!isLive(record) && !canBeBooked(record)) {
    if (isKnown) leaveStray(run, listingId, status ?? 'it ended');
    return;
  }
  const others = run.state.strays.filter((stray) => stray.listingId !== listingId);
  run.state = { ...run.state, strays: [...others, { listingId, status, cancellationLink }] };
  if (!isKnown) run.note(`listing ${listingId} carries our reference too (${status ?? 'no status'})`);
}

/** UNSAFE, as the policy says: the judge is to see what becomes of an order whose second listings nobody minds. */
const looksAfterNothing = ({ input }: ShipmentRun): boolean => input.policy.unsafeResendInDoubt === true;

const isStray = (run: ShipmentRun, listingId: string): boolean =>
  run.state.strays.some((stray) => stray.listingId === listingId);

/** The listing is of no interest any more: it is gone, or its booking ended. */
export function leaveStray(run: ShipmentRun, listingId: string, why: string): void {
  run.state = {
    ...run.state,
    strays: run.state.strays.filter((stray) => stray.listingId !== listingId),
    earlierListingIds: withListing(run.state.earlierListingIds, listingId),
  };
  run.note(`listing ${listingId} is left: ${why}`);
}

/**
 * Before anything is booked anew, closed or withdrawn: what earlier attempts left on the market is taken down.
 * @returns a listing of ours that is booked all the same, or null when nothing of them is left
 */
export async function retireStrays(run: ShipmentRun): Promise<ListingRecord | null> {
  for (const { listingId } of run.state.strays) {
    const live = await retireStray(run, listingId);
    if (live !== null) return live;
  }
  return null;
}

/**
 * Follows a listing of ours that is booked although nothing was expected of it any more: an earlier send or acceptance
 * that was given up. What else earlier attempts left is taken down.
 * @returns whether there was one
 */
export async function adoptLive(run: ShipmentRun): Promise<boolean> {
  if (looksAfterNothing(run)) {
    run.takeEvents();
    return false;
  }
  await lookAtEarlierAcceptances(run);
  // Events can arrive while the readings are made, and nothing is decided while one of them is not read.
  do {
    const named = await proveFromEvents(run, { sendId: null, onlyLive: false });
    if (named !== null) noteStray(run, named);
    const live = await retireStrays(run);
    if (live !== null) {
      follow(run, live, `listing ${live.listingId} of an earlier attempt is booked; it is followed now`);
      return true;
    }
  } while (run.inbox.length > 0);
  return false;
}

/** Another listing than before, if there was one, is the shipment's from now on. */
export function follow(
  run: ShipmentRun,
  { listingId, claim = null }: { readonly listingId: string; readonly claim?: Claim | null },
  what: string,
): void {
  const from = 'listingId' in run.state ? run.state.listingId : null;
  run.state = switchListing(run.state, from, { to: listingId, claim });
  run.note(what);
  run.publish();
}

/**
 * Ends the order as cancelled, unless a listing of it turns out to be booked: no event is left unread, and nothing is
 * awaited between the last look and the end.
 */
export async function closeAsCancelled(run: ShipmentRun, reason: string, what: string): Promise<void> {
  if (await adoptLive(run)) run.notice('not closed: a carrier has booked it');
  else run.enter({ phase: 'cancelled', reason }, what);
}

async function retireStray(run: ShipmentRun, listingId: string): Promise<ListingRecord | null> {
  const record = await readListing(run, listingId);
  if (record === null || isLive(record)) return record ?? leaveGone(run, listingId);
  if (!canBeBooked(record)) {
    leaveStray(run, listingId, record.status ?? 'it ended');
    return null;
  }
  const end = await takeDown(run, listingId);
  if (end.kind === 'gone') {
    leaveStray(run, listingId, 'taken off the market');
    return null;
  }
  // A carrier was faster, or the marketplace does not say: the record decides.
  const left = await readListing(run, listingId);
  if (left === null) return leaveGone(run, listingId);
  if (isLive(left)) return left;
  if (isOver(left, end.kind === 'booked')) {
    leaveStray(run, listingId, left.status ?? 'it ended');
    return null;
  }
  throw standsStill(listingId, end);
}

function leaveGone(run: ShipmentRun, listingId: string): null {
  leaveStray(run, listingId, 'it does not exist any more');
  return null;
}
