import { z } from 'zod';
import { enumValueSchema, flagSchema, idSchema, numberSchema } from './common';

const monthSchema = numberSchema.pipe(z.int().min(1).max(12));
const CENTURY = 2_000;
/** Four digits, or two as printed on cards. */
const yearSchema = numberSchema
  .pipe(z.int())
  .transform((year) => (year >= 1 && year <= 99 ? CENTURY + year : year))
  .pipe(z.int().min(1_900).max(9_999));

/** Contract: payment method. */
export const paymentMethodSchema = z.looseObject({
  id: idSchema,
  type: enumValueSchema,
  isPrimary: flagSchema,
  active: flagSchema,
  expiration: z.looseObject({ month: monthSchema.nullish(), year: yearSchema.nullish() }).nullish(),
});

export const paymentMethodListSchema = z.looseObject({ items: z.array(paymentMethodSchema) });
