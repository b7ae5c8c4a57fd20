import { z } from 'zod';
import { textSchema } from './common';

/** Contract: address types. `totalCount` may exceed the items given, so that it is not read. */
export const addressTypeListSchema = z.looseObject({
  items: z.array(
    z.looseObject({ value: z.string().trim().min(1), label: textSchema, shortLabel: textSchema }),
  ),
});
