import { z } from 'zod';
import { nearest } from '../orders/spelling';

/** The schema inside of `optional` and `default`. */
function bare(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? bare(schema.unwrap()) : schema;
}

/** The keys that the schema has at a path. */
function keysAt(schema: unknown, [key, ...rest]: readonly PropertyKey[]): string[] {
  const at = bare(schema);
  if (at instanceof z.ZodUnion) {
    return at.options.flatMap((option) => keysAt(option, key === undefined ? [] : [key, ...rest]));
  }
  if (at instanceof z.ZodArray) return key === undefined ? [] : keysAt(at.element, rest);
  if (at instanceof z.ZodRecord) return key === undefined ? [] : keysAt(at.valueType, rest);
  if (!(at instanceof z.ZodObject)) return [];
  if (key === undefined) return Object.keys(at.shape);
  return Object.hasOwn(at.shape, key) ? keysAt(at.shape[String(key)], rest) : [];
}

/**
 * One line for each problem in the form of an accounts file. It names keys and what they should contain, never a value,
 * because that may be a secret.
 */
export function formProblems(schema: z.ZodType, error: z.ZodError): string[] {
  return error.issues.flatMap((issue): string[] => {
    const at = ['$', ...issue.path].join('.');
    if (issue.code === 'invalid_key') return [`${at}: ${issue.issues[0]?.message ?? issue.message}`];
    if (issue.code !== 'unrecognized_keys') return [`${at}: ${issue.message}`];
    const known = keysAt(schema, issue.path);
    return issue.keys.map((key) => {
      const guess = nearest(key, known);
      const remedy =
        guess === null ? `leave it out; known keys: ${known.join(', ')}` : `did you mean ${guess}?`;
      return `${at}.${key}: is an unknown key; ${remedy}`;
    });
  });
}
