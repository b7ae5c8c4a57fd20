import { z } from 'zod';
import { badElements } from './bad-element';
import { operations } from './operations';
import { orderReferenceOf } from './references';
import type { ListingDraft } from './state';

/** What can be different for one order. The first value of a list is the usual one. */
export const orderSwitchesSchema = z.strictObject({
  ratesPerRequest: z.int().min(1).max(7),
  rateLifetimeInSeconds: z.number(),
  acceptanceFailureStatus: z.int().min(400).max(599),
  acceptanceFailureReason: z.string(),
  acceptanceFailureResponse: z.enum(['json', 'doublyEncoded', 'empty', 'null', 'notJson']),
  acceptanceAnswersAtOnce: z.boolean(),
  acceptancePendingAnswer: z.enum([
    'statusCode202',
    'statusCodeZero',
    'noStatusCode',
    'nullResponse',
    'emptyResponse',
    'notJson',
    'doublyEncoded',
  ]),
  acceptanceBookedAnswer: z.enum([
    'created',
    'seeOther',
    'statusCode201',
    'doublyEncoded',
    'statusCode201WithoutListing',
    'statusCode200ListingId',
    'statusCode200Href',
  ]),
  acceptanceHiddenPolls: z.int().nonnegative(),
  carrierAnswer: z.enum(['accepts', 'acceptsLater', 'refuses', 'silent']),
  transit: z.enum(['normal', 'manual']),
  priceCorrections: z.array(z.number()),
  priceCorrectionsFrom: z.enum(['afterwards', 'delivery']),
  proNumber: z.enum(['none', 'booked', 'pickedUp', 'delivered']),
  movingPosition: z.boolean(),
  billOfLading: z.enum(['normal', 'never', 'afterPickup']),
  statusForm: z.enum(['trio', 'bare', 'lowerCase', 'idName', 'numberLabel', 'words', 'unknown']),
  referenceForm: z.enum(['trio', 'name', 'number', 'untyped', 'renamed', 'none']),
  badElements: z.array(z.enum(badElements)),
});
export type OrderSwitches = Partial<z.infer<typeof orderSwitchesSchema>>;

/**
 * How this marketplace is: what the contract leaves open, its tariff, its pace and the forms of its answers. Each *likely*
 * or *unknown* fact is one entry, to test a client under every value instead of under one guess. What goes wrong is a
 * trouble. docs/sandbox.md explains each.
 */
export const switchesSchema = orderSwitchesSchema.extend({
  /** Other values for single orders, by their reference. */
  orders: z.record(z.string(), orderSwitchesSchema.partial()),
  rateCurrencyType: z.boolean(),
  totalCountExcess: z.int().nonnegative(),
  ltlLimits: z.strictObject({
    totalWeightInGrams: z.number(),
    lengthInMeters: z.number(),
    widthInMeters: z.number(),
    heightInMeters: z.number(),
    handlingUnits: z.number(),
  }),
  stopAccessorials: z.enum(['either', 'object', 'list']),
  addressTypeNames: z.enum(['either', 'lookup', 'short']),
  ltlWeight: z.enum(['unit', 'line']),
  callAheadName: z.enum(['either', 'callAhead', 'callBeforeArrival']),
  topLevelAccessorials: z.enum(['either', 'names', 'booleans']),
  liftgateRule: z.enum(['given', 'true', 'off']),
  additionalServicesIn: z.enum(['either', 'request', 'stops']),
  acceptanceInsurance: z.enum(['coverage', 'either']),
  emptyInsurance: z.enum(['refused', 'accepted']),
  nullInsurance: z.enum(['accepted', 'refused']),
  repeatedAcceptance: z.enum(['booksAgain', 'refused']),
  billOfLadingLinkLifetimeInSeconds: z.number(),
  recentLocation: z.boolean(),
  locationSharing: z.boolean(),
  paymentMethods: z.enum(['normal', 'none', 'expired', 'notImplemented']),
  fixedPriceBody: z.enum(['either', 'json', 'form']),
  listingBody: z.enum(['either', 'json', 'form']),
  listingInsurance: z.enum(['coverageAmount', 'coverage', 'either']),
  pricing: z.enum(['either', 'namedPrice', 'offerPrice']),
  changedPrice: z.enum(['either', 'amount', 'record']),
  listingItemKeys: z.enum(['either', 'capitalised', 'camelCase']),
  priceCorrelationType: z.enum(['either', 'number', 'name']),
  formNesting: z.enum(['either', 'dots', 'brackets', 'json']),
  premiumPosition: z.enum(['insuranceQuote', 'insurance', 'top', 'path', 'missing']),
  premiumPath: z.string().min(1),
  furnitureWeight: z.enum(['unit', 'line']),
  listingAnswer: z.enum(['record', 'list']),
  location: z.enum(['full', 'relative', 'bare']),
  locationHost: z.string(),
  rateRequestLocationHost: z.string(),
  locationSession: z.boolean(),
  duplicateListings: z.enum(['created', 'refused']),
  otherReferenceNumber: z.enum(['combined', 'asSent']),
  staleChecksumStatus: z.union([z.literal(409), z.literal(412)]),
  imagePayload: z.enum(['any', 'multipart', 'base64', 'urls']),
  imageField: z.string(),
  imageJsonField: z.string(),
  imageAnswerStatus: z.union([z.literal(200), z.literal(201), z.literal(202), z.literal(204)]),
  unknownFields: z.enum(['ignored', 'refused']),
  errorBody: z.enum(['reason', 'developerMessage', 'message', 'html', 'empty']),
  labels: z.enum(['en', 'fr', 'es']),
  timestamps: z.enum(['milliseconds', 'seconds', 'sevenDigits']),
  weightAsText: z.boolean(),
  clockSkewInSeconds: z.number(),
  xApiKey: z.boolean(),
  xApiKeyEndpoints: z.array(z.enum([...operations, '*'])),
  tokenLifetimeInSeconds: z.number(),
  refreshGrant: z.enum(['accepted', 'refused']),
  refreshEndpoint: z.enum(['same', 'token', 'either']),
  signInCookie: z.string(),
  webhooks: z.enum(['on', 'off']),
  webhookAttempts: z.int().positive(),
  webhookEarly: z.enum(['off', 'created', 'booked']),
  webhookReferences: z.boolean(),
  webhookListingId: z.enum(['uris', 'listingId', 'source', 'nowhere']),
  webhookContentType: z.string(),
  webhookMode: z.enum(['structured', 'batched', 'binary']),
  webhookCoding: z.enum(['identity', 'gzip']),
  webhookData: z.enum(['object', 'text']),
});
export type SandboxSwitches = z.infer<typeof switchesSchema>;

