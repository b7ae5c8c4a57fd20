import { poll, read } from './reads-and-polls';
import type { ActivityDependencies, ListingInput } from './dependencies';
import { pendingUntilReady, pendingUntilReadable, type PollDocumentInput } from './not-ready';

export function createTrackingLinkActivities({ marketplaceOf }: ActivityDependencies) {
  /**
   * GET {web_url}/listing/track/{listingId}/trackinglink, once. Null before the booking, and when the account has no
   * web sign-in.
   */
  async function getTrackingLink({ account, listingId }: ListingInput): Promise<string | null> {
    const reading = await read((call) =>
      pendingUntilReady('tracking link', () => marketplaceOf(account).getTrackingLink(listingId, call)),
    );
    return reading.kind === 'ready' ? reading.value : null;
  }

  /** GET {web_url}/listing/track/{listingId}/trackinglink, until there is one; null without a web sign-in. */
  async function pollTrackingLink({ account, listingId, pace }: PollDocumentInput): Promise<string | null> {
    return await poll(pace, (call) =>
      pendingUntilReadable('tracking link', () => marketplaceOf(account).getTrackingLink(listingId, call)),
    );
  }

  return { getTrackingLink, pollTrackingLink };
}
