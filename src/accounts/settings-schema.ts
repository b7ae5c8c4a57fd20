import { z } from 'zod';
import { LISTING_STATUSES, TRANSIT_STATUSES } from '../domain/listing';
import { statusKey } from '../domain/listing-status';
import { DEFAULT_SETTINGS } from '../marketplace/settings';
import { API_CALLS } from '../marketplace/sort-outcome';
import { described } from '../platform/described';

const KNOWN_STATUSES = [...LISTING_STATUSES, ...TRANSIT_STATUSES];

const statusNamesSchema = z
  .record(
    z
      .string()
      .max(60)
      .refine(
        (word) => statusKey(word) !== '',
        'give a status word of the marketplace, with letters or digits',
      ),
    z.enum(KNOWN_STATUSES, { error: `give one of ${KNOWN_STATUSES.join(', ')}` }),
  )
  .superRefine((names, issues) => {
    const seen = new Map<string, string>();
    for (const word of Object.keys(names)) {
      const before = seen.get(statusKey(word));
      if (before !== undefined)
        issues.addIssue({
          code: 'custom',
          path: [word],
          message: `is the same word as ${before}; give only one of them`,
        });
      seen.set(statusKey(word), word);
    }
  });

const hostNameSchema = z
  .string()
  .regex(
    /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i,
    'give a host name such as api.example.com, without scheme, port and path',
  );

