import { ApiError, MarketplaceError, UnexpectedResponseError } from '../marketplace/errors';
import type { CallOptions, Marketplace } from '../marketplace/marketplace';
import { readBeforeWrite } from './call';
import type { ActivityDependencies, ListingInput } from './dependencies';
import { writeOnce } from './write-once';

export interface DeleteListingInput extends ListingInput {
  /** Other listings of the account: one that can be read proves the account's key when this one answers 404. */
  readonly witnesses: readonly string[];
}

/** What a DELETE found: the listing is gone now, a reading proved that there is none, or a carrier has booked it. */
export type DeletedListing = 'deleted' | 'absent' | 'booked';

type Named = Pick<DeleteListingInput, 'listingId' | 'witnesses'>;

/** The reading after a DELETE has what that leaves of the time of the call. */
const DELETE_SHARE = 0.5;
const DEFAULT_CALL_MS = 20_000;

export function createDeleteListingActivities({ marketplaceOf, client }: ActivityDependencies) {
  /** DELETE /v2/listings/{listingId} */
  async function deleteListing({ account, ...named }: DeleteListingInput): Promise<DeletedListing> {
    const marketplace = marketplaceOf(account);
    // This reading proves the key, which the one after the DELETE needs where its answer is lost.
    if (await readBeforeWrite(async (call) => await isAbsent(marketplace, named, call))) return 'absent';
    return await writeOnce(
      { client, account, guard: null },
      async (call) => await takeOff(marketplace, named, call),
    );
  }
  return { deleteListing };
}

/**
 * A 404 to the DELETE proves nothing: it may be a gateway's, or mean a wrong key. A reading decides, as it does where the
 * answer was lost.
 */
async function takeOff(marketplace: Marketplace, named: Named, call: CallOptions): Promise<DeletedListing> {
  const timeoutMs = call.timeoutMs ?? DEFAULT_CALL_MS;
  const reading = AbortSignal.timeout(timeoutMs);
  try {
    await marketplace.deleteListing(named.listingId, { ...call, timeoutMs: timeoutMs * DELETE_SHARE });
    return 'deleted';
  } catch (error) {
    if (!(error instanceof MarketplaceError)) throw error;
    // A 403 about the key or the address of the caller is no answer about the listing.
    if (error.status === 403 && error.outcome === 'rejected') return 'booked';
    if (error.status !== 404 && error.outcome !== 'inDoubt') throw error;
    if (await isAbsent(marketplace, named, { signal: reading })) return 'absent';
    throw error.status === 404 ? stillThere(error) : error;
  }
}

async function isAbsent(marketplace: Marketplace, named: Named, call: CallOptions): Promise<boolean> {
  try {
    await marketplace.findListing(named, call);
    return false;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return true;
    throw error;
  }
}

function stillThere({ operation, method, path }: MarketplaceError): UnexpectedResponseError {
  return new UnexpectedResponseError({
    request: { operation, method, path },
    ...{ outcome: 'inDoubt', status: 404, expected: 'an effect; a reading shows that the listing exists' },
  });
}
