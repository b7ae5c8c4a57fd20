import type { Priority } from '@temporalio/common';
import { ActivityFailure } from '@temporalio/workflow';
import { DEFAULT_EVENT_POLICY } from '../domain/event-policy';
import { FailureType } from '../domain/failure-type';
import type { ListingRecord } from '../domain/listing';
import { listingStanding } from '../domain/listing-progress';
import { recogniseListing, type Recognition } from '../domain/listing-proof';
import { failureTypeOf, reasonOf } from './failure-cause';
import { readPatiently } from './read-patiently';
import type { ShipmentRun } from './shipment-run';

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

/** Whose a listing is, as far as its record says. */
export function recognise(run: ShipmentRun, record: ListingRecord): Recognition {
  const { earlierLoads } = run.state;
  return recogniseListing(record, { shipment: run.input.shipment, earlierLoads });
}

export interface Recognised {
  readonly record: ListingRecord;
  readonly as: Recognition;
}

/** One that an event names, which may be faster than its record: that is asked for again for a moment. Null: there is none. */
export async function recogniseNamed(
  run: ShipmentRun,
  listingId: string,
  priority: Priority,
): Promise<Recognised | null> {
  const { account, policy } = run.input;
  // A short patience is for several looks too, or a record that is late once would never be read.
  const { notFoundPace } = DEFAULT_EVENT_POLICY;
  const initialMs = Math.min(notFoundPace.initialMs, policy.doubtWaitMs / 10);
  const patience = { notFoundMs: policy.doubtWaitMs, notFoundPace: { ...notFoundPace, initialMs } };
  const record = await readPatiently({ account, listingId, policy: patience, priority });
  return record === null ? null : { record, as: recognise(run, record) };
}

/** One that a person names. In words why it cannot be looked at, where it cannot. */
export async function tryListing(run: ShipmentRun, listingId: string): Promise<Recognised | string> {
  try {
    const record = await readListing(run, listingId);
    return record === null ? doesNotExist(listingId) : { record, as: recognise(run, record) };
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return `listing ${listingId} cannot be read: ${reasonOf(error)}`;
  }
}

export const doesNotExist = (listingId: string): string => `the marketplace knows no listing ${listingId}`;
