import type { StatusNames } from '../domain/listing-status';
import type { Operation } from './sort-outcome';

/**
 * Choices that the service's documentation leaves open. A setting exists only for what Consign *sends*, which of two
 * readings applies, or what a word means. Consign reads every form of an answer without a setting.
 */
export interface MarketplaceSettings {
  /** For answers with a bare number, such as the fixed price. */
  readonly currency: string;
  /** `development` query of the rate calls; null is not sent. */
  readonly development: string | null;
  /** `X-Affiliate` header; null is not sent. */
  readonly affiliate: string | null;
  /** Calls that carry the account's key as `x-api-key` in addition to the `Bearer`. */
  readonly xApiKeyCalls: 'none' | 'all' | readonly Operation[];
  /** Where to send a refresh token: to its grant's endpoint, always to `/oauth/token`, or nowhere (a new grant). */
  readonly tokenRefresh: 'sameEndpoint' | 'tokenEndpoint' | 'never';
  readonly fixedPriceBody: 'json' | 'form';
  readonly listingBody: 'json' | 'form';
  /** How a form nests fields: `items[0].unitCount`, `items[0][unitCount]`, or JSON text as the value of `items`. */
  readonly formNesting: 'dots' | 'brackets' | 'json';
  /**
   * The premium's place in a fixed price, as a dotted path such as `insuranceQuote.options.0.cost`; read before the
   * known places. Null reads only those.
   */
  readonly premiumPath: string | null;
  /** The price of a listing; `priceWithPremium` applies only when coverage is included. */
  readonly listPrice: 'nypAmount' | 'priceWithPremium';
  /** The one property of `pricing`, also when a price changes. */
  readonly pricing: 'namedPrice' | 'offerPrice';
  /** Money of a changed listing: `{amount, currencyType}`, or the record's four fields. */
  readonly changedPrice: 'amount' | 'record';
  /** The one field of a listing's `insurance`. */
  readonly listingInsurance: 'coverageAmount' | 'coverage';
  /** `Title`, `Commodity`, `Description` of a listing item, or all in camelCase. */
  readonly listingItemKeys: 'capitalised' | 'camelCase';
  /** The label of a reference of type `Other`: in a separate field, or joined with the number by Consign. */
  readonly otherReferences: 'labelled' | 'combined';
  /** The weight of a furniture item with a count: of one unit, or of all units of the line. */
  readonly furnitureWeight: 'perUnit' | 'perLine';
  /** Type of the reference with the price's correlation id: 10, or its name. */
  readonly priceCorrelationType: 'number' | 'name';
  readonly imagePayload: 'multipart' | 'base64' | 'url';
  /** The field with the image, for any payload; null uses the payload's default: `file`, `content` or `urls`. */
  readonly imageField: string | null;
  readonly stopAccessorials: 'object' | 'names';
  /**
   * Meaning of "must be set" for the liftgate of a stop without a dock (contract, route rule 6): true, or only given.
   * Orders are checked before they start.
   */
  readonly liftgateRule: 'mustBeTrue' | 'mustBeGiven';
  readonly callAccessorial: 'callBeforeArrival' | 'callAhead';
  /**
   * Form of the additional services in a rate request: an array of names or an object of booleans as `accessorials`,
   * or booleans among the accessorials of each stop (contract, route rule 7).
   */
  readonly additionalServices: 'names' | 'booleans' | 'perStop';
  /** Spelling of a business without a dock: the look-up's, or that of the route rules. */
  readonly addressTypes: 'lookup' | 'short';
  /** N units as N lines of one unit (both readings of the weight agree), or as one line with a count. */
  readonly ltlUnits: 'linePerUnit' | 'unitCount';
  /**
   * Countries that LTL orders may name. The contract does not say which countries carriers serve. Orders are checked.
   */
  readonly ltlCountries: 'usAndCanada' | 'any';
  /** LTL pickups on Saturdays and Sundays. Carriers usually rest, and then no rate comes. Orders are checked. */
  readonly ltlWeekends: 'refused' | 'allowed';
  /** `insurance` of an acceptance without coverage: `{"coverage": null}`, `{}` or `null`. */
  readonly declinedInsurance: 'nullCoverage' | 'empty' | 'null';
  /** The marketplace's own names for known listing and transit statuses, in any case and spacing. */
  readonly statusNames: StatusNames;
  /** Hosts, besides those of the account's URLs, that a `Location` may name, such as an inner gateway's. */
  readonly locationHosts: readonly string[];
}

export const DEFAULT_SETTINGS: MarketplaceSettings = {
  currency: 'USD',
  development: null,
  affiliate: null,
  xApiKeyCalls: 'none',
  tokenRefresh: 'sameEndpoint',
  fixedPriceBody: 'json',
  listingBody: 'json',
  formNesting: 'dots',
  premiumPath: null,
  listPrice: 'nypAmount',
  pricing: 'namedPrice',
  changedPrice: 'amount',
  listingInsurance: 'coverageAmount',
  listingItemKeys: 'capitalised',
  otherReferences: 'labelled',
  furnitureWeight: 'perUnit',
  priceCorrelationType: 'number',
  imagePayload: 'multipart',
  imageField: null,
  stopAccessorials: 'object',
  liftgateRule: 'mustBeTrue',
  callAccessorial: 'callBeforeArrival',
  additionalServices: 'names',
  addressTypes: 'lookup',
  ltlUnits: 'linePerUnit',
  ltlCountries: 'usAndCanada',
  ltlWeekends: 'refused',
  declinedInsurance: 'nullCoverage',
  statusNames: {},
  locationHosts: [],
};
