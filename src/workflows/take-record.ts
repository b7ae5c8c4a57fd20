import { ActivityFailure } from '@temporalio/workflow';
import { listingFingerprint, type ListingRecord } from '../domain/listing';
import { applyListing } from '../domain/listing-progress';
import { contradictingReference } from '../domain/listing-proof';
import { enterPhase, withListing } from '../domain/shipment-state';
import type { Tracking } from '../domain/tracking';
import { countUnknownOfTracking } from '../domain/unknown-values';
import { openDoubt } from './doubt';
import { Moved } from './leave-phase';
import { noteStraysOfEvents, readListing } from './our-listings';
import type { ShipmentRun } from './shipment-run';

/** The listing that is followed. */
export function listingIdOf(run: ShipmentRun): string {
  if (!('listingId' in run.state)) throw new TypeError(`phase ${run.state.phase} has no listing`);
  return run.state.listingId;
}

/** An event may name another listing than ours: one that carries our reference all the same is a second one. */
export async function readAfterEvents(run: ShipmentRun): Promise<void> {
  await noteStraysOfEvents(run);
  await readAgain(run);
}

export async function readAgain(run: ShipmentRun): Promise<void> {
  const { account } = run.input;
  await takeRecord(run, await run.activities.reads.getListing({ account, listingId: listingIdOf(run) }));
}

/** Before a listing is deleted that only our own write named: it must not be another order's. */
export async function confirmClaim(run: ShipmentRun, listingId: string): Promise<void> {
  if (run.state.phase !== 'awaitingBooking' || (run.state.claim ?? null) === null) return;
  const record = await readListing(run, listingId);
  if (record !== null) takeClaim(run, record);
}

/**
 * Holds the first record of a listing against the word of the write that named it.
 * @throws Moved when it is another order's: then nobody knows what the write did
 */
function takeClaim(run: ShipmentRun, record: ListingRecord): void {
  const { state } = run;
  const claim = state.phase === 'awaitingBooking' ? (state.claim ?? null) : null;
  if (state.phase !== 'awaitingBooking' || claim === null) return;
  run.state = { ...state, claim: null };
  const { listingId } = record;
  if (contradictingReference(record, run.input.shipment) === null) return;
  const reason = `its answer named listing ${listingId}, which carries the reference of another order`;
  const doubt = openDoubt(run, { ...claim.doubt, reason });
  const left = { ...run.state, earlierListingIds: withListing(run.state.earlierListingIds, listingId) };
  run.state = enterPhase({ ...left, imagesTried: 0 }, { ...claim.from, doubt });
  throw new Moved();
}

/** Where it is, is asked once at each step of the transit, besides the slower watch between them. */
export async function takeRecord(run: ShipmentRun, record: ListingRecord): Promise<void> {
  takeClaim(run, record);
  const before = run.state.listing?.transitStatus ?? null;
  run.state = {
    ...applyListing(run.state, record, run.now()),
    seenFingerprint: listingFingerprint(record),
  };
  run.publish();
  const now = run.state.listing?.transitStatus ?? null;
  if (now === before || (now !== 'PickedUp' && now !== 'Delivered')) return;
  try {
    const { account } = run.input;
    takeTracking(run, await run.activities.reads.getTracking({ account, listingId: record.listingId }));
  } catch (error) {
    // Where it is, is nice to know; the record already told what matters.
    if (!(error instanceof ActivityFailure)) throw error;
    run.note(`no tracking: ${error.cause?.message ?? error.message}`);
  }
}

export function takeTracking(run: ShipmentRun, tracking: Tracking): void {
  const before = run.state.lastSeen;
  // Between two places the marketplace names none: where it was seen last stays known.
  run.state = countUnknownOfTracking(run.state, tracking, run.now());
  run.state = { ...run.state, tracking, lastSeen: tracking.lastKnownPlace ?? before };
  if (tracking.lastKnownPlace !== null && tracking.lastKnownPlace !== before) {
    run.note(`last seen in ${tracking.lastKnownPlace}`);
  }
}