/** marketplace/settings.ts has the defaults, and says why each setting exists. */
export const settingsSchema = z
  .strictObject({
    currency: described(
      z.enum(['USD', 'CAD']),
      'Currency of the account and of bare prices.',
      DEFAULT_SETTINGS.currency,
    ),
    development: described(z.string(), 'The `development` query of rate calls; left out, it is not sent.'),
    affiliate: described(z.string(), 'The `X-Affiliate` header of rate requests; left out, it is not sent.'),
    xApiKeyCalls: described(
      z.union([z.enum(['none', 'all']), z.array(z.enum(API_CALLS)).min(1)]),
      'Calls that carry `x-api-key` beside the Bearer: `none`, `all`, or names such as `[getTracking]`.',
      DEFAULT_SETTINGS.xApiKeyCalls,
    ),
    tokenRefresh: described(
      z.enum(['sameEndpoint', 'tokenEndpoint', 'never']),
      'Where a refresh token goes: `sameEndpoint` as its grant, `tokenEndpoint` is `/oauth/token`; `never`: a new grant.',
      DEFAULT_SETTINGS.tokenRefresh,
    ),
    fixedPriceBody: described(
      z.enum(['json', 'form']),
      'Body of the fixed price.',
      DEFAULT_SETTINGS.fixedPriceBody,
    ),
    listingBody: described(z.enum(['json', 'form']), 'Body of a new listing.', DEFAULT_SETTINGS.listingBody),
    formNesting: described(
      z.enum(['dots', 'brackets', 'json']),
      'How a form nests: `dots` is `items[0].unitCount`, `brackets` is `items[0][unitCount]`, `json` is text.',
      DEFAULT_SETTINGS.formNesting,
    ),
    premiumPath: described(
      z
        .string()
        .regex(
          /^[\w-]{1,60}(\.[\w-]{1,60}){0,9}$/,
          'give names of fields joined by dots, such as insuranceQuote.cost',
        ),
      'Where a fixed price has the premium, such as `insuranceQuote.cost`; read before three known places.',
    ),
    listPrice: described(
      z.enum(['nypAmount', 'priceWithPremium']),
      'Price of a listing: `nypAmount`, or `priceWithPremium` where protection is included.',
      DEFAULT_SETTINGS.listPrice,
    ),
    pricing: described(
      z.enum(['namedPrice', 'offerPrice']),
      "The one property of a listing's `pricing`.",
      DEFAULT_SETTINGS.pricing,
    ),
    changedPrice: described(
      z.enum(['amount', 'record']),
      'Price of a changed listing: `amount` is `{amount, currencyType}`, `record` is as in the record.',
      DEFAULT_SETTINGS.changedPrice,
    ),
    listingInsurance: described(
      z.enum(['coverageAmount', 'coverage']),
      "The one field of a listing's `insurance`.",
      DEFAULT_SETTINGS.listingInsurance,
    ),
    listingItemKeys: described(
      z.enum(['capitalised', 'camelCase']),
      "Spelling of a listing item's `Title`, `Commodity` and `Description`.",
      DEFAULT_SETTINGS.listingItemKeys,
    ),
    otherReferences: described(
      z.enum(['labelled', 'combined']),
      'Label of a reference of type `Other`: `labelled` in a separate field, `combined` with the number.',
      DEFAULT_SETTINGS.otherReferences,
    ),
    furnitureWeight: described(
      z.enum(['perUnit', 'perLine']),
      'Weight of a furniture item with a count: `perUnit` of one unit, `perLine` of all its units.',
      DEFAULT_SETTINGS.furnitureWeight,
    ),
    priceCorrelationType: described(
      z.enum(['number', 'name']),
      "Type of the price's correlation id: `number` is 10, `name` is `PriceCorrelationId`.",
      DEFAULT_SETTINGS.priceCorrelationType,
    ),
    imagePayload: described(
      z.enum(['multipart', 'base64', 'url']),
      "Payload of an image: `multipart`, `base64` in JSON, or `url`, a list of the images' own addresses.",
      DEFAULT_SETTINGS.imagePayload,
    ),
    imageField: described(
      z.string().regex(/^[\w.-]{1,60}$/, 'use letters, digits, dots, dashes and underscores'),
      'Field that holds the image; left out, `file`, `content` or `urls`, by the payload.',
    ),
    stopAccessorials: described(
      z.enum(['object', 'names']),
      'Accessorials of a stop: an `object` of booleans, or a list of `names`.',
      DEFAULT_SETTINGS.stopAccessorials,
    ),
    liftgateRule: described(
      z.enum(['mustBeTrue', 'mustBeGiven']),
      'Liftgate of a stop without a dock: `mustBeTrue` refuses `false`, `mustBeGiven` sends it and warns.',
      DEFAULT_SETTINGS.liftgateRule,
    ),
    callAccessorial: described(
      z.enum(['callBeforeArrival', 'callAhead']),
      'Name of the call before arrival.',
      DEFAULT_SETTINGS.callAccessorial,
    ),
    additionalServices: described(
      z.enum(['names', 'booleans', 'perStop']),
      'Services of a rate request: `names`, `booleans`, or `perStop`: booleans in the accessorials of each stop.',
      DEFAULT_SETTINGS.additionalServices,
    ),
    addressTypes: described(
      z.enum(['lookup', 'short']),
      'Business without a dock: `lookup` sends the type of the lookup, `short` sends `BusinessWithoutLoadingDock`.',
      DEFAULT_SETTINGS.addressTypes,
    ),
    ltlUnits: described(
      z.enum(['linePerUnit', 'unitCount']),
      'N units of an item: `linePerUnit` sends N lines of one, `unitCount` one line with a count.',
      DEFAULT_SETTINGS.ltlUnits,
    ),
    ltlCountries: described(
      z.enum(['usAndCanada', 'any']),
      'Where LTL goes: `usAndCanada` refuses orders to other countries, `any` accepts them.',
      DEFAULT_SETTINGS.ltlCountries,
    ),
    ltlWeekends: described(
      z.enum(['refused', 'allowed']),
      'LTL pickups on Saturdays and Sundays.',
      DEFAULT_SETTINGS.ltlWeekends,
    ),
    declinedInsurance: described(
      z.enum(['nullCoverage', 'empty', 'null']),
      '`insurance` without protection: `nullCoverage` is `{"coverage": null}`, `empty` is `{}`, or `null`.',
      DEFAULT_SETTINGS.declinedInsurance,
    ),
    statusNames: described(
      statusNamesSchema,
      "The marketplace's own words for statuses, such as `{ Gebucht: Booked, In transit: PickedUp }`.",
      DEFAULT_SETTINGS.statusNames,
    ),
    locationHosts: described(
      z.array(hostNameSchema),
      "Hosts that a `Location` may name beside those of the account's URLs, such as `[api.internal.example]`.",
      DEFAULT_SETTINGS.locationHosts,
    ),
  })
  .partial();
