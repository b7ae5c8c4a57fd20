import { Context } from '@temporalio/activity';
import type { ReadingProof } from '../domain/known-reading';
import { listingFingerprint, type ListingRecord } from '../domain/listing';
import type { IsoInstant, StoredImage } from '../domain/shipment';
import type { ListingDraft } from '../marketplace/marketplace';
import { read, watch, type WatchOptions } from './reads-and-polls';
import { retryFailingReading } from './retry-failing-reading';
import type { AccountInput, ActivityDependencies, ListingInput } from './dependencies';
import { writeOnce, type WriteGuard } from './write-once';

export interface CreateListingInput extends AccountInput, WriteGuard {
  readonly draft: ListingDraft;
}

export interface UploadListingImageInput extends ListingInput, WriteGuard {
  readonly image: StoredImage;
}

export interface WatchListingInput extends ListingInput, ReadingProof, WatchOptions {
  /** Fingerprint of the last reading; null returns the first reading. */
  readonly knownFingerprint: string | null;
  /** How long the listing may be unreadable before the workflow must know; null: without limit. */
  readonly tellAfterMs: number | null;
  /** From this instant on any reading is returned, because the shipment is late with something; null: never. */
  readonly returnAt: IsoInstant | null;
  /** Since when readings fail, in epoch milliseconds; null when the last one succeeded. */
  readonly failingSinceMs: number | null;
}

/** By Temporal's clock: the attempt's own time does not depend on the worker's clock. */
const isPast = (instant: IsoInstant | null): boolean =>
  instant !== null && Context.current().info.currentAttemptScheduledTimestampMs >= Date.parse(instant);

export type FindListingInput = ListingInput & ReadingProof;

export function createListingActivities({ marketplaceOf, client, files }: ActivityDependencies) {
  /** POST /v2/listings */
  async function createListing({ account, draft, ...guard }: CreateListingInput) {
    return await writeOnce({ client, account, guard }, (call) =>
      marketplaceOf(account).createListing(draft, call),
    );
  }

  /** GET /v2/listings/{listingId}. Fails as `NotFound` only when the absence is proved. */
  async function getListing({ account, ...named }: FindListingInput): Promise<ListingRecord> {
    return await read((call) => marketplaceOf(account).findListing(named, call));
  }

  /** POST /v2/listings/{listingid}/images */
  async function uploadListingImage({ account, listingId, image, ...guard }: UploadListingImageInput) {
    const bytes = await files.get(image.sha256);
    await writeOnce({ client, account, guard }, (call) =>
      marketplaceOf(account).uploadListingImage({ listingId, ...image, bytes }, call),
    );
  }

  /**
   * GET /v2/listings/{listingId}, until it differs from what is known, a new key reads it, or `returnAt`: the sweep that repairs
   * lost events. It keeps reading an unreadable listing for `tellAfterMs`, then fails with the last reading's
   * failure.
   */
  async function watchListing({ account, tellAfterMs, failingSinceMs, ...options }: WatchListingInput) {
    const { listingId, readBy, witnesses } = options;
    return await retryFailingReading(
      { ...options.pace, tellAfterMs, failingSinceMs },
      async () =>
        await watch<ListingRecord>(options, async (call) => {
          const record = await marketplaceOf(account).findListing({ listingId, readBy, witnesses }, call);
          const isByKnownKey = record.readBy === undefined || readBy.includes(record.readBy);
          const isNews = listingFingerprint(record) !== options.knownFingerprint;
          if (isNews || !isByKnownKey || isPast(options.returnAt)) return { kind: 'ready', value: record };
          const saw = `unchanged: ${record.status ?? '?'}, transit ${record.transitStatus ?? 'none'}`;
          return { kind: 'pending', saw };
        }),
    );
  }

  return { createListing, getListing, uploadListingImage, watchListing };
}
