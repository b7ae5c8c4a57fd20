import type { ReadingProof } from '../domain/known-reading';
import type { ListingUpdate } from '../domain/listing-changes';
import { isBookedOrDelivered } from '../domain/listing-progress';
import { ApiError, MarketplaceError } from '../marketplace/errors';
import type { CallOptions, Marketplace } from '../marketplace/marketplace';
import { findRecord, listingStillExists } from './absence';
import { readBeforeWrite } from './reads-and-polls';
import type { AccountInput, ActivityDependencies } from './dependencies';
import { writeOnce } from './write-once';

export interface UpdateListingInput extends AccountInput {
  readonly update: ListingUpdate;
  readonly proof: ReadingProof;
}

/**
 * `updated`: the listing has the change. `booked`: the listing is booked and stays unchanged. `absent`: a reading
 * proved that it does not exist. `conflict`: somebody else changed it after it was read.
 */
export type UpdatedListing = 'updated' | 'booked' | 'absent' | 'conflict';

/** Together with the write's own deadline, below the heartbeat time-out of writes. */
const READ_BACK_DEADLINE_MS = 4_000;

const isConflict = (error: MarketplaceError): boolean =>
  error instanceof ApiError && (error.status === 409 || error.status === 412);

/** Whether the listing has the change. A failed reading proves nothing, and then the first error says more. */
async function isChangeMade(
  marketplace: Marketplace,
  update: ListingUpdate,
  reading: CallOptions,
): Promise<boolean> {
  try {
    return await marketplace.isListingUpdated(update, reading);
  } catch (error) {
    if (error instanceof MarketplaceError) return false;
    throw error;
  }
}

/**
 * The record settles a conflict and a lost answer: if it shows the change, the change was made. It also decides what
 * a 403 or 404 means.
 */
async function putAndVerify(
  marketplace: Marketplace,
  { update, proof }: Pick<UpdateListingInput, 'update' | 'proof'>,
  call: CallOptions,
): Promise<UpdatedListing> {
  const { listingId } = update;
  try {
    await marketplace.updateListing(update, call);
    return 'updated';
  } catch (error) {
    if (!(error instanceof MarketplaceError)) throw error;
    const reading: CallOptions = { signal: AbortSignal.timeout(READ_BACK_DEADLINE_MS) };
    if (error.status === 404) {
      if ((await findRecord(marketplace, { listingId, ...proof }, reading)) === null) return 'absent';
      throw listingStillExists(error);
    }
    // A 403 about the key or the caller's address says nothing about the listing; neither does a gateway's page.
    if (error.status === 403 && error.outcome === 'rejected') {
      // An earlier attempt may have made the change; a failed reading leaves that open.
      if (await marketplace.isListingUpdated(update, reading)) return 'updated';
      if (isBookedOrDelivered(await marketplace.getListing(listingId, reading))) return 'booked';
      throw error;
    }
    const mayBeThere = isConflict(error) || error.outcome === 'inDoubt';
    if (mayBeThere && (await isChangeMade(marketplace, update, reading))) return 'updated';
    if (isConflict(error)) return 'conflict';
    throw error;
  }
}

export function createListingUpdateActivities({ marketplaceOf, client }: ActivityDependencies) {
  /**
   * PUT /v2/listings/{listingId}. Repeating it does no harm, so it needs no guard against a reset. Refused here once
   * the listing is booked. It voids the listing's bids.
   */
  async function updateListing({ account, update, proof }: UpdateListingInput): Promise<UpdatedListing> {
    const marketplace = marketplaceOf(account);
    const named = { listingId: update.listingId, ...proof };
    const record = await readBeforeWrite(async (call) => await findRecord(marketplace, named, call));
    if (record === null) return 'absent';
    if (isBookedOrDelivered(record)) {
      // The answer may have been lost before a carrier booked the changed listing.
      const isMade = await readBeforeWrite((call) => marketplace.isListingUpdated(update, call));
      return isMade ? 'updated' : 'booked';
    }
    // Without the caller's checksum, this one at least detects changes from here on.
    const checked = { ...update, checksum: update.checksum ?? record.checksum };
    return await writeOnce(
      { client, account, guard: null },
      async (call) => await putAndVerify(marketplace, { update: checked, proof }, call),
    );
  }
  return { updateListing };
}
