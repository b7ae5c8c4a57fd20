import type { z } from 'zod';

type JsonRecord = Record<PropertyKey, unknown>;

const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands at a path; undefined when nothing does. */
export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return typeof key === 'number' ? at[key] : undefined;
    return isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, root);
}

/** Takes out what is wrong at a path; where it is wrong because it is missing, what it is missing from. */
function takeOut(root: unknown, path: readonly PropertyKey[]): void {
  for (let length = path.length; length > 0; length -= 1) {
    const owner = valueAt(root, path.slice(0, length - 1));
    const key = path[length - 1];
    if (key === undefined || owner === undefined || owner === null) return;
    if (Array.isArray(owner) && typeof key === 'number' && owner[key] != null) {
      // The places of the others must stay what they are: paths name them.
      owner[key] = null;
      return;
    }
    if (isRecord(owner) && Object.hasOwn(owner, key)) {
      delete owner[key];
      return;
    }
  }
}

/** Each round takes out at least one level of every malformed place, and no schema here is deeper. */
const MAX_ROUNDS = 20;

/**
 * What is left of a document when everything malformed is taken out, so that the rest can still be checked: whoever
 * has one key misspelled should not meet the other problems one run later.
 * @param copy plain JSON, which is changed
 * @returns null when nothing is left
 */
export function salvage<T>(schema: z.ZodType<T>, copy: unknown): T | null {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const parsed = schema.safeParse(copy);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) {
      if (issue.code === 'unrecognized_keys') {
        for (const key of issue.keys) takeOut(copy, [...issue.path, key]);
      } else {
        takeOut(copy, issue.path);
      }
    }
  }
  return null;
}
