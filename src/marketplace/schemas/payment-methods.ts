import { z } from 'zod';
import { enumValueSchema, flagSchema, numberSchema } from './common';

/** Contract: payment method. */
export const paymentMethodListSchema = z.looseObject({
  items: z.array(
    z.looseObject({
      id: z.string().min(1),
      type: enumValueSchema,
      isPrimary: flagSchema,
      active: flagSchema,
      expiration: z.looseObject({ month: numberSchema.nullish(), year: numberSchema.nullish() }).nullish(),
    }),
  ),
});
