import { sleep, type ActivityOptions } from '@temporalio/workflow';
import type { Priority } from '@temporalio/common';
import type { AccountPin } from '../../domain/account-pin';
import { summaryOf } from '../../domain/bounds';
import type { EventPolicy } from '../../domain/event-policy';
import { FailureType } from '../../domain/failure-type';
import { MAY_BE_ANYBODYS, type ReadingProof } from '../../domain/known-reading';
import type { ListingRecord } from '../../domain/listing';
import { delayAfter } from '../../domain/policy';
import { FIRST, marketplaceActivities } from './activity-groups';
import { failureTypeOf } from './failure-cause';

/** The calls of shipments go first, however many events there are of which nobody knows whose they are. */
export const BEHIND_SHIPMENTS: Priority = { priorityKey: 5 };

/** However slow the worker is: what a record is late by is not its fault. */
const LEAST_LOOKS = 4;

/** A queue of calls is waited for, and a marketplace that is away is not. */
export const BRIEFLY: ActivityOptions = { retry: { maximumAttempts: 3 }, scheduleToCloseTimeout: '1 minute' };

export interface PatientReading {
  readonly account: AccountPin;
  readonly listingId: string;
  readonly policy: Pick<EventPolicy, 'notFoundMs' | 'notFoundPace'>;
  /** Where the listing is known to be the order's. */
  readonly proof?: ReadingProof;
  readonly priority?: Priority;
  /** Whether one that cannot be read is left after a few tries; otherwise it is tried for as long as it takes. */
  readonly isBrief?: boolean;
}

/**
 * Reads a listing that an event named. One that is not found is asked for again for as long as the policy says: an event
 * can be faster than the record.
 * @returns null when the marketplace still knows no such listing
 * @throws ActivityFailure for any other failure that does not pass by itself
 */
export async function readPatiently({
  account,
  listingId,
  policy,
  priority = FIRST,
  proof = MAY_BE_ANYBODYS,
  isBrief = false,
}: PatientReading): Promise<ListingRecord | null> {
  const { reads } = marketplaceActivities(account.name);
  const options = { priority, ...(isBrief ? BRIEFLY : {}) };
  let endsAt: number | null = null;
  for (let tries = 0; ; tries += 1) {
    try {
      return await reads.getListing.executeWithOptions(options, [{ account, listingId, ...proof }]);
    } catch (error) {
      if (failureTypeOf(error) !== FailureType.NotFound) throw error;
    }
    // From the first answer on: a worker that was away before it has not looked.
    endsAt ??= Date.now() + policy.notFoundMs;
    const ms = delayAfter(policy.notFoundPace, tries);
    if (Date.now() + ms > endsAt && tries + 1 >= LEAST_LOOKS) return null;
    await sleep(ms, { summary: summaryOf(`until listing ${listingId} is asked for again`) });
  }
}
