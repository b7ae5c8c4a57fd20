import { z } from 'zod';
import { operations } from './operations';

const share = z.number().min(0).max(1);
const acceptanceOutcome = z.enum([
  'booked',
  'failed',
  'failedLeavingListing',
  'pending',
  'bookedSilently',
  'bookedButFailed',
  'failedThenBooked',
]);
export type AcceptanceOutcomeSetting = z.infer<typeof acceptanceOutcome>;

const mishapKinds = [
  'carrierCancels',
  'shipperCancels',
  'noShow',
  'hold',
  'resume',
  'close',
  'expire',
  'reactivate',
] as const;
export const mishapKindSchema = z.enum(mishapKinds);
export type MishapKind = z.infer<typeof mishapKindSchema>;
const plannedMishap = z.enum(['none', ...mishapKinds]).exclude(['resume']);

/** What a cancelling or absent carrier leaves behind. Rebooked is Active and then booked by a carrier again. */
export const mishapOutcomeSchema = z.enum(['Cancelled', 'Active', 'Rebooked']);
export type MishapOutcome = z.infer<typeof mishapOutcomeSchema>;

/**
 * What the contract leaves open or what a test wants to go wrong. Each *likely* or *unknown* fact is one entry, so
 * that a client can be tested under every value instead of under one guess. docs/sandbox.md explains each.
 */
export const switchesSchema = z.strictObject({
  rates: z.enum(['normal', 'late', 'none']),
  ratesPerRequest: z.int().min(1).max(7),
  rateLifetimeInSeconds: z.number(),
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
  liftgateRule: z.enum(['given', 'true', 'off']),
  acceptance: acceptanceOutcome,
  acceptanceScript: z.array(acceptanceOutcome),
  acceptanceByRate: z.record(z.string(), acceptanceOutcome),
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
  ]),
  acceptanceBookedAnswer: z.enum(['created', 'seeOther', 'statusCode201']),
  acceptanceInsurance: z.enum(['coverage', 'either']),
  nullInsurance: z.enum(['accepted', 'refused']),
  repeatedAcceptance: z.enum(['booksAgain', 'refused']),
  carrierAnswer: z.enum(['accepts', 'acceptsLater', 'refuses', 'silent']),
  transit: z.enum(['normal', 'manual']),
  mishap: plannedMishap,
  mishapScript: z.array(plannedMishap),
  mishapLeaves: mishapOutcomeSchema,
  priceCorrections: z.array(z.number()),
  billOfLading: z.enum(['normal', 'never', 'emptyFirst', 'htmlFirst']),
  billOfLadingBadDownloads: z.int().nonnegative(),
  billOfLadingLinkLifetimeInSeconds: z.number(),
  recentLocation: z.boolean(),
  locationSharing: z.boolean(),
  paymentMethods: z.enum(['normal', 'none', 'expired', 'notImplemented']),
  fixedPriceBody: z.enum(['either', 'json', 'form']),
  premiumPosition: z.enum(['insuranceQuote', 'insurance', 'top', 'missing']),
  listingAnswer: z.enum(['record', 'list']),
  location: z.enum(['full', 'relative', 'bare']),
  duplicateListings: z.enum(['created', 'refused']),
  otherReferenceNumber: z.enum(['combined', 'asSent']),
  staleChecksumStatus: z.union([z.literal(409), z.literal(412)]),
  imagePayload: z.enum(['any', 'multipart', 'base64', 'urls']),
  imageField: z.string(),
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
});

export type SandboxSwitches = z.infer<typeof switchesSchema>;

export const defaultSwitches: SandboxSwitches = {
  rates: 'normal',
  ratesPerRequest: 6,
  rateLifetimeInSeconds: 7 * 24 * 3600,
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
  liftgateRule: 'given',
  acceptance: 'booked',
  acceptanceScript: [],
  acceptanceByRate: {},
  acceptanceFailureStatus: 409,
  acceptanceFailureReason: 'The carrier no longer offers this rate.',
  acceptanceFailureResponse: 'json',
  acceptanceAnswersAtOnce: false,
  acceptancePendingAnswer: 'statusCode202',
  acceptanceBookedAnswer: 'created',
  acceptanceInsurance: 'coverage',
  nullInsurance: 'accepted',
  repeatedAcceptance: 'booksAgain',
  carrierAnswer: 'accepts',
  transit: 'normal',
  mishap: 'none',
  mishapScript: [],
  mishapLeaves: 'Cancelled',
  priceCorrections: [],
  billOfLading: 'normal',
  billOfLadingBadDownloads: 1,
  billOfLadingLinkLifetimeInSeconds: 300,
  recentLocation: true,
  locationSharing: true,
  paymentMethods: 'normal',
  fixedPriceBody: 'either',
  premiumPosition: 'insuranceQuote',
  listingAnswer: 'record',
  location: 'full',
  duplicateListings: 'created',
  otherReferenceNumber: 'combined',
  staleChecksumStatus: 409,
  imagePayload: 'any',
  imageField: 'file',
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
