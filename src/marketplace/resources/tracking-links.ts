import type { MarketplaceAccount } from '../account';
import type { Marketplace } from '../marketplace';
import { trackingLinkSchema } from '../schemas/web';
import type { WebSession } from '../web-session';

/** Contract: `POST {web_url}/mvc/authentication/signin` and `GET {web_url}/listing/track/{listingId}/trackinglink`. */
export function createTrackingLinkCalls(
  session: WebSession,
  { web }: MarketplaceAccount,
): Pick<Marketplace, 'signIn' | 'getTrackingLink'> {
  return {
    async signIn(call) {
      await session.signIn(call);
    },

    async getTrackingLink(listingId, call) {
      if (web === undefined) return null;
      const answer = await session.call(
        {
          operation: 'getTrackingLink',
          method: 'GET',
          path: '/listing/track/{listingId}/trackinglink',
          params: { listingId },
        },
        call,
      );
      return answer.json(trackingLinkSchema).TrackingLinkUrl;
    },
  };
}
