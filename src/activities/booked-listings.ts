import type { PollPace } from '../domain/policy';
import { trackingFingerprint, type Tracking } from '../domain/tracking';
import { poll, read } from './call';
import type { ActivityDependencies, ListingInput } from './dependencies';
import { orNotReady, type PollDocumentInput } from './not-ready';

export interface WatchTrackingInput extends ListingInput {
  readonly knownFingerprint: string | null;
  readonly pace: PollPace;
}

export function createBookedListingActivities({ marketplaceOf }: ActivityDependencies) {
  /** GET /v2/listings/{listingId}/track, once. */
  async function getTracking({ account, listingId }: ListingInput): Promise<Tracking> {
    return await read((call) => marketplaceOf(account).getTracking(listingId, call));
  }

  /** GET /v2/listings/{listingId}/track, until it differs from what is known. */
  async function watchTracking({ account, listingId, knownFingerprint, pace }: WatchTrackingInput) {
    return await poll<Tracking>(pace, async (call) => {
      const reading = await orNotReady('tracking', () => marketplaceOf(account).getTracking(listingId, call));
      if (reading.kind === 'pending' || trackingFingerprint(reading.value) !== knownFingerprint)
        return reading;
      return { kind: 'pending', saw: `unchanged: ${reading.value.lastKnownPlace ?? 'no location'}` };
    });
  }

  /**
   * GET /v2/listings/{listingId}/contacts, until they are ready. Only that they are known is returned: names and
   * phones have no place in a history that outlives the shipment.
   */
  async function pollContacts({ account, listingId, pace }: PollDocumentInput): Promise<'known'> {
    await poll(pace, (call) =>
      orNotReady('contacts', () => marketplaceOf(account).getListingContacts(listingId, call)),
    );
    return 'known';
  }

  return { getTracking, watchTracking, pollContacts };
}
