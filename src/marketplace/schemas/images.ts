import { z } from 'zod';

/** The contract does not show an image's payload; these are the settings other than a multipart field. */
export const base64ImageSchema = (field: string) =>
  z.strictObject({
    fileName: z.string().min(1),
    contentType: z.string().min(1),
    [field]: z.base64(),
  });

export const urlImagesSchema = (field: string) =>
  z.strictObject({ [field]: z.array(z.string().min(1)).min(1) });
