import { z } from 'zod';
import { operations } from './operations';
import { defaultOrderSwitches, orderSwitchesSchema } from './order-switches';
import { orderReferenceOf } from './references';
import type { ListingDraft } from './state';

const share = z.number().min(0).max(1);

/**
 * What the contract leaves open or what a test wants to go wrong. Each *likely* or *unknown* fact is one entry, so
 * that a client can be tested under every value instead of under one guess. docs/sandbox.md explains each.
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
  acceptanceByRate: z.record(z.string(), orderSwitchesSchema.shape.acceptance),
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
  webhookLoss: share,
  webhookDuplicates: share,
  webhookTwins: share,
  webhookReusedIds: share,
  webhookUnknownTypes: share,
  webhookUnknownStatuses: share,
  webhookEarly: z.enum(['off', 'created', 'booked']),
  webhookLateShare: share,
  webhookLateMs: z.number().nonnegative(),
  webhookReferences: z.boolean(),
  webhookListingId: z.enum(['uris', 'listingId', 'source', 'nowhere']),
  webhookContentType: z.string(),
  webhookMode: z.enum(['structured', 'batched', 'binary']),
  webhookCoding: z.enum(['identity', 'gzip']),
  webhookData: z.enum(['object', 'text']),
});

export type SandboxSwitches = z.infer<typeof switchesSchema>;

export const defaultSwitches: SandboxSwitches = {
  ...defaultOrderSwitches,
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
  stopAccessorials: 'either',
  addressTypeNames: 'either',
  ltlWeight: 'unit',
  callAheadName: 'either',
  topLevelAccessorials: 'either',
  liftgateRule: 'given',
  additionalServicesIn: 'either',
  acceptanceByRate: {},
  acceptanceInsurance: 'coverage',
  emptyInsurance: 'refused',
  nullInsurance: 'accepted',
  repeatedAcceptance: 'booksAgain',
  billOfLadingLinkLifetimeInSeconds: 300,
  recentLocation: true,
  locationSharing: true,
  paymentMethods: 'normal',
  fixedPriceBody: 'either',
  listingBody: 'either',
  listingInsurance: 'coverageAmount',
  pricing: 'either',
  changedPrice: 'either',
  listingItemKeys: 'either',
  priceCorrelationType: 'either',
  formNesting: 'either',
  premiumPosition: 'insuranceQuote',
  premiumPath: 'charges.protection.amount',
  furnitureWeight: 'unit',
  listingAnswer: 'record',
  location: 'full',
  locationHost: '',
  rateRequestLocationHost: '',
  locationSession: false,
  duplicateListings: 'created',
  otherReferenceNumber: 'combined',
  staleChecksumStatus: 409,
  imagePayload: 'any',
  imageField: 'file',
  imageJsonField: 'any',
  imageAnswerStatus: 201,
  unknownFields: 'ignored',
  errorBody: 'reason',
  labels: 'en',
  timestamps: 'milliseconds',
  weightAsText: false,
  clockSkewInSeconds: 0,
  xApiKey: false,
  xApiKeyEndpoints: ['*'],
  tokenLifetimeInSeconds: 600,
  refreshGrant: 'accepted',
  refreshEndpoint: 'same',
  signInCookie: 'serviceTicket',
  webhooks: 'on',
  webhookAttempts: 5,
  webhookLoss: 0,
  webhookDuplicates: 0,
  webhookTwins: 0,
  webhookReusedIds: 0,
  webhookUnknownTypes: 0,
  webhookUnknownStatuses: 0,
  webhookEarly: 'off',
  webhookLateShare: 0,
  webhookLateMs: 2000,
  webhookReferences: true,
  webhookListingId: 'uris',
  webhookContentType: 'application/json',
  webhookMode: 'structured',
  webhookCoding: 'identity',
  webhookData: 'object',
};

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
