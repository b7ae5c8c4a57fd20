import type { StatusNames } from '../domain/listing-status';
import type { Operation } from './sort-outcome';

/**
 * Where the service's documentation leaves a choice, the choice. Only what is *sent*, which of two readings is taken, or
 * what a word means, is a setting; whatever form an answer has is read without one.
 */
export interface MarketplaceSettings {
  /** Of answers that carry a bare number, such as the fixed price. */
  readonly currency: string;
  /** `development` query of the rate calls; null is not sent. */
  readonly development: string | null;
  /** `X-Affiliate` header; null is not sent. */
  readonly affiliate: string | null;
  /** Which calls carry the account's key as `x-api-key` too, beside the `Bearer`. */
  readonly xApiKeyCalls: 'none' | 'all' | readonly Operation[];
  /** Where a refresh token goes: where its grant went, to `/oauth/token` always, or nowhere (a new grant). */
  readonly tokenRefresh: 'sameEndpoint' | 'tokenEndpoint' | 'never';
  readonly fixedPriceBody: 'json' | 'form';
  readonly listingBody: 'json' | 'form';
  /** How a form nests: `items[0].unitCount`, `items[0][unitCount]`, or JSON text as the value of `items`. */
  readonly formNesting: 'dots' | 'brackets' | 'json';
  /**
   * Where the fixed price answers the premium, as a dotted path such as `insuranceQuote.options.0.cost`; read before the
   * known places. Null reads those only.
   */
  readonly premiumPath: string | null;
  /** What a listing is offered at; with the premium only where protection is included. */
  readonly listPrice: 'nypAmount' | 'priceWithPremium';
  /** The one property of `pricing`, and of a change of the price. */
  readonly pricing: 'namedPrice' | 'offerPrice';
  /** Money of a changed listing: `{amount, currencyType}`, or the four fields that the record shows. */
  readonly changedPrice: 'amount' | 'record';
  /** The one field of a listing's `insurance`. */
  readonly listingInsurance: 'coverageAmount' | 'coverage';
  /** `Title`, `Commodity`, `Description` of an item of a listing, or all in camelCase. */
  readonly listingItemKeys: 'capitalised' | 'camelCase';
  /** A label of type `Other`: in a field of its own, or joined with the number by us. */
  readonly otherReferences: 'labelled' | 'combined';
  /** The weight of a furniture item with a count: of one unit, or of all units of the line. */
  readonly furnitureWeight: 'perUnit' | 'perLine';
  /** Type of the reference with the price's correlation id: 10, or its name. */
  readonly priceCorrelationType: 'number' | 'name';
  readonly imagePayload: 'multipart' | 'base64' | 'url';
  /** The field that holds the image, whatever the payload; null is `file`, `content` or `urls`, by the payload. */
  readonly imageField: string | null;
  readonly stopAccessorials: 'object' | 'names';
  /**
   * What "must be set" means for the liftgate of a stop without a dock (contract, route rule 6): that it is true, or
   * only that the order says something. Held against orders before they start.
   */
  readonly liftgateRule: 'mustBeTrue' | 'mustBeGiven';
  readonly callAccessorial: 'callBeforeArrival' | 'callAhead';
  /**
   * Additional services of a rate request: an array of names or an object of booleans as its `accessorials`, or booleans
   * among the accessorials of each stop (contract, route rule 7).
   */
  readonly additionalServices: 'names' | 'booleans' | 'perStop';
  /** How a business without a dock is written: as the lookup lists it, or as the rules of the route do. */
  readonly addressTypes: 'lookup' | 'short';
  /** N units as N lines of one (both readings of the weight agree), or as one line with a count. */
  readonly ltlUnits: 'linePerUnit' | 'unitCount';
  /** Where LTL goes. The contract names no country that its carriers do not serve. Held against orders. */
  readonly ltlCountries: 'usAndCanada' | 'any';
  /** LTL pickups on Saturdays and Sundays. Held against orders: carriers commonly rest, and then no rate comes. */
  readonly ltlWeekends: 'refused' | 'allowed';
  /** `insurance` of an acceptance without protection: `{"coverage": null}`, `{}` or `null`. */
  readonly declinedInsurance: 'nullCoverage' | 'empty' | 'null';
  /** The marketplace's own words for known statuses of a listing or of its transit, in any case and spacing. */
  readonly statusNames: StatusNames;
  /** Hosts beside those of the account's URLs that a `Location` may name, such as that of an inner gateway. */
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
