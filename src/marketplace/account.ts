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

/** Where the service's documentation leaves a choice, the choice. Defaults in `DEFAULT_SETTINGS`. */
export interface MarketplaceSettings {
  /** Of answers that carry a bare number, such as the fixed price. */
  readonly currency: string;
  /** `development` query of the rate calls; null is not sent. */
  readonly development: string | null;
  /** `X-Affiliate` header; null is not sent. */
  readonly affiliate: string | null;
  readonly fixedPriceBody: 'json' | 'form';
  readonly imagePayload: 'multipart' | 'base64' | 'url';
  readonly stopAccessorials: 'object' | 'names';
  /** N units as N lines of one (both readings of the weight agree), or as one line with a count. */
  readonly ltlUnits: 'linePerUnit' | 'unitCount';
}

export const DEFAULT_SETTINGS: MarketplaceSettings = {
  currency: 'USD',
  development: null,
  affiliate: null,
  fixedPriceBody: 'json',
  imagePayload: 'multipart',
  stopAccessorials: 'object',
  ltlUnits: 'linePerUnit',
};

/** All that the client needs to know of one account at the marketplace. */
export interface MarketplaceAccount {
  readonly name: string;
  readonly environment: 'sandbox' | 'production';
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly webUrl: string;
  readonly auth: MarketplaceAuth;
  /** Absent: tracking links are not asked for. */
  readonly web?: WebSignIn;
  /** The shipper's name on fixed prices: lower case letters and digits. */
  readonly source: string;
  /** Needed for webhooks and custom rates of LTL. */
  readonly integratorId: string | null;
  readonly userId: string | null;
  readonly settings: MarketplaceSettings;
}
