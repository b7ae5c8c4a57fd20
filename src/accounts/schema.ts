import { z } from 'zod';
import { LISTING_STATUSES, TRANSIT_STATUSES } from '../domain/listing';
import { statusKey } from '../domain/listing-status';
import { API_CALLS } from '../marketplace/sort-outcome';
import { secretSchema } from '../platform/secret-reference';

const urlSchema = z.union(
  [z.url(), z.strictObject({ env: z.string().min(1), default: z.url().optional() })],
  {
    error: 'give a URL, or {env: NAME, default: URL}',
  },
);

const authSchema = z.union(
  [
    z.strictObject({ apiKey: secretSchema }),
    z.strictObject({ xApiKey: secretSchema }),
    z.strictObject({
      clientCredentials: z.strictObject({ clientId: secretSchema, clientSecret: secretSchema }),
    }),
    z.strictObject({
      passwordGrant: z.strictObject({
        ...{ clientId: secretSchema, clientSecret: secretSchema },
        ...{ username: secretSchema, password: secretSchema },
      }),
    }),
  ],
  {
    error:
      'give exactly one of apiKey, xApiKey, clientCredentials, passwordGrant; refer to each secret as {env: NAME} or {file: path}, because this file must not contain it',
  },
);

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

/** marketplace/settings.ts has defaults and meanings; docs/undocumented.md says which fact each setting is about. */
const settingsSchema = z
  .strictObject({
    currency: z.enum(['USD', 'CAD']),
    development: z.string(),
    affiliate: z.string(),
    xApiKeyCalls: z.union([z.enum(['none', 'all']), z.array(z.enum(API_CALLS)).min(1)]),
    tokenRefresh: z.enum(['sameEndpoint', 'tokenEndpoint', 'never']),
    fixedPriceBody: z.enum(['json', 'form']),
    listingBody: z.enum(['json', 'form']),
    formNesting: z.enum(['dots', 'brackets', 'json']),
    premiumPath: z
      .string()
      .regex(
        /^[\w-]{1,60}(\.[\w-]{1,60}){0,9}$/,
        'give names of fields joined by dots, such as insuranceQuote.cost',
      ),
    listPrice: z.enum(['nypAmount', 'priceWithPremium']),
    pricing: z.enum(['namedPrice', 'offerPrice']),
    changedPrice: z.enum(['amount', 'record']),
    listingInsurance: z.enum(['coverageAmount', 'coverage']),
    listingItemKeys: z.enum(['capitalised', 'camelCase']),
    otherReferences: z.enum(['labelled', 'combined']),
    furnitureWeight: z.enum(['perUnit', 'perLine']),
    priceCorrelationType: z.enum(['number', 'name']),
    imagePayload: z.enum(['multipart', 'base64', 'url']),
    imageField: z.string().regex(/^[\w.-]{1,60}$/, 'use letters, digits, dots, dashes and underscores'),
    stopAccessorials: z.enum(['object', 'names']),
    liftgateRule: z.enum(['mustBeTrue', 'mustBeGiven']),
    callAccessorial: z.enum(['callBeforeArrival', 'callAhead']),
    additionalServices: z.enum(['names', 'booleans', 'perStop']),
    addressTypes: z.enum(['lookup', 'short']),
    ltlUnits: z.enum(['linePerUnit', 'unitCount']),
    ltlCountries: z.enum(['usAndCanada', 'any']),
    ltlWeekends: z.enum(['refused', 'allowed']),
    declinedInsurance: z.enum(['nullCoverage', 'empty', 'null']),
    statusNames: statusNamesSchema,
    locationHosts: z.array(hostNameSchema),
  })
  .partial();

const NAME = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,39}$/,
    'use at most 40 lower-case letters, digits and dashes, without a dash at the start',
  );

const accountSchema = z.strictObject({
  environment: z.enum(['sandbox', 'production']),
  baseUrl: urlSchema,
  webUrl: urlSchema.optional(),
  auth: authSchema,
  xApiKey: secretSchema.optional(),
  web: z.strictObject({ username: secretSchema, password: secretSchema }).optional(),
  source: z
    .string()
    .regex(/^[a-z0-9]+$/, 'use only lower-case letters and digits, as the marketplace requires'),
  integratorId: z.string().min(1).optional(),
  userId: z.string().min(1).optional(),
  paymentMethodId: z.string().min(1).optional(),
  timeZone: z.string().min(1).optional(),
  allowHazardous: z.boolean().optional(),
  callsPerSecond: z.number().positive().max(1_000).optional(),
  supportAddress: z
    .union([z.email(), z.url({ protocol: /^https?$/ })], { error: 'give an e-mail address or a URL' })
    .optional(),
  locations: z.record(z.string(), z.unknown()).optional(),
  settings: settingsSchema.optional(),
  policy: z.record(z.string(), z.unknown()).optional(),
});

/** The accounts file: who ships, with which keys, from where, by which policy. */
export const accountsSchema = z.strictObject({
  accounts: z.record(NAME, accountSchema),
  integrations: z
    .record(NAME, z.strictObject({ secret: secretSchema, accounts: z.array(z.string()).min(1) }))
    .default({}),
});

export type UrlReference = z.infer<typeof urlSchema>;
export type AuthWire = z.infer<typeof authSchema>;
export type AccountWire = z.infer<typeof accountSchema>;
export type AccountsWire = z.infer<typeof accountsSchema>;
