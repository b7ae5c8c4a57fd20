import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  type ActivityOptions,
} from '@temporalio/workflow';
import { keepReading, leave, duplicateListings } from '../../domain/candidates';
import { OWN_LISTING_PACE } from '../../domain/event-policy';
import { failedAgain } from '../../domain/failing-reading';
import { FailureType } from '../../domain/failure-type';
import { listingFingerprint, type ListingRecord } from '../../domain/listing';
import { applyListing } from '../../domain/listing-progress';
import { contradictingReference } from '../../domain/listing-proof';
import { enterPhase, followedListing, type UnverifiedListing } from '../../domain/shipment-state';
import type { Tracking } from '../../domain/tracking';
import { countUnknownOfTracking } from '../../domain/unknown-values';
import { openDoubt } from '../run/open-doubt';
import { isAccountTrouble } from '../run/failure-cause';
import { PhaseChanged } from '../run/leave-phase';
import { noteDuplicatesOfEvents, putOffEvents } from './candidates';
import { readPatiently } from '../run/read-patiently';
import { askForRecord } from './read-listing';
import type { ShipmentRun } from '../run/shipment-run';

/** Nothing else happens during this call. */
const ASKED_BRIEFLY = { scheduleToCloseTimeout: '15 seconds' } as const;

export function listingIdOf(run: ShipmentRun): string {
  const listingId = followedListing(run.state);
  if (listingId === null) throw new TypeError(`phase ${run.state.at.phase} has no listing`);
  return listingId;
}

/**
 * Reads the order's own record first. An event may name another listing: if it carries the order's reference, it is a
 * duplicate, and is reported even while the own listing cannot be read.
 */
export async function readAfterEvents(run: ShipmentRun): Promise<void> {
  putOffEvents(run);
  const failure = await readAgainIfReadable(run);
  await noteDuplicatesOfEvents(run);
  if (failure !== null && (isAccountTrouble(failure) || unverifiedOf(run) !== null)) throw failure;
}

/**
 * A listing that cannot be read holds nothing up: its watch keeps asking, and reports when that has lasted too long.
 * @returns why the listing cannot be read; null when it was read
 */
export async function readAgainIfReadable(run: ShipmentRun): Promise<ActivityFailure | null> {
  try {
    await readAgain(run, ASKED_BRIEFLY);
    return null;
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    run.listingReadAt = null;
    return error;
  }
}

export async function readAgain(run: ShipmentRun, options: ActivityOptions = {}): Promise<void> {
  const listingId = listingIdOf(run);
  try {
    applyRecord(run, await askForRecord(run, listingId, options));
  } catch (error) {
    const toldAfterMs = run.input.policy.unreadableAfterMs;
    if (error instanceof ActivityFailure && !isCancellation(error))
      run.failingReading = failedAgain(run.failingReading, { listingId, nowMs: Date.now(), toldAfterMs });
    throw error;
  }
}

/** Runs before the deletion of a listing that only the order's own write named: it must not be another order's. */
export async function confirmUnverified(run: ShipmentRun, listingId: string): Promise<void> {
  if (unverifiedOf(run) === null) return;
  const { account, policy } = run.input;
  // The record can appear later than the answer that named the listing.
  const patience = { notFoundMs: policy.doubtWaitMs, notFoundPace: OWN_LISTING_PACE };
  const read = async () => await readPatiently({ account, listingId, policy: patience });
  const record = await run.unlessLong(read);
  if (record !== null) {
    verifyListing(run, record);
    run.state = keepReading(run.state, record);
  } else refuteUnverified(run, `its answer named listing ${listingId}, which the marketplace does not know`);
}

/**
 * Runs after a failure: a listing that only the order's own write named, and that was never read, may not exist.
 * @throws PhaseChanged when it does not exist: then the outcome of the write is unknown
 */
export async function doubtUnknown(run: ShipmentRun, error: unknown): Promise<void> {
  const isOfRecord = error instanceof ActivityFailure && RECORD_READERS.has(error.activityType);
  const cause = isOfRecord ? error.cause : null;
  if (!(cause instanceof ApplicationFailure) || cause.type !== FailureType.NotFound) return;
  const listingId = followedListing(run.state);
  if (listingId !== null) await confirmUnverified(run, listingId);
}

const RECORD_READERS: ReadonlySet<string> = new Set(['watchListing', 'getListing']);

/** The write's word for the followed listing; null once the listing's record was read. */
export function unverifiedOf({ state }: ShipmentRun): UnverifiedListing | null {
  return state.at.phase === 'awaitingBooking' ? state.at.unverified : null;
}

/**
 * Compares the first record of a listing with the word of the write that named it.
 * @throws PhaseChanged when the record is another order's: then the outcome of the write is unknown
 */
function verifyListing(run: ShipmentRun, record: ListingRecord): void {
  if (unverifiedOf(run) === null) return;
  const { listingId } = record;
  if (contradictingReference(record, run.input.shipment) === null) {
    run.keepPhase({ phase: 'awaitingBooking', listingId, unverified: null });
    return;
  }
  run.state = leave(run.state, listingId);
  refuteUnverified(
    run,
    `its answer named listing ${listingId}, which carries the reference of another order`,
  );
}

/** @throws PhaseChanged always, because the write is in doubt again */
function refuteUnverified(run: ShipmentRun, reason: string): never {
  const unverified = unverifiedOf(run);
  if (unverified === null) throw new TypeError('no write named this listing');
  const doubt = openDoubt(run, { ...unverified.doubt, reason });
  // A question about the listing would stand in the way of the one about the doubt.
  if (run.state.question !== null) run.close();
  run.state = enterPhase({ ...run.state, imagesTried: 0, imageTrouble: null }, { ...unverified.from, doubt });
  // A supposed duplicate may be the listing that the write really created.
  for (const { listingId } of duplicateListings(run.state)) run.hint(listingId);
  throw new PhaseChanged();
}

export function applyRecord(run: ShipmentRun, record: ListingRecord): void {
  verifyListing(run, record);
  run.listingReadAt = Date.now();
  run.failingReading = null;
  run.state = {
    ...applyListing(keepReading(run.state, record), record, run.now()),
    seenFingerprint: listingFingerprint(record),
    unreadable: null,
  };
  run.publish();
}

export function applyTracking(run: ShipmentRun, tracking: Tracking): void {
  run.trackingReadAt = Date.now();
  const before = run.state.lastSeen;
  // Between two places the marketplace names none, so the last place stays known.
  run.state = countUnknownOfTracking(run.state, tracking, run.now());
  run.update({ tracking, heardAt: run.now(), lastSeen: tracking.lastKnownPlace ?? before });
  if (tracking.lastKnownPlace !== null && tracking.lastKnownPlace !== before) {
    run.addTimeline(`last seen in ${tracking.lastKnownPlace}`);
  }
}
