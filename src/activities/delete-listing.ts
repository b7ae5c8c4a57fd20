import type { ReadingProof } from '../domain/known-reading';
import { canBeBooked } from '../domain/listing-progress';
import { MarketplaceError } from '../marketplace/errors';
import type { CallOptions, Marketplace } from '../marketplace/marketplace';
import { findRecord, stillThere, type NamedListing } from './absence';
import { readBeforeWrite } from './reads-and-polls';
import type { ActivityDependencies, ListingInput } from './dependencies';
import { writeOnce } from './write-once';

export type DeleteListingInput = ListingInput & ReadingProof;

/** What a DELETE found: the listing is gone now, a reading proved that there is none, or a carrier has booked it. */
export type DeletedListing = 'deleted' | 'absent' | 'booked';

/** The reading after a DELETE has what that leaves of the time of the call. */
const DELETE_SHARE = 0.5;
const DEFAULT_CALL_MS = 20_000;

export function createDeleteListingActivities({ marketplaceOf, client }: ActivityDependencies) {
  /** DELETE /v2/listings/{listingId} */
  async function deleteListing({ account, ...named }: DeleteListingInput): Promise<DeletedListing> {
    const marketplace = marketplaceOf(account);
    // This reading proves the key, which the one after the DELETE needs where its answer is lost.
    const record = await readBeforeWrite(async (call) => await findRecord(marketplace, named, call));
    if (record === null) return 'absent';
    return await writeOnce(
      { client, account, guard: null },
      async (call) => await takeOff(marketplace, named, call),
    );
  }
  return { deleteListing };
}

/**
 * A 404 to the DELETE proves nothing: it may be a gateway's, or mean a wrong key. A reading decides, as it does where the
 * answer was lost, and whether the 403 to it means what the contract says.
 */
async function takeOff(
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
    // A 403 about the key or the address of the caller is no answer about the listing, nor is a gateway's page.
    const saysBooked = error.status === 403 && error.outcome === 'rejected';
    if (!saysBooked && error.status !== 404 && error.outcome !== 'inDoubt') throw error;
    const record = await findRecord(marketplace, named, { signal: reading });
    if (record === null) return 'absent';
    if (saysBooked && (record.bookedOn !== null || !canBeBooked(record))) return 'booked';
    throw error.status === 404 ? stillThere(error) : error;
  }
}
