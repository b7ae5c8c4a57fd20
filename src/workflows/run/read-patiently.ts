import { sleep, type ActivityOptions } from '@temporalio/workflow';
import type { Priority } from '@temporalio/common';
import type { AccountPin } from '../../domain/account-pin';
import { summaryOf } from '../../domain/bounds';
import type { EventPolicy } from '../../domain/event-policy';
import { FailureType } from '../../domain/failure-type';
import { OWNER_UNKNOWN, type ReadingProof } from '../../domain/known-reading';
import type { ListingRecord } from '../../domain/listing';
import { delayAfter } from '../../domain/policy';
import { marketplaceActivities, orderPriority } from './activity-groups';
import { failureTypeOf } from './failure-cause';

/** Shipments' calls come first, even before many events of unknown owners. */
export const BEHIND_SHIPMENTS: Priority = { priorityKey: 5 };

/** A slow worker does not reduce the looks, because it does not make the record late. */
const LEAST_LOOKS = 4;

/** Waits for a queue of calls, but not for a marketplace that is away. */
export const BRIEFLY: ActivityOptions = { retry: { maximumAttempts: 3 }, scheduleToCloseTimeout: '1 minute' };

export interface PatientReading {
  readonly account: AccountPin;
  readonly listingId: string;
  readonly policy: Pick<EventPolicy, 'notFoundMs' | 'notFoundPace'>;
  /** Set when the listing is known to be the order's. */
  readonly proof?: ReadingProof;
  readonly priority?: Priority;
  /** Whether to give up on an unreadable listing after a few tries; otherwise Consign tries without limit. */
  readonly isBrief?: boolean;
}

/**
 * Reads a listing that an event named. If it is not found, Consign reads again for as long as the policy says,
 * because an event can arrive before the record.
 * @returns null when the marketplace still has no such listing
 * @throws ActivityFailure for any other failure that does not pass by itself
 */
export async function readPatiently({
  account,
  listingId,
  policy,
  priority = orderPriority(),
  proof = OWNER_UNKNOWN,
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
    // Counts from the first answer: a worker that was down before has not looked.
    endsAt ??= Date.now() + policy.notFoundMs;
    const ms = delayAfter(policy.notFoundPace, tries);
    if (Date.now() + ms > endsAt && tries + 1 >= LEAST_LOOKS) return null;
    await sleep(ms, { summary: summaryOf(`until listing ${listingId} is asked for again`) });
  }
}
