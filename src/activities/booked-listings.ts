import { trackingFingerprint, type KnownContacts, type Tracking } from '../domain/tracking';
import { poll, read, watch, type WatchOptions } from './call';
import type { ActivityDependencies, ListingInput } from './dependencies';
import { orNotReady, orNotYet, type PollDocumentInput } from './not-ready';

/** A state is asked for often, and a payload has its limit. */
const MAX_CONTACTS_LENGTH = 16_384;

export interface WatchTrackingInput extends ListingInput, WatchOptions {}

export function createBookedListingActivities({ marketplaceOf }: ActivityDependencies) {
  /** GET /v2/listings/{listingId}/track, once. */
  async function getTracking({ account, listingId }: ListingInput): Promise<Tracking> {
    return await read((call) => marketplaceOf(account).getTracking(listingId, call));
  }

  /** GET /v2/listings/{listingId}/track, until it differs from what is known. */
  async function watchTracking({ account, listingId, ...options }: WatchTrackingInput) {
    return await watch<Tracking>(options, async (call) => {
      const reading = await orNotReady('tracking', () => marketplaceOf(account).getTracking(listingId, call));
      if (reading.kind === 'pending' || trackingFingerprint(reading.value) !== options.knownFingerprint)
        return reading;
      return { kind: 'pending', saw: `unchanged: ${reading.value.lastKnownPlace ?? 'no location'}` };
    });
  }

  /**
   * GET /v2/listings/{listingId}/contacts, until they are ready. Their inner fields are not documented, so that they
   * are kept as they came; `known` stands for contacts that are too large to be kept.
   */
  async function pollContacts({ account, listingId, pace }: PollDocumentInput): Promise<KnownContacts> {
    const contacts = await poll(pace, (call) =>
      orNotYet('contacts', () => marketplaceOf(account).getListingContacts(listingId, call)),
    );
    return JSON.stringify(contacts).length > MAX_CONTACTS_LENGTH ? 'known' : contacts;
  }

  return { getTracking, watchTracking, pollContacts };
}
