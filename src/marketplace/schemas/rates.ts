import { z } from 'zod';
import {
  amountSchema,
  enumValueSchema,
  idSchema,
  numberSchema,
  integerWithin,
  numberWithin,
  optionalTimestampSchema,
  requestMoneySchema,
  textSchema,
  timestampSchema,
} from './common';

/** A smaller price would round to nothing. */
const SMALLEST_PRICE = 0.01;
const MAX_DELAY_IN_DAYS = 3_650;

/** Of the carrier's text, which is kept with every rate. */
const MAX_INFORMATION_LENGTH = 500;

const timeFrameSchema = z
  .looseObject({ delay: integerWithin(-MAX_DELAY_IN_DAYS, MAX_DELAY_IN_DAYS) })
  .nullish()
  .transform((frame) => frame?.delay ?? null);

/** Contract: rate object. */
export const rateSchema = z.looseObject({
  id: idSchema,
  created: optionalTimestampSchema,
  expires: timestampSchema,
  totalPrice: amountSchema.refine(
    (price) => price !== null && price.amount >= SMALLEST_PRICE,
    'must hold a positive value',
  ),
  serviceType: enumValueSchema,
  transportMode: enumValueSchema,
  vehicleType: enumValueSchema,
  pickupTimeframe: timeFrameSchema,
  deliveryTimeframe: timeFrameSchema,
  additionalInformation: textSchema.transform((text) =>
    text !== null && text.length > MAX_INFORMATION_LENGTH
      ? `${text.slice(0, MAX_INFORMATION_LENGTH)}…`
      : text,
  ),
  bidder: z
    .looseObject({
      userId: textSchema,
      displayName: textSchema,
      feedback: z
        .looseObject({
          count: integerWithin(0, Number.MAX_SAFE_INTEGER),
          percentPositive: numberWithin(0, 100),
          starRating: numberWithin(0, 5),
        })
        .nullish(),
    })
    .nullish(),
});
export type RateWire = z.output<typeof rateSchema>;

/** `totalCount` may exceed the returned items, so it is not read. */
export const rateListSchema = z.looseObject({ items: z.array(rateSchema) });

/**
 * Contract: rate acceptance. The coverage field is `coverage` here, not `coverageAmount`; null or absence declines
 * it.
 */
export const acceptanceRequestSchema = z.strictObject({
  paymentMethodId: z.string().min(1),
  insurance: z.strictObject({ coverage: requestMoneySchema.nullable().optional() }).nullable(),
});
export type AcceptanceRequestWire = z.input<typeof acceptanceRequestSchema>;

/** `response` is JSON in a string; it may also be empty, null, no JSON, or not a string. */
export const acceptanceStatusSchema = z.looseObject({
  response: z.unknown().optional(),
  statusCode: z
    .union([numberSchema.pipe(z.int()), z.literal('').transform(() => null)])
    .nullish()
    .transform((code) => code ?? null),
});
