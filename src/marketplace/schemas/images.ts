import { z } from 'zod';

/** The payload of an image is not shown; these are the settings besides a multipart field `file`. */
export const base64ImageSchema = z.strictObject({
  fileName: z.string().min(1),
  contentType: z.string().min(1),
  content: z.base64(),
});

export const urlImagesSchema = z.strictObject({ urls: z.array(z.string().min(1)).min(1) });
