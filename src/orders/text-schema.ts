import { z } from 'zod';

/** A text that is more than spaces, without those around it. */
export const textSchema = z
  .string()
  .trim()
  .min(1)
  .meta({ pattern: String.raw`\S` });
