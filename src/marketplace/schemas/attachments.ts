import { z } from 'zod';
import { enumValueSchema, idSchema, integerWithin, optionalTimestampSchema, textSchema } from './common';

/** Contract: listing attachment. Its `links` are not read, because `uri` points to the content. */
export const attachmentSchema = z.looseObject({
  attachmentId: idSchema,
  uri: z.string().trim().min(1),
  fileName: textSchema,
  fileType: textSchema,
  fileSize: integerWithin(0, Number.MAX_SAFE_INTEGER),
  dateCreated: optionalTimestampSchema,
  uploaderId: textSchema,
  attachmentType: enumValueSchema,
  notes: textSchema,
});
