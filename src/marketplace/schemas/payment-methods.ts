import { z } from 'zod';
import { enumValueSchema, flagSchema, idSchema, numberSchema } from './common';

const monthSchema = numberSchema.pipe(z.int().min(1).max(12));
/** Of four digits: a shorter one would make a good card an expired one. */
const yearSchema = numberSchema.pipe(z.int().min(1_900).max(9_999));

/** Contract: payment method. */
export const paymentMethodListSchema = z.looseObject({
  items: z.array(
    z.looseObject({
      id: idSchema,
      type: enumValueSchema,
      isPrimary: flagSchema,
      active: flagSchema,
      expiration: z.looseObject({ month: monthSchema.nullish(), year: yearSchema.nullish() }).nullish(),
    }),
  ),
});
