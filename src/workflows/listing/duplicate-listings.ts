import { ApplicationFailure, type ActivityOptions } from '@temporalio/workflow';
import { isUnguarded } from '../../domain/blocked';
import {
  candidateOf,
  isDuplicate,
  keepDuplicate,
  keepReading,
  updateCandidate,
  recordSecond,
  leave,
  duplicateListings,
} from '../../domain/candidates';
import { FailureType } from '../../domain/failure-type';
import type { ListingRecord } from '../../domain/listing';
import { isBookedOrDelivered, isOver, listingStanding } from '../../domain/listing-progress';
import { readListing, recognise } from './read-listing';
import type { ShipmentRun } from '../run/shipment-run';
import { stillOnMarket, removeFromMarket } from './delete-listing';

// A duplicate is a listing with the order's reference that the order does not follow: each could bring a second
// truck.

/** Keeps a duplicate as long as it is booked or could be. */
export function noteDuplicate(run: ShipmentRun, record: ListingRecord): void {
  if (isUnguarded(run.input.policy)) return;
  const { listingId, status } = record;
  const isKnown = isDuplicate(run.state, listingId);
  if (listingStanding(record) === 'ended') {
    if (isKnown) leaveDuplicate(run, listingId, status ?? 'it ended');
    return;
  }
  const as = recognise(run, record);
  const difference = as.kind === 'differs' ? as.why : null;
  run.state = keepReading(keepDuplicate(run.state, record, { difference, at: run.now() }), record);
  if (isKnown || !isDuplicate(run.state, listingId)) return;
  const but = difference === null ? '' : `, but ${difference}`;
  run.addTimeline(`listing ${listingId} carries our reference too (${status ?? 'no status'})${but}`);
}

/** The duplicate no longer matters: it is gone, or its booking ended. */
export function leaveDuplicate(run: ShipmentRun, listingId: string, why: string): void {
  run.state = leave(run.state, listingId);
  run.addTimeline(`listing ${listingId} is left: ${why}`);
}

/**
 * Deletes what earlier attempts left on the market, before anything is booked again, closed or withdrawn.
 * @param options of the readings
 * @returns a listing of the order that turns out to be booked; null when no duplicate is left
 * @throws ApplicationFailure while a duplicate is neither booked nor gone: a person must act
 */
export async function retireDuplicates(
  run: ShipmentRun,
  options: ActivityOptions = {},
): Promise<ListingRecord | null> {
  for (const { listingId } of duplicateListings(run.state)) {
    const live = await retireDuplicate(run, listingId, options);
    if (live !== null) return live;
  }
  return null;
}

async function retireDuplicate(
  run: ShipmentRun,
  listingId: string,
  options: ActivityOptions,
): Promise<ListingRecord | null> {
  const record = await readListing(run, listingId, options);
  if (record === null) return leaveGone(run, listingId);
  if (listingStanding(record) === 'ended') {
    leaveDuplicate(run, listingId, record.status ?? 'it ended');
    return null;
  }
  const as = recognise(run, record);
  if (as.kind === 'differs') {
    if (!isLetGo(run, record)) throw differs(record, as.why);
    reportSecondDelivery(run, listingId);
    leaveDuplicate(run, listingId, as.why);
    return null;
  }
  if (isBookedOrDelivered(record)) return record;
  const end = await removeFromMarket(run, listingId, options);
  if (end.kind === 'gone') {
    leaveDuplicate(run, listingId, 'taken off the market');
    return null;
  }
  // A carrier was faster, or the marketplace gave no clear answer: the record decides.
  const left = await readListing(run, listingId, options);
  if (left === null) return leaveGone(run, listingId);
  if (isBookedOrDelivered(left)) return left;
  if (isOver(left, end.kind === 'booked')) {
    leaveDuplicate(run, listingId, left.status ?? 'it ended');
    return null;
  }
  throw stillOnMarket(listingId, end);
}

/**
 * Nobody can cancel a delivered listing, so waiting for that would keep the order open for ever. Consign asks a
 * person once, and any answer continues.
 */
function isLetGo(run: ShipmentRun, record: ListingRecord): boolean {
  if (listingStanding(record) !== 'delivered') return false;
  const { place } = candidateOf(run.state, record.listingId);
  if (place.kind !== 'beside' || place.wasAskedAbout) return true;
  // While another question is open, this one cannot be asked.
  if (run.state.question !== null) return false;
  run.state = updateCandidate(run.state, record.listingId, { place: { ...place, wasAskedAbout: true } });
  return false;
}

function leaveGone(run: ShipmentRun, listingId: string): null {
  leaveDuplicate(run, listingId, 'it does not exist any more');
  return null;
}

/** Reports a second truck: nothing can be done about it, but a person must know. */
export function reportSecondDelivery(run: ShipmentRun, listingId: string): void {
  run.addWarning(`listing ${listingId} was delivered for this order too`);
  run.state = recordSecond(run.state, listingId, { since: run.now(), isDelivered: true });
}

/**
 * Somebody else made or changed the listing, or it was reweighed. It is neither followed nor deleted without a
 * person.
 */
function differs(record: ListingRecord, why: string): ApplicationFailure {
  const { listingId, status } = record;
  const isDelivered = listingStanding(record) === 'delivered';
  const what = isDelivered
    ? 'It is delivered: see whether the goods of this order are with it, and cancel the order if they are'
    : `Nothing is booked or closed beside it: cancel or delete it on its page at the marketplace`;
  const text =
    `listing ${listingId} (${status ?? 'no status'}) carries the reference of this order, but is not as the order says: ` +
    `${why}. ${what}`;
  return ApplicationFailure.nonRetryable(text, FailureType.UnexpectedResponse);
}