const firstOptions = Object.entries(switchesSchema.shape).flatMap(([name, schema]) =>
  schema instanceof z.ZodEnum ? [[name, schema.options[0]]] : [],
);

export const defaultSwitches: SandboxSwitches = switchesSchema.parse({
  ...Object.fromEntries(firstOptions),
  ratesPerRequest: 6,
  rateLifetimeInSeconds: 7 * 24 * 3600,
  acceptanceFailureStatus: 409,
  acceptanceFailureReason: 'The carrier no longer offers this rate.',
  acceptanceAnswersAtOnce: false,
  acceptanceHiddenPolls: 0,
  priceCorrections: [],
  movingPosition: false,
  badElements: [],
  orders: {},
  rateCurrencyType: false,
  totalCountExcess: 0,
  ltlLimits: {
    totalWeightInGrams: 6_803_886,
    lengthInMeters: 8.53,
    widthInMeters: 2.59,
    heightInMeters: 2.74,
    handlingUnits: 20,
  },
  billOfLadingLinkLifetimeInSeconds: 300,
  recentLocation: true,
  locationSharing: true,
  premiumPath: 'charges.protection.amount',
  locationHost: '',
  rateRequestLocationHost: '',
  locationSession: false,
  staleChecksumStatus: 409,
  imageField: 'file',
  imageJsonField: 'any',
  imageAnswerStatus: 201,
  weightAsText: false,
  clockSkewInSeconds: 0,
  xApiKey: false,
  xApiKeyEndpoints: ['*'],
  tokenLifetimeInSeconds: 600,
  signInCookie: 'serviceTicket',
  webhookAttempts: 5,
  webhookReferences: true,
  webhookContentType: 'application/json',
});

/** `ltlLimits` may be given in part; the rest of it stays. */
export const switchChangesSchema = switchesSchema
  .extend({ ltlLimits: switchesSchema.shape.ltlLimits.partial() })
  .partial();
export type SwitchChanges = z.infer<typeof switchChangesSchema>;

export function applySwitches(switches: SandboxSwitches, changes: SwitchChanges): void {
  const { ltlLimits, ...rest } = changes;
  Object.assign(switches, rest, { ltlLimits: { ...switches.ltlLimits, ...ltlLimits } });
}

/** The switches as they are for the order that the draft names. */
export function switchesFor({ referenceNumbers }: ListingDraft, switches: SandboxSwitches): SandboxSwitches {
  const own = switches.orders[orderReferenceOf(referenceNumbers)];
  return own === undefined ? switches : { ...switches, ...own };
}
