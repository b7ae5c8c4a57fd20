import { ApplicationFailure, type ActivityOptions } from '@temporalio/workflow';
import {
  candidateOf,
  isBeside,
  keepBeside,
  keepReading,
  know,
  knowSecond,
  leave,
  listingsBeside,
} from '../../domain/candidates';
import { FailureType } from '../../domain/failure-type';
import type { ListingRecord } from '../../domain/listing';
import { isBookedOrDelivered, isOver, listingStanding } from '../../domain/listing-progress';
import { readListing, recognise } from './read-listing';
import type { ShipmentRun } from '../run/shipment-run';
import { standsStill, removeFromMarket } from './delete-listing';

// Duplicates are listings with the order's reference that are not the one followed: each could bring a second truck.

/** UNSAFE, as the policy says: the judge is to see what becomes of an order whose second listings nobody minds. */
export const looksAfterNothing = ({ input }: ShipmentRun): boolean =>
  input.policy.unsafeResendInDoubt === true;

/** Keeps a listing with our reference that is not the one followed, as long as somebody could book it or has. */
export function noteDuplicate(run: ShipmentRun, record: ListingRecord): void {
  if (looksAfterNothing(run)) return;
  const { listingId, status } = record;
  const isKnown = isBeside(run.state, listingId);
  if (listingStanding(record) === 'ended') {
    if (isKnown) leaveDuplicate(run, listingId, status ?? 'it ended');
    return;
  }
  const as = recognise(run, record);
  const difference = as.kind === 'differs' ? as.why : null;
  run.state = keepReading(keepBeside(run.state, record, { difference, at: run.now() }), record);
  if (isKnown || !isBeside(run.state, listingId)) return;
  const but = difference === null ? '' : `, but ${difference}`;
  run.addTimeline(`listing ${listingId} carries our reference too (${status ?? 'no status'})${but}`);
}

/** The listing is of no interest any more: it is gone, or its booking ended. */
export function leaveDuplicate(run: ShipmentRun, listingId: string, why: string): void {
  run.state = leave(run.state, listingId);
  run.addTimeline(`listing ${listingId} is left: ${why}`);
}

/**
 * Before anything is booked anew, closed or withdrawn: what earlier attempts left on the market is taken down.
 * @param options of the readings
 * @returns a listing of ours that is booked all the same, or null when nothing of them is left
 * @throws ApplicationFailure while one stands that is neither: a person has to see to it
 */
export async function retireDuplicates(
  run: ShipmentRun,
  options: ActivityOptions = {},
): Promise<ListingRecord | null> {
  for (const { listingId } of listingsBeside(run.state)) {
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
    tellDelivered(run, listingId);
    leaveDuplicate(run, listingId, as.why);
    return null;
  }
  if (isBookedOrDelivered(record)) return record;
  const end = await removeFromMarket(run, listingId, options);
  if (end.kind === 'gone') {
    leaveDuplicate(run, listingId, 'taken off the market');
    return null;
  }
  // A carrier was faster, or the marketplace does not say: the record decides.
  const left = await readListing(run, listingId, options);
  if (left === null) return leaveGone(run, listingId);
  if (isBookedOrDelivered(left)) return left;
  if (isOver(left, end.kind === 'booked')) {
    leaveDuplicate(run, listingId, left.status ?? 'it ended');
    return null;
  }
  throw standsStill(listingId, end);
}

/**
 * Nobody can cancel what is delivered, so that waiting for that would keep the order for ever: a person is asked once, and
 * goes on by answering.
 */
function isLetGo(run: ShipmentRun, record: ListingRecord): boolean {
  if (listingStanding(record) !== 'delivered') return false;
  const { place } = candidateOf(run.state, record.listingId);
  if (place.kind !== 'beside' || place.wasAskedAbout) return true;
  // A question that is open keeps this one from being asked.
  if (run.state.question !== null) return false;
  run.state = know(run.state, record.listingId, { place: { ...place, wasAskedAbout: true } });
  return false;
}

function leaveGone(run: ShipmentRun, listingId: string): null {
  leaveDuplicate(run, listingId, 'it does not exist any more');
  return null;
}

/** A second truck has come: a person must know, and nothing can be done. */
export function tellDelivered(run: ShipmentRun, listingId: string): void {
  run.addWarning(`listing ${listingId} was delivered for this order too`);
  run.state = knowSecond(run.state, listingId, { since: run.now(), isDelivered: true });
}

/** Made or changed by somebody else, or weighed anew: it is neither followed nor deleted without a person. */
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
