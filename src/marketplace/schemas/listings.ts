import { z } from 'zod';
import { arrivalDaysSchema } from './arrival-days';
import {
  enumValueSchema,
  flagSchema,
  idSchema,
  numberWithin,
  optionalAmountSchema,
  optionalIdSchema,
  optionalTimestampSchema,
  requestInsuranceSchema,
  orNothing,
  requestMoneySchema,
  statusWordsSchema,
  textSchema,
} from './common';
import { listingExtrasShape } from './listing-extras';
import { furnitureRouteSchema } from './route';

const MAX_LABELLED_REFERENCE_LENGTH = 60;

/** Contract: referenceNumbers of a listing; the limit applies to label, " - " and number together. */
export const referenceNumberSchema = z
  .strictObject({
    number: z.string().min(1),
    type: z.union([z.string().min(1), z.literal(10)]),
    referenceNumberLabel: z.string().optional(),
  })
  .refine(
    ({ number, referenceNumberLabel: label }) =>
      label === undefined || `${label} - ${number}`.length <= MAX_LABELLED_REFERENCE_LENGTH,
    'label and number must have at most 60 characters together',
  );

const sizeShape = {
  widthInMeters: z.number().positive(),
  lengthInMeters: z.number().positive(),
  heightInMeters: z.number().positive(),
  weightInGrams: z.int().nonnegative(),
  unitCount: z.int().positive(),
};

/** Contract: listing item fields. `Title`, `Commodity` and `Description` are capitalised there. */
export const listingItemSchema = z.union([
  z.strictObject({
    Title: z.string(),
    Commodity: z.string(),
    Description: z.string().optional(),
    ...sizeShape,
  }),
  z.strictObject({
    title: z.string(),
    commodity: z.string(),
    description: z.string().optional(),
    ...sizeShape,
  }),
]);
export type ListingItemWire = z.input<typeof listingItemSchema>;

export const listingAttributesSchema = z.strictObject({
  crated: z.boolean(),
  stackable: z.boolean(),
  palletized: z.boolean(),
});

/** "Only one of its properties is to be used." */
const pricingSchema = z.union([
  z.strictObject({ namedPrice: requestMoneySchema }),
  z.strictObject({ offerPrice: requestMoneySchema }),
]);

/** Contract: an object of one field, which is not shown. */
const insuranceSchema = z.union([
  requestInsuranceSchema,
  z.strictObject({ coverage: requestInsuranceSchema.shape.coverageAmount }),
]);

/** Contract: listing create request. */
export const listingCreateSchema = z.strictObject({
  title: z.string().min(1),
  description: z.string().optional(),
  confidentialDescription: z.string().optional(),
  pricing: pricingSchema,
  insurance: insuranceSchema.optional(),
  route: furnitureRouteSchema,
  items: z.array(listingItemSchema).min(1),
  requestedRateTypes: z.string().optional(),
  referenceNumbers: z.array(referenceNumberSchema),
  serviceTypes: z.array(z.string()).optional(),
  gallery: z.array(z.string()).optional(),
  attributes: listingAttributesSchema.optional(),
});
export type ListingCreateWire = z.input<typeof listingCreateSchema>;

/** A thousand tonnes: a larger value is no weight of a shipment. */
const weightSchema = numberWithin(0, 1e9);

/** The fields that Consign reads of a public user object; the contract does not show them. */
const userSchema = z
  .looseObject({ userId: textSchema, displayName: textSchema, companyName: textSchema, userName: textSchema })
  .nullish();

/**
 * Contract: listing record. Only what Consign reads (docs/listing-record.md); everything except the id may be absent.
 */
export const listingRecordSchema = z.looseObject({
  listingId: idSchema,
  title: textSchema,
  status: statusWordsSchema,
  transitStatus: statusWordsSchema,
  paymentStatus: orNothing(enumValueSchema),
  cancellationStatus: statusWordsSchema,
  hasPendingBookingRequest: flagSchema,
  serviceProvider: userSchema,
  billOfLadingNumber: optionalIdSchema,
  namedPrice: optionalAmountSchema,
  acceptedBidPrice: optionalAmountSchema,
  totalCost: optionalAmountSchema,
  cancellationLink: textSchema,
  bookedOn: optionalTimestampSchema,
  completedOn: optionalTimestampSchema,
  expiresOn: optionalTimestampSchema,
  lastUpdatedOn: optionalTimestampSchema,
  checksum: textSchema,
  referenceNumbers: z
    .array(z.looseObject({ number: textSchema, type: enumValueSchema, referenceNumberLabel: textSchema }))
    .nullish(),
  route: z
    .looseObject({
      items: z
        .array(
          z
            .looseObject({
              address: z.looseObject({ postalCode: textSchema }).nullish(),
              timeFrame: arrivalDaysSchema,
            })
            .nullish(),
        )
        .nullish(),
    })
    .nullish(),
  totalWeightInGrams: z
    .union([z.looseObject({ value: weightSchema }).transform(({ value }) => value), weightSchema])
    .nullish(),
  ...listingExtrasShape,
});
export type ListingRecordWire = z.output<typeof listingRecordSchema>;

const wrapperSchema = z.looseObject({ listingId: z.undefined().optional(), items: z.array(z.unknown()) });

/** GET of a listing returns the record, or `{totalCount, items: [record]}`; a record itself also has `items`. */
const unwrap = (body: unknown): unknown => {
  const wrapper = wrapperSchema.safeParse(body);
  return wrapper.success ? wrapper.data.items : [body];
};

export const listingAnswerSchema = z.preprocess(unwrap, z.array(listingRecordSchema));

/** Each record unparsed, to be parsed by itself. */
export const anyListingsSchema = z.preprocess(unwrap, z.array(z.unknown()));

/** The raw records, to compare with what was sent. */
export const rawListingAnswerSchema = z.preprocess(unwrap, z.array(z.looseObject({ listingId: idSchema })));
