import type { z } from 'zod';

type JsonRecord = Record<PropertyKey, unknown>;

const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path; undefined when there is none. */
export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return typeof key === 'number' ? at[key] : undefined;
    return isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, root);
}

/** Removes the malformed value at a path. When it is missing, removes the object that lacks it. */
function takeOut(root: unknown, path: readonly PropertyKey[]): void {
  for (let length = path.length; length > 0; length -= 1) {
    const owner = valueAt(root, path.slice(0, length - 1));
    const key = path[length - 1];
    if (key === undefined || owner === undefined || owner === null) return;
    if (Array.isArray(owner) && typeof key === 'number' && owner[key] != null) {
      // The other entries must keep their index, because paths name them.
      owner[key] = null;
      return;
    }
    if (isRecord(owner) && Object.hasOwn(owner, key)) {
      delete owner[key];
      return;
    }
  }
}

/** Each round removes at least one level of every malformed place, and no schema here is deeper. */
const MAX_ROUNDS = 20;

/**
 * The document without its malformed parts. The rest can still be checked: a person with one misspelled key should not
 * see the other problems only one run later.
 * @param copy plain JSON, which is changed
 * @returns null when nothing remains
 */
export function dropInvalid<T>(schema: z.ZodType<T>, copy: unknown): T | null {
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
