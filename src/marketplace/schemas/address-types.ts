import { z } from 'zod';
import { textSchema } from './common';

/** Contract: address types. */
export const addressTypeSchema = z.looseObject({
  value: z.string().trim().min(1),
  label: textSchema,
  shortLabel: textSchema,
});

/** `totalCount` may exceed the returned items, so it is not read. */
export const addressTypeListSchema = z.looseObject({ items: z.array(addressTypeSchema) });
