import type { Dispatcher } from 'undici';
import type { MarketplaceAccount } from './account';
import { createApi } from './api';
import { createAuthenticator } from './auth';
import { createListingFinder } from './find-listing';
import { createHttp, type HttpOptions } from './http';
import type { Marketplace } from './marketplace';
import { createAddressTypeCalls } from './resources/address-types';
import { createAttachmentCalls } from './resources/attachments';
import { createFixedPriceCalls } from './resources/fixed-price';
import { createImageCalls } from './resources/images';
import { createListingCalls } from './resources/listings';
import { createPaymentMethodCalls } from './resources/payment-methods';
import { createRateRequestCalls } from './resources/rate-requests';
import { createRateCalls } from './resources/rates';
import { createTrackingCalls } from './resources/tracking';
import { createTrackingLinkCalls } from './resources/tracking-links';
import { createWebSession } from './web-session';

export interface MarketplaceDependencies {
  /** Replaces all connections, for proxies and tests. */
  readonly dispatcher?: Dispatcher;
  readonly now?: () => number;
  readonly defaultTimeoutMs?: number;
  readonly onCall?: HttpOptions['onCall'];
}

export interface ClosableMarketplace extends Marketplace {
  close(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/** The client of one account. Closing it frees its connections; running calls then fail. */
export function createMarketplace(
  account: MarketplaceAccount,
  dependencies: MarketplaceDependencies = {},
): ClosableMarketplace {
  const { dispatcher, now = Date.now, defaultTimeoutMs = DEFAULT_TIMEOUT_MS, onCall } = dependencies;
  const http = createHttp({ baseUrl: account.baseUrl, defaultTimeoutMs, dispatcher, onCall });
  const authenticator = createAuthenticator(account, http, now);
  const ownUrls = [account.baseUrl, account.webUrl];
  const api = createApi({ http, authenticator, settings: account.settings, ownUrls, now });
  const webHttp = createHttp({ baseUrl: account.webUrl, defaultTimeoutMs, dispatcher, onCall });
  const session = createWebSession(account.web ?? null, webHttp, now);
  const listings = createListingCalls(api, account);
  const addressTypes = createAddressTypeCalls(api);
  return {
    ...createFixedPriceCalls(api, account),
    ...listings,
    ...createListingFinder({ ...listings, ...addressTypes }),
    ...createImageCalls(api, account.settings),
    ...createTrackingCalls(api, account.settings),
    ...createAttachmentCalls(api),
    ...createTrackingLinkCalls(session, account),
    ...createRateRequestCalls(api, account),
    ...createRateCalls(api, account.settings),
    ...createPaymentMethodCalls(api),
    ...addressTypes,
    async close() {
      await Promise.all([http.close(), webHttp.close()]);
    },
  };
}
