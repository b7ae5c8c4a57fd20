import type { MarketplaceSettings } from './settings';

export { DEFAULT_SETTINGS, type MarketplaceSettings } from './settings';

/** Reads a secret when it is used, which picks up a rotated one. No logged object ever contains a secret. */
export type SecretSource = () => Promise<string>;

/** How an account authenticates (contract: Authentication). */
export type MarketplaceAuth =
  | { readonly kind: 'apiKey'; readonly key: SecretSource }
  /** The second declared scheme; the contract does not say which endpoints accept it. */
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

/** Sign-in for the marketplace's web site, the only source of tracking links. */
export interface WebSignIn {
  readonly username: SecretSource;
  readonly password: SecretSource;
}

/** What the client needs to know about one account. */
export interface MarketplaceAccount {
  readonly name: string;
  readonly environment: 'sandbox' | 'production';
  readonly baseUrl: string;
  readonly webUrl: string;
  readonly auth: MarketplaceAuth;
  /** Key for `settings.xApiKeyCalls`; absent: the API key of `auth`. */
  readonly xApiKey?: SecretSource;
  /** Absent: no tracking links are requested. */
  readonly web?: WebSignIn;
  /** The shipper's name in fixed price requests: lower case letters and digits. */
  readonly source: string;
  /** Needed for webhooks and custom rates of LTL. */
  readonly integratorId: string | null;
  readonly userId: string | null;
  readonly settings: MarketplaceSettings;
}
