import type { z } from 'zod';

/**
 * A schema with the one sentence that `consign explain`, the tables in docs/ and the JSON Schema print.
 * @param usual the default, as a document writes it; null and undefined: there is none
 */
export function described<T extends z.ZodType>(schema: T, description: string, usual?: unknown): T {
  return schema.meta({ description, ...(usual != null && { default: usual }) });
}
