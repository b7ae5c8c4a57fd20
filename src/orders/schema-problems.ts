import { z } from 'zod';
import { jsonPath } from './json-path';
import { certainly, correctionOf, nearest } from './spelling';
import type { Fix, Problem } from './problem';
import { valueAt } from './drop-invalid';

/** A value as the document writes it, short enough for a sentence. */
function shown(value: unknown): string {
  // YAML has NaN and Infinity, which become null in JSON.
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'nothing');
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** The schema inside of `optional`, `default`, `nullable` and transforms. */
function bare(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return bare(schema.unwrap());
  }
  return schema instanceof z.ZodPipe ? bare(schema.in) : schema;
}

/** The keys that a schema has at a path, to find the key that was meant. */
function keysAt(schema: unknown, path: readonly PropertyKey[]): string[] {
  const at = bare(schema);
  const [key, ...rest] = path;
  if (at instanceof z.ZodUnion) return at.options.flatMap((option) => keysAt(option, path));
  if (at instanceof z.ZodArray) return key === undefined ? [] : keysAt(at.element, rest);
  if (!(at instanceof z.ZodObject)) return [];
  if (key === undefined) return Object.keys(at.shape);
  return Object.hasOwn(at.shape, key) ? keysAt(at.shape[String(key)], rest) : [];
}

/** Whether the value at a path is optional. */
function isOptionalAt(schema: unknown, path: readonly PropertyKey[]): boolean {
  const at = bare(schema);
  const [key, ...rest] = path;
  if (key === undefined) return false;
  if (at instanceof z.ZodArray) return isOptionalAt(at.element, rest);
  if (!(at instanceof z.ZodObject) || !Object.hasOwn(at.shape, key)) return false;
  const inner = at.shape[String(key)];
  if (rest.length > 0) return isOptionalAt(inner, rest);
  return inner instanceof z.ZodOptional || inner instanceof z.ZodDefault;
}

const WANTED: Readonly<Record<string, string>> = {
  string: 'a text, in quotes',
  number: 'a number, without quotes',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object, in braces',
  record: 'an object, in braces',
  array: 'a list, in brackets',
};

/** What to give when the value is missing, for the keys that people forget most often. */
const MISSING: Readonly<Record<string, string>> = {
  orderId: 'give the id of the order in your own system',
  account: 'name an account of the accounts file',
  phone: 'give a phone number with its area code; the carrier calls it',
  pickup: 'say when the goods can be picked up, such as {"on": "2027-03-09"}',
  items: 'list the goods, one entry for each kind',
  commodity: 'say what it is; for LTL use a commodity code of the API',
  size: 'measure it with its packaging; furniture is priced by size and weight',
  weightEach: 'weigh one of them; furniture is priced by size and weight',
  handlingUnit: 'say what the carrier moves, such as Pallets48X40Inches or Crates',
};

const ordinal = (count: number | bigint, one: string, more: string): string =>
  `${count} ${Number(count) === 1 ? one : more}`;

function bounds(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall, value: unknown): [string, string] {
  const isBig = issue.code === 'too_big';
  const limit = isBig ? issue.maximum : issue.minimum;
  const side = isBig ? 'at most' : 'at least';
  if (issue.origin === 'string' && typeof value === 'string') {
    if (!isBig) return ['is empty', 'give a value, or leave it out if it is optional'];
    return [`has ${value.length} characters`, `use ${side} ${limit}`];
  }
  if (issue.origin === 'array' && Array.isArray(value)) {
    return [
      value.length === 0 ? 'is empty' : `has ${value.length} entries`,
      `give ${side} ${ordinal(limit, 'entry', 'entries')}`,
    ];
  }
  const inclusive = issue.inclusive === false ? (isBig ? 'less than' : 'more than') : side;
  return [`${shown(value)} is too ${isBig ? 'large' : 'small'}`, `give ${inclusive} ${limit}`];
}

interface Explained {
  readonly problem: string;
  readonly remedy: string;
  readonly fix?: Fix;
}

/** The value that a text or number of the wrong type certainly means. */
function retyped(expected: string, value: unknown, path: string): Fix | null {
  if (expected === 'string' && typeof value === 'number') return { path, asText: true };
  if (typeof value !== 'string') return null;
  const clean = value.trim();
  if (expected === 'boolean') {
    const isTrue = /^(true|yes)$/i.test(clean);
    return isTrue || /^(false|no)$/i.test(clean) ? { path, value: isTrue } : null;
  }
  const isNumber = expected === 'number' || expected === 'int';
  return isNumber && /^-?(0|[1-9]\d{0,11})(\.\d{1,6})?$/.test(clean) ? { path, value: Number(clean) } : null;
}

function explain(issue: z.core.$ZodIssue, value: unknown): Explained {
  const key = String(issue.path.at(-1) ?? '');
  const path = jsonPath(issue.path);
  const wanted = issue.code === 'invalid_type' ? (WANTED[issue.expected] ?? issue.expected) : null;
  if (value === undefined) {
    const remedy = MISSING[key] ?? (wanted === null ? issue.message : `give ${wanted}`);
    return { problem: 'is missing', remedy };
  }
  if (issue.code === 'invalid_type' && wanted !== null) {
    const fix = retyped(issue.expected, value, path);
    const problem = `${shown(value)} is not ${wanted.split(',')[0] ?? ''}`;
    return { problem, remedy: `give ${wanted}`, ...(fix !== null && { fix }) };
  }
  if (issue.code === 'invalid_value') {
    const codes = issue.values.map(String);
    const otherwise = `use one of: ${codes.join(', ')}`;
    const text = typeof value === 'string' ? value : shown(value);
    return {
      problem: `${shown(value)} is not a known value`,
      ...correctionOf(text, codes, { path, otherwise }),
    };
  }
  if (issue.code === 'too_big' || issue.code === 'too_small') {
    const [problem, remedy] = bounds(issue, value);
    return { problem, remedy };
  }
  return { problem: `${shown(value)} is not valid`, remedy: issue.message };
}

/** An unknown key: its fix renames it to the key that was meant, unless that key is given too. */
function unknownKey(
  key: string,
  known: readonly string[],
  at: readonly PropertyKey[],
  owner: unknown,
): Problem {
  const path = jsonPath([...at, key]);
  const certain = certainly(key, known);
  const guess = certain ?? nearest(key, known);
  const others = known.length === 0 ? 'leave it out' : `leave it out; known keys: ${known.join(', ')}`;
  const remedy = guess === null ? others : `did you mean ${guess}?`;
  const isFree = certain !== null && valueAt(owner, [certain]) === undefined;
  return {
    ...{ path, problem: 'is an unknown key', remedy },
    ...(isFree && { fix: { path, renameTo: certain } }),
  };
}

/** What a schema found, in the terms of the document's author instead of those of the schema. */
export function schemaProblems(schema: z.ZodType, error: z.ZodError, document: unknown): Problem[] {
  return error.issues.flatMap((issue): Problem[] => {
    const value = valueAt(document, issue.path);
    if (issue.code !== 'unrecognized_keys') {
      // Many feeds write null for "no value".
      const path = jsonPath(issue.path);
      const isLeftOut = value === null && isOptionalAt(schema, issue.path);
      if (!isLeftOut) return [{ path, ...explain(issue, value) }];
      return [{ path, problem: 'is null', remedy: 'leave it out', fix: { path, remove: true } }];
    }
    const known = keysAt(schema, issue.path);
    return issue.keys.map((key) => unknownKey(key, known, issue.path, value));
  });
}
