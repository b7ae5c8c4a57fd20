import type { MarketplaceSettings } from './settings';

export { DEFAULT_SETTINGS, type MarketplaceSettings } from './settings';

/** A secret is fetched when it is used, so that a rotated one is picked up; it is never kept in an object that is logged. */
export type SecretSource = () => Promise<string>;

/** How an account proves itself (contract: Authentication). */
export type MarketplaceAuth =
  | { readonly kind: 'apiKey'; readonly key: SecretSource }
  /** The declared second scheme; which endpoints take it is not documented. */
  | { readonly kind: 'xApiKey'; readonly key: SecretSource }
  | {
      readonly kind: 'clientCredentials';
      readonly clientId: SecretSource;
      readonly clientSecret: SecretSource;
    }
  | {
      readonly kind: 'passwordGrant';
      readonly clientId: SecretSource;
      readonly clientSecret: SecretSource;
      readonly username: SecretSource;
      readonly password: SecretSource;
    };

/** Who signs in to the marketplace's web site, which alone gives out tracking links. */
export interface WebSignIn {
  readonly username: SecretSource;
  readonly password: SecretSource;
}

/** All that the client needs to know of one account at the marketplace. */
export interface MarketplaceAccount {
  readonly name: string;
  readonly environment: 'sandbox' | 'production';
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly webUrl: string;
  readonly auth: MarketplaceAuth;
  /** The key for `settings.xApiKeyCalls`; absent: the API key of `auth`. */
  readonly xApiKey?: SecretSource;
  /** Absent: tracking links are not asked for. */
  readonly web?: WebSignIn;
  /** The shipper's name on fixed prices: lower case letters and digits. */
  readonly source: string;
  /** Needed for webhooks and custom rates of LTL. */
  readonly integratorId: string | null;
  readonly userId: string | null;
  readonly settings: MarketplaceSettings;
}
