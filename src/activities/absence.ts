import type { KnownReading, ReadingProof } from '../domain/known-reading';
import type { ListingRecord } from '../domain/listing';
import { ApiError, UnexpectedResponseError, type MarketplaceError } from '../marketplace/errors';
import type { CallOptions, Marketplace } from '../marketplace/marketplace';

/** A listing, and what is known about who can read it. */
export type NamedListing = Pick<KnownReading, 'listingId'> & ReadingProof;

/** The record of a listing; null when its absence is proved. */
export async function findRecord(
  marketplace: Marketplace,
  { listingId, readBy, witnesses }: NamedListing,
  call: CallOptions,
): Promise<ListingRecord | null> {
  try {
    return await marketplace.findListing({ listingId, readBy, witnesses }, call);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** The error of a write that got 404 although a reading shows the listing. */
export function listingStillExists({
  operation,
  method,
  path,
  listingId,
}: MarketplaceError): UnexpectedResponseError {
  return new UnexpectedResponseError({
    request: { operation, method, path, ...(listingId === null ? {} : { listingId }) },
    ...{ outcome: 'inDoubt', status: 404, expected: 'an effect; a reading shows that the listing exists' },
  });
}
