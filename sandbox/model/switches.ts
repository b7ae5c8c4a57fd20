import { z } from 'zod';
import { badElements } from './bad-element';
import { operations } from './operations';
import { orderReferenceOf, type ListingDraft } from './state';

/** A switch with its usual value. Of a list it is the first value. */
const usually = <Schema extends z.ZodType>(value: z.output<Schema>, schema: Schema): Schema =>
  schema.meta({ usual: value });

/** What can be different for one order. The first value of a list is the usual one. */
export const orderSwitchesSchema = z.strictObject({
  ratesPerRequest: usually(6, z.int().min(1).max(7)),
  rateLifetimeInSeconds: usually(7 * 24 * 3600, z.number()),
  acceptanceFailureStatus: usually(409, z.int().min(400).max(599)),
  acceptanceFailureReason: usually('The carrier no longer offers this rate.', z.string()),
  acceptanceFailureResponse: z.enum(['json', 'doublyEncoded', 'empty', 'null', 'notJson']),
  acceptanceAnswersAtOnce: usually(false, z.boolean()),
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
  acceptanceHiddenPolls: usually(0, z.int().nonnegative()),
  carrierAnswer: z.enum(['accepts', 'acceptsLater', 'refuses', 'silent']),
  transit: z.enum(['normal', 'manual']),
  priceCorrections: usually([], z.array(z.number())),
  priceCorrectionsFrom: z.enum(['afterwards', 'delivery']),
  proNumber: z.enum(['none', 'booked', 'pickedUp', 'delivered']),
  movingPosition: usually(false, z.boolean()),
  billOfLading: z.enum(['normal', 'never', 'afterPickup']),
  statusForm: z.enum(['trio', 'bare', 'lowerCase', 'idName', 'numberLabel', 'words', 'unknown']),
  referenceForm: z.enum(['trio', 'name', 'number', 'untyped', 'renamed', 'none']),
  badElements: usually([], z.array(z.enum(badElements))),
});
export type OrderSwitches = Partial<z.infer<typeof orderSwitchesSchema>>;

/**
 * How this marketplace is: what the contract leaves open, its tariff, its pace and the forms of its answers. Each *likely*
 * or *unknown* fact is one entry, to test a client under every value instead of under one guess. What goes wrong is a
 * trouble. docs/sandbox.md explains each.
 */
export const switchesSchema = orderSwitchesSchema.extend({
  /** Other values for single orders, by their reference. */
  orders: usually({}, z.record(z.string(), orderSwitchesSchema.partial())),
  rateCurrencyType: usually(false, z.boolean()),
  totalCountExcess: usually(0, z.int().nonnegative()),
  ltlLimits: z.strictObject({
    totalWeightInGrams: usually(6_803_886, z.number()),
    lengthInMeters: usually(8.53, z.number()),
    widthInMeters: usually(2.59, z.number()),
    heightInMeters: usually(2.74, z.number()),
    handlingUnits: usually(20, z.number()),
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
  billOfLadingLinkLifetimeInSeconds: usually(300, z.number()),
  recentLocation: usually(true, z.boolean()),
  locationSharing: usually(true, z.boolean()),
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
  premiumPath: usually('charges.protection.amount', z.string().min(1)),
  furnitureWeight: z.enum(['unit', 'line']),
  listingAnswer: z.enum(['record', 'list']),
  location: z.enum(['full', 'relative', 'bare']),
  locationHost: usually('', z.string()),
  rateRequestLocationHost: usually('', z.string()),
  locationSession: usually(false, z.boolean()),
  duplicateListings: z.enum(['created', 'refused']),
  otherReferenceNumber: z.enum(['combined', 'asSent']),
  staleChecksumStatus: usually(409, z.union([z.literal(409), z.literal(412)])),
  imagePayload: z.enum(['any', 'multipart', 'base64', 'urls']),
  imageField: usually('file', z.string()),
  imageJsonField: usually('any', z.string()),
  imageAnswerStatus: usually(201, z.union([z.literal(200), z.literal(201), z.literal(202), z.literal(204)])),
  unknownFields: z.enum(['ignored', 'refused']),
  errorBody: z.enum(['reason', 'developerMessage', 'message', 'html', 'empty']),
  labels: z.enum(['en', 'fr', 'es']),
  timestamps: z.enum(['milliseconds', 'seconds', 'sevenDigits']),
  weightAsText: usually(false, z.boolean()),
  clockSkewInSeconds: usually(0, z.number()),
  xApiKey: usually(false, z.boolean()),
  xApiKeyEndpoints: usually(['*'], z.array(z.enum([...operations, '*']))),
  tokenLifetimeInSeconds: usually(600, z.number()),
  refreshGrant: z.enum(['accepted', 'refused']),
  refreshEndpoint: z.enum(['same', 'token', 'either']),
  signInCookie: usually('serviceTicket', z.string()),
  webhooks: z.enum(['on', 'off']),
  webhookAttempts: usually(5, z.int().positive()),
  webhookEarly: z.enum(['off', 'created', 'booked']),
  webhookReferences: usually(true, z.boolean()),
  webhookListingId: z.enum(['uris', 'listingId', 'source', 'nowhere']),
  webhookContentType: usually('application/json', z.string()),
  webhookMode: z.enum(['structured', 'batched', 'binary']),
  webhookCoding: z.enum(['identity', 'gzip']),
  webhookData: z.enum(['object', 'text']),
});
export type SandboxSwitches = z.infer<typeof switchesSchema>;

function usualOf(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (!(schema instanceof z.ZodObject)) return z.globalRegistry.get(schema)?.['usual'];
  return Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, usualOf(field)]));
}

export const defaultSwitches: SandboxSwitches = switchesSchema.parse(usualOf(switchesSchema));

/** `ltlLimits` may be given in part; the rest of it stays. */
export const switchChangesSchema = switchesSchema
  .extend({ ltlLimits: switchesSchema.shape.ltlLimits.partial() })
  .partial();
export type SwitchChanges = z.infer<typeof switchChangesSchema>;

/** @throws ZodError where a switch has no such value */
export function applySwitches(switches: SandboxSwitches, changes: SwitchChanges): SandboxSwitches {
  const { ltlLimits, ...rest } = switchChangesSchema.parse(changes);
  return Object.assign(switches, rest, { ltlLimits: { ...switches.ltlLimits, ...ltlLimits } });
}

/** The switches as they are for the order that the draft of a listing or of a rate request names. */
export function switchesFor(
  { draft }: { readonly draft: ListingDraft },
  { switches }: { readonly switches: SandboxSwitches },
): SandboxSwitches {
  const own = switches.orders[orderReferenceOf(draft.referenceNumbers)];
  return own === undefined ? switches : { ...switches, ...own };
}
