import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import { FailureType } from '../domain/failure-type';
import type { ListingRecord } from '../domain/listing';
import { canBeBooked, listingStanding } from '../domain/listing-progress';
import { disproveListing } from '../domain/listing-proof';
import { switchListing } from '../domain/shipment-state';
import type { ShipmentRun } from './shipment-run';
import { takeDown } from './take-down';

/** The listing, when its record proves that it is this order's, of whichever send; else why not. */
export async function proveListing(run: ShipmentRun, listingId: string): Promise<ListingRecord | string> {
  try {
    const { account, shipment } = run.input;
    const record = await run.activities.reads.getListing({ account, listingId });
    return disproveListing(record, shipment, null) ?? record;
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return `listing ${listingId} cannot be read: ${error.cause?.message ?? error.message}`;
  }
}

/** The record, or null when the marketplace knows no such listing. */
export async function readListing(run: ShipmentRun, listingId: string): Promise<ListingRecord | null> {
  try {
    return await run.activities.reads.getListing({ account: run.input.account, listingId });
  } catch (error) {
    const cause = error instanceof ActivityFailure ? error.cause : error;
    if (cause instanceof ApplicationFailure && cause.type === FailureType.NotFound) return null;
    throw error;
  }
}

export const isLive = (record: ListingRecord | null): boolean =>
  record !== null && ['booked', 'delivered'].includes(listingStanding(record));

/**
 * The listing that the events at hand name and that is proven to be this order's; a booked one before one that is only
 * on the market, which where `onlyLive` is not taken. Any other one of ours is kept as a stray: it could become a second
 * booking.
 */
export async function proveFromEvents(
  run: ShipmentRun,
  { sendId, onlyLive }: { readonly sendId: string | null; readonly onlyLive: boolean },
): Promise<ListingRecord | null> {
  const ids = new Set(run.takeEvents().flatMap(({ listingIds }) => listingIds));
  const ours: ListingRecord[] = [];
  for (const listingId of ids) {
    if (run.state.earlierListingIds.includes(listingId)) continue;
    const proof = await proveListing(run, listingId);
    if (typeof proof === 'string') run.note(`not taken: ${proof}`);
    else ours.push(proof);
  }
  const { shipment } = run.input;
  const fits = ours.filter((record) => disproveListing(record, shipment, sendId) === null);
  const taken = fits.find(isLive) ?? (onlyLive ? null : (fits[0] ?? null));
  for (const record of ours) if (record !== taken) noteStray(run, record);
  return taken;
}

/** Keeps a listing of ours that is not the one followed, as long as somebody could book it or has. */
export function noteStray(run: ShipmentRun, record: ListingRecord): void {
  const { listingId, status, cancellationLink } = record;
  if (run.state.strays.some((stray) => stray.listingId === listingId)) return;
  if (!isLive(record) && !canBeBooked(record)) return;
  run.state = { ...run.state, strays: [...run.state.strays, { listingId, status, cancellationLink }] };
  run.note(`listing ${listingId} carries our reference too (${record.status ?? 'no status'})`);
}

/** The listing is of no interest any more: it is gone, or its booking ended. */
export function leaveStray(run: ShipmentRun, listingId: string, why: string): void {
  run.state = {
    ...run.state,
    strays: run.state.strays.filter((stray) => stray.listingId !== listingId),
    earlierListingIds: [...run.state.earlierListingIds, listingId],
  };
  run.note(`listing ${listingId} is left: ${why}`);
}

/** An event told of a stray: one that ended is none any more. */
export async function recheckStray(run: ShipmentRun, listingId: string): Promise<void> {
  const record = await readListing(run, listingId);
  if (record !== null && (isLive(record) || canBeBooked(record))) return;
  leaveStray(run, listingId, record?.status ?? 'it does not exist any more');
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
  // Events can arrive while the readings are made.
  do {
    const named = await proveFromEvents(run, { sendId: null, onlyLive: false });
    if (named !== null) noteStray(run, named);
    const live = await retireStrays(run);
    if (live !== null) {
      follow(
        run,
        live.listingId,
        `listing ${live.listingId} of an earlier attempt is booked; it is followed now`,
      );
      return true;
    }
  } while (run.inbox.length > 0);
  return false;
}

/** Another listing than before, if there was one, is the shipment's from now on. */
export function follow(run: ShipmentRun, listingId: string, what: string): void {
  const from = 'listingId' in run.state ? run.state.listingId : null;
  run.state = switchListing(run.state, from, listingId);
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
  if (record === null) {
    leaveStray(run, listingId, 'it does not exist any more');
    return null;
  }
  if (isLive(record)) return record;
  if (canBeBooked(record)) {
    const why = await takeDown(run, listingId);
    // A carrier was faster, or the marketplace does not say: the record decides.
    if (why !== null) return await readListing(run, listingId);
  }
  leaveStray(run, listingId, canBeBooked(record) ? 'taken off the market' : (record.status ?? 'it ended'));
  return null;
}
