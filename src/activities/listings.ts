import { listingFingerprint, type ListingRecord } from '../domain/listing';
import type { StoredImage } from '../domain/shipment';
import { ApiError } from '../marketplace/errors';
import type { ListingDraft } from '../marketplace/marketplace';
import { read, watch, type WatchOptions } from './call';
import type { AccountInput, ActivityDependencies, ListingInput } from './dependencies';
import { writeOnce, type WriteGuard } from './write-once';

export interface CreateListingInput extends AccountInput, WriteGuard {
  readonly draft: ListingDraft;
}

export interface UploadListingImageInput extends ListingInput, WriteGuard {
  readonly image: StoredImage;
}

export interface WatchListingInput extends ListingInput, WatchOptions {
  /** Of the last reading; null returns the first one. */
  readonly knownFingerprint: string | null;
}

/** What a DELETE found: 204 and 404 both leave nothing behind, 403 means that it was booked before. */
export type DeletedListing = 'deleted' | 'absent' | 'booked';

export function createListingActivities({ marketplaceOf, client, files }: ActivityDependencies) {
  /** POST /v2/listings */
  async function createListing({ account, draft, ...guard }: CreateListingInput) {
    return await writeOnce({ client, account, guard }, (call) =>
      marketplaceOf(account).createListing(draft, call),
    );
  }

  /** GET /v2/listings/{listingId} */
  async function getListing({ account, listingId }: ListingInput): Promise<ListingRecord> {
    return await read((call) => marketplaceOf(account).getListing(listingId, call));
  }

  /** DELETE /v2/listings/{listingId} */
  async function deleteListing({ account, listingId }: ListingInput): Promise<DeletedListing> {
    return await writeOnce({ client, account, guard: null }, async (call) => {
      try {
        await marketplaceOf(account).deleteListing(listingId, call);
        return 'deleted';
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return 'absent';
        // A 403 about the key or the address of the caller is no answer about the listing.
        if (error instanceof ApiError && error.status === 403 && error.outcome === 'rejected')
          return 'booked';
        throw error;
      }
    });
  }

  /** POST /v2/listings/{listingid}/images */
  async function uploadListingImage({ account, listingId, image, ...guard }: UploadListingImageInput) {
    const bytes = await files.get(image.sha256);
    await writeOnce({ client, account, guard }, (call) =>
      marketplaceOf(account).uploadListingImage({ listingId, ...image, bytes }, call),
    );
  }

  /** GET /v2/listings/{listingId}, until it differs from what is known: the sweep that repairs lost events. */
  async function watchListing({ account, listingId, ...options }: WatchListingInput) {
    return await watch<ListingRecord>(options, async (call) => {
      const record = await marketplaceOf(account).getListing(listingId, call);
      return listingFingerprint(record) === options.knownFingerprint
        ? {
            kind: 'pending',
            saw: `unchanged: ${record.status ?? '?'}, transit ${record.transitStatus ?? 'none'}`,
          }
        : { kind: 'ready', value: record };
    });
  }

  return { createListing, getListing, deleteListing, uploadListingImage, watchListing };
}
