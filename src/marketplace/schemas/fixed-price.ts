import { z } from 'zod';
import { optionalAmountSchema, priceNumberSchema, requestInsuranceSchema, textSchema } from './common';

/** Contract: fixed price request. */
export const fixedPriceRequestSchema = z.strictObject({
  source: z.string().regex(/^[a-z0-9]+$/, 'must be lower case letters and digits'),
  originPostalCode: z.string().min(1),
  destinationPostalCode: z.string().min(1),
  originCountryCode: z.string().optional(),
  destinationCountryCode: z.string().optional(),
  items: z
    .array(
      z.strictObject({
        heightInMeters: z.number().positive(),
        lengthInMeters: z.number().positive(),
        widthInMeters: z.number().positive(),
        weightInGrams: z.int().nonnegative(),
        unitCount: z.int().positive(),
      }),
    )
    .min(1),
  insurance: requestInsuranceSchema.optional(),
  userId: z.string().optional(),
  priceCorrelationId: z.string().optional(),
  commodity: z.string().optional(),
});
export type FixedPriceRequestWire = z.input<typeof fixedPriceRequestSchema>;

/** An invalid premium counts as none: the order asks a person, and the price is still usable. */
const premiumSchema = optionalAmountSchema
  .refine((premium) => premium === null || premium.amount >= 0, 'must not be negative')
  .catch(null);

const premiumHolderSchema = z
  .looseObject({ premium: premiumSchema })
  .nullish()
  .transform((holder) => holder?.premium ?? null)
  .catch(null);

const priceSchema = priceNumberSchema.refine((price) => price >= 0, 'must not be negative');

/** Contract: fixed price response. It does not show where the premium is, so three places are read. */
export const fixedPriceResponseSchema = z.looseObject({
  price: priceSchema,
  nypAmount: priceSchema,
  priceCorrelationId: textSchema,
  insuranceQuote: premiumHolderSchema,
  insurance: premiumHolderSchema,
  premium: premiumSchema,
});
