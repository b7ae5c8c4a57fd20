import { ActivityFailure, type ActivityOptions } from '@temporalio/workflow';
import { candidateOf, keepReading, updateCandidate, proofOf, withWitnesses } from '../../domain/candidates';
import { OWN_LISTING_PACE } from '../../domain/event-policy';
import { FailureType } from '../../domain/failure-type';
import type { ListingRecord } from '../../domain/listing';
import { recogniseListing, type Recognition } from '../../domain/listing-proof';
import { failureTypeOf, statusOf } from '../run/failure-cause';
import { BRIEFLY, readPatiently, type PatientReading } from '../run/read-patiently';
import type { ShipmentRun } from '../run/shipment-run';

/**
 * Reads once a listing that is or was this order's.
 * @throws ActivityFailure, also when there is no such listing
 */
export async function askForRecord(
  run: ShipmentRun,
  listingId: string,
  options: ActivityOptions,
): Promise<ListingRecord> {
  const input = { account: run.input.account, listingId, ...proofOf(run.state, listingId) };
  const { getListing } = run.activities.reads;
  return await run.unlessLong(async () => await getListing.executeWithOptions(options, [input]));
}

/**
 * The record of a listing that is or was this order's. Null when its absence is proved or a person has checked it.
 * @throws ActivityFailure when the absence is not proved: the listing may exist
 */
export async function readListing(
  run: ShipmentRun,
  listingId: string,
  options: ActivityOptions = {},
): Promise<ListingRecord | null> {
  try {
    const record = await askForRecord(run, listingId, options);
    run.state = keepReading(run.state, record);
    return withWitnesses(record, run.state);
  } catch (error) {
    if (failureTypeOf(error) === FailureType.NotFound) return null;
    if (statusOf(error) !== 404) throw error;
    if (candidateOf(run.state, listingId).gone === 'believed') return null;
    run.state = updateCandidate(run.state, listingId, { gone: 'perhaps' });
    throw error;
  }
}

/** Whose a listing is, by its record. A listing that the order's own write named needs no reference. */
export function recognise(run: ShipmentRun, record: ListingRecord): Recognition {
  const { earlierLoads } = run.state;
  const { isOwn } = candidateOf(run.state, record.listingId);
  return recogniseListing(record, { shipment: run.input.shipment, earlierLoads, isOwn });
}

/** Whether a listing must exist, because the order's own writes or a proof have shown that it is the order's. */
function isKnown({ state }: ShipmentRun, listingId: string): boolean {
  const { gone, isOwn, place } = candidateOf(state, listingId);
  return gone !== 'believed' && (isOwn || place.kind === 'beside');
}

export interface Recognised {
  readonly record: ListingRecord;
  readonly as: Recognition;
}

/**
 * Reads a listing that an event names. The event may arrive before the record exists, so Consign reads again for a
 * short time.
 * @returns null when there is no such listing
 */
export async function recogniseNamed(
  run: ShipmentRun,
  listingId: string,
  how: Pick<PatientReading, 'priority' | 'isBrief'>,
): Promise<Recognised | null> {
  const { account, policy } = run.input;
  // Even a short patience allows several looks, or a record that is late once would never be read.
  const initialMs = Math.min(OWN_LISTING_PACE.initialMs, policy.doubtWaitMs / 10);
  const patience = { notFoundMs: policy.doubtWaitMs, notFoundPace: { ...OWN_LISTING_PACE, initialMs } };
  // If the listing is the order's, only a proven 404 counts: the listing may be a second truck.
  const proof = isKnown(run, listingId) ? { proof: proofOf(run.state, listingId) } : {};
  const record = await readPatiently({ account, listingId, policy: patience, ...proof, ...how });
  if (record === null) return null;
  run.state = keepReading(run.state, record);
  return { record: withWitnesses(record, run.state), as: recognise(run, record) };
}

/** Reads a listing that a person names, and returns soon, with the reason in words if it cannot be read. */
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
