import { ActivityFailure, type ActivityOptions } from '@temporalio/workflow';
import { OWN_LISTING_PACE } from '../domain/event-policy';
import { FailureType } from '../domain/failure-type';
import type { ListingRecord } from '../domain/listing';
import { listingStanding } from '../domain/listing-progress';
import { recogniseListing, type Recognition } from '../domain/listing-proof';
import { withListing } from '../domain/shipment-state';
import { withWitnesses } from '../domain/told-bookings';
import { failureTypeOf, statusOf } from './failure-cause';
import { BRIEFLY, readPatiently, type PatientReading } from './read-patiently';
import type { ShipmentRun } from './shipment-run';

const MAX_WITNESSES = 5;

/** Other listings of the order: one that can be read proves the account's key when this one answers 404. */
export function witnessesOf({ state }: ShipmentRun, listingId: string): readonly string[] {
  const known = [
    ...('listingId' in state ? [state.listingId] : []),
    ...state.strays.map((stray) => stray.listingId),
    ...state.earlierListingIds,
  ];
  return known.filter((id) => id !== listingId).slice(0, MAX_WITNESSES);
}

/**
 * The record of a listing that is or was this order's. Null when it is proved that there is none, or when a person has
 * checked that.
 * @throws ActivityFailure when nobody can say: the listing may exist
 */
export async function readListing(
  run: ShipmentRun,
  listingId: string,
  options: ActivityOptions = {},
): Promise<ListingRecord | null> {
  const { account } = run.input;
  try {
    const witnesses = witnessesOf(run, listingId);
    const { getListing } = run.activities.reads;
    const read = async () =>
      await getListing.executeWithOptions(options, [{ account, listingId, witnesses }]);
    const record = await run.unlessLong(read);
    return withWitnesses(record, run.state);
  } catch (error) {
    if (failureTypeOf(error) === FailureType.NotFound) return null;
    if (statusOf(error) !== 404) throw error;
    if (run.state.believedGone.includes(listingId)) return null;
    run.state = { ...run.state, perhapsGone: withListing(run.state.perhapsGone, listingId) };
    throw error;
  }
}

export const isLive = (record: ListingRecord | null): boolean =>
  record !== null && ['booked', 'delivered'].includes(listingStanding(record));

/** Whose a listing is, as far as its record says. One that our own write named needs no reference. */
export function recognise(run: ShipmentRun, record: ListingRecord): Recognition {
  const { earlierLoads } = run.state;
  const found = recogniseListing(record, { shipment: run.input.shipment, earlierLoads });
  const isOwn = run.state.ownListingIds.includes(record.listingId);
  if (found.kind !== 'unreferenced' || !isOwn) return found;
  const { load } = found;
  return load.kind === 'differs' ? { kind: 'differs', why: load.why } : { kind: 'ours', outdated: null };
}

/** Whether our own writes, or a proof, have shown before that a listing is the order's. */
const isKnown = ({ state }: ShipmentRun, listingId: string): boolean =>
  state.ownListingIds.includes(listingId) || state.strays.some((stray) => stray.listingId === listingId);

export interface Recognised {
  readonly record: ListingRecord;
  readonly as: Recognition;
}

/** One that an event names, which may be faster than its record: that is asked for again for a moment. Null: there is none. */
export async function recogniseNamed(
  run: ShipmentRun,
  listingId: string,
  how: Pick<PatientReading, 'priority' | 'isBrief'>,
): Promise<Recognised | null> {
  const { account, policy } = run.input;
  // A short patience is for several looks too, or a record that is late once would never be read.
  const initialMs = Math.min(OWN_LISTING_PACE.initialMs, policy.doubtWaitMs / 10);
  const patience = { notFoundMs: policy.doubtWaitMs, notFoundPace: { ...OWN_LISTING_PACE, initialMs } };
  // Of one that is the order's, a 404 is believed only with proof: it may be a second truck.
  const witnesses = isKnown(run, listingId) ? witnessesOf(run, listingId) : null;
  const record = await readPatiently({ account, listingId, witnesses, policy: patience, ...how });
  return record === null ? null : { record: withWitnesses(record, run.state), as: recognise(run, record) };
}

/** One that a person names, who is told soon why it cannot be looked at, where it cannot: in words. */
export async function tryListing(run: ShipmentRun, listingId: string): Promise<Recognised | string> {
  try {
    const record = await readListing(run, listingId, BRIEFLY);
    return record === null ? doesNotExist(listingId) : { record, as: recognise(run, record) };
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return `listing ${listingId} cannot be read: ${run.why(error)}`;
  }
}

export const doesNotExist = (listingId: string): string => `the marketplace knows no listing ${listingId}`;
