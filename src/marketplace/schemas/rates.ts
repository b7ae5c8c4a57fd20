import { z } from 'zod';
import {
  amountSchema,
  enumValueSchema,
  optionalNumberSchema,
  optionalTimestampSchema,
  requestMoneySchema,
  textSchema,
  timestampSchema,
} from './common';

const timeFrameSchema = z
  .looseObject({ delay: optionalNumberSchema })
  .nullish()
  .transform((frame) => frame?.delay ?? null);

/** Contract: rate object. */
const rateSchema = z.looseObject({
  id: z.string().min(1),
  created: optionalTimestampSchema,
  expires: timestampSchema,
  totalPrice: amountSchema.refine(
    (price) => price !== null && price.amount > 0,
    'must hold a positive value',
  ),
  serviceType: enumValueSchema,
  transportMode: enumValueSchema,
  vehicleType: enumValueSchema,
  pickupTimeframe: timeFrameSchema,
  deliveryTimeframe: timeFrameSchema,
  additionalInformation: textSchema,
  bidder: z
    .looseObject({
      userId: textSchema,
      displayName: textSchema,
      feedback: z
        .looseObject({
          count: optionalNumberSchema,
          percentPositive: optionalNumberSchema,
          starRating: optionalNumberSchema,
        })
        .nullish(),
    })
    .nullish(),
});
export type RateWire = z.output<typeof rateSchema>;

/** `totalCount` may exceed the items given, so that it is not read. */
export const rateListSchema = z.looseObject({ items: z.array(rateSchema) });

/** Contract: rate acceptance; here the protection is `coverage`, not `coverageAmount`. It is declined by a null, or nothing, in its place. */
export const acceptanceRequestSchema = z.strictObject({
  paymentMethodId: z.string().min(1),
  insurance: z.strictObject({ coverage: requestMoneySchema.nullable().optional() }).nullable(),
});
export type AcceptanceRequestWire = z.input<typeof acceptanceRequestSchema>;

/** `response` is JSON as a string; it may also be empty, null, no JSON, or not a string at all. */
export const acceptanceStatusSchema = z.looseObject({
  response: z.unknown().optional(),
  statusCode: optionalNumberSchema,
});
