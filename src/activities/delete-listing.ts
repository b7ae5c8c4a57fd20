import type { ReadingProof } from '../domain/known-reading';
import { canBeBooked } from '../domain/listing-progress';
import { MarketplaceError } from '../marketplace/errors';
import type { CallOptions, Marketplace } from '../marketplace/marketplace';
import { findRecord, listingStillExists, type NamedListing } from './absence';
import { readBeforeWrite } from './reads-and-polls';
import type { ActivityDependencies, ListingInput } from './dependencies';
import { writeOnce } from './write-once';

export type DeleteListingInput = ListingInput & ReadingProof;

/**
 * Result of a DELETE: the listing is now deleted, a reading proved that it did not exist, or a carrier has booked it.
 */
export type DeletedListing = 'deleted' | 'absent' | 'booked';

/** The share of the call's time for the DELETE; the reading after it gets the rest. */
const DELETE_SHARE = 0.5;
const DEFAULT_CALL_MS = 20_000;

export function createDeleteListingActivities({ marketplaceOf, client }: ActivityDependencies) {
  /** DELETE /v2/listings/{listingId} */
  async function deleteListing({ account, ...named }: DeleteListingInput): Promise<DeletedListing> {
    const marketplace = marketplaceOf(account);
    // This reading proves the key, which matters if the answer to the DELETE is lost.
    const record = await readBeforeWrite(async (call) => await findRecord(marketplace, named, call));
    if (record === null) return 'absent';
    return await writeOnce(
      { client, account, guard: null },
      async (call) => await deleteAndVerify(marketplace, named, call),
    );
  }
  return { deleteListing };
}

/**
 * A 404 to the DELETE proves nothing: it may come from a gateway, or mean a wrong key. A reading decides; also when
 * the answer was lost, and when a 403 should mean "booked".
 */
async function deleteAndVerify(
  marketplace: Marketplace,
  named: NamedListing,
  call: CallOptions,
): Promise<DeletedListing> {
  const timeoutMs = call.timeoutMs ?? DEFAULT_CALL_MS;
  const reading = AbortSignal.timeout(timeoutMs);
  try {
    await marketplace.deleteListing(named.listingId, { ...call, timeoutMs: timeoutMs * DELETE_SHARE });
    return 'deleted';
  } catch (error) {
    if (!(error instanceof MarketplaceError)) throw error;
    // A 403 about the key or the caller's address says nothing about the listing; neither does a gateway's page.
    const saysBooked = error.status === 403 && error.outcome === 'rejected';
    if (!saysBooked && error.status !== 404 && error.outcome !== 'inDoubt') throw error;
    const record = await findRecord(marketplace, named, { signal: reading });
    if (record === null) return 'absent';
    if (saysBooked && (record.bookedOn !== null || !canBeBooked(record))) return 'booked';
    throw error.status === 404 ? listingStillExists(error) : error;
  }
}
