import type { ReadingProof } from '../domain/known-reading';
import type { ListingUpdate } from '../domain/listing-changes';
import { isBookedOrDelivered } from '../domain/listing-progress';
import { ApiError, MarketplaceError } from '../marketplace/errors';
import type { CallOptions, Marketplace } from '../marketplace/marketplace';
import { findRecord, stillThere } from './absence';
import { readBeforeWrite } from './reads-and-polls';
import type { AccountInput, ActivityDependencies } from './dependencies';
import { writeOnce } from './write-once';

export interface UpdateListingInput extends AccountInput {
  readonly update: ListingUpdate;
  /** Of the listing. */
  readonly proof: ReadingProof;
}

/**
 * What became of a change: it is there, or the listing is booked and stays as it is, or a reading proved that there is no
 * listing, or somebody else changed the listing since it was read.
 */
export type UpdatedListing = 'updated' | 'booked' | 'absent' | 'conflict';

/** With the write's own deadline it stays below the heartbeat time-out of writes. */
const READ_BACK_DEADLINE_MS = 4_000;

const isConflict = (error: MarketplaceError): boolean =>
  error instanceof ApiError && (error.status === 409 || error.status === 412);

/** Whether the change is there after all. A reading that fails proves nothing, and the first error says more. */
async function isThere(
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
 * A conflict and a lost answer are both settled by the record: a change that it shows was made. So is what a 403 or a 404
 * says of the listing.
 */
async function change(
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
      throw stillThere(error);
    }
    // A 403 about the key or the address of the caller is no answer about the listing, nor is a gateway's page.
    if (error.status === 403 && error.outcome === 'rejected') {
      // An attempt before this one may have made the change; a reading that fails leaves that open.
      if (await marketplace.isListingUpdated(update, reading)) return 'updated';
      if (isBookedOrDelivered(await marketplace.getListing(listingId, reading))) return 'booked';
      throw error;
    }
    const mayBeThere = isConflict(error) || error.outcome === 'inDoubt';
    if (mayBeThere && (await isThere(marketplace, update, reading))) return 'updated';
    if (isConflict(error)) return 'conflict';
    throw error;
  }
}

export function createListingUpdateActivities({ marketplaceOf, client }: ActivityDependencies) {
  /** PUT /v2/listings/{listingId}. Repeating it does no harm, so it needs no guard against a reset. Refused here once the listing is booked; bids on it are void afterwards. */
  async function updateListing({ account, update, proof }: UpdateListingInput): Promise<UpdatedListing> {
    const marketplace = marketplaceOf(account);
    const named = { listingId: update.listingId, ...proof };
    const record = await readBeforeWrite(async (call) => await findRecord(marketplace, named, call));
    if (record === null) return 'absent';
    if (isBookedOrDelivered(record)) {
      // The answer to the change may have been lost before a carrier booked the changed listing.
      const isMade = await readBeforeWrite((call) => marketplace.isListingUpdated(update, call));
      return isMade ? 'updated' : 'booked';
    }
    // Without a checksum of the caller's, at least what changes from here on is noticed.
    const checked = { ...update, checksum: update.checksum ?? record.checksum };
    return await writeOnce(
      { client, account, guard: null },
      async (call) => await change(marketplace, { update: checked, proof }, call),
    );
  }
  return { updateListing };
}
