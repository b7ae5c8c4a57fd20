import { z } from 'zod';
import { nearest } from './codes';
import { jsonPath, type Problem } from './problem';
import { valueAt } from './salvage';

/** A value as it stands in the document, short enough for a sentence. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** The schema inside of `optional`, `default`, `nullable` and transforms. */
function bare(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return bare(schema.unwrap());
  }
  return schema instanceof z.ZodPipe ? bare(schema.in) : schema;
}

/** The keys that a schema knows at a path, to find the one that was meant. */
function keysAt(schema: unknown, path: readonly PropertyKey[]): string[] {
  const at = bare(schema);
  const [key, ...rest] = path;
  if (at instanceof z.ZodUnion) return at.options.flatMap((option) => keysAt(option, path));
  if (at instanceof z.ZodArray) return key === undefined ? [] : keysAt(at.element, rest);
  if (!(at instanceof z.ZodObject)) return [];
  if (key === undefined) return Object.keys(at.shape);
  return Object.hasOwn(at.shape, key) ? keysAt(at.shape[String(key)], rest) : [];
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

/** What to give where nothing stands, for the keys that are most often forgotten. */
const MISSING: Readonly<Record<string, string>> = {
  orderId: 'give the id by which your own system knows the order',
  account: 'name an account of the accounts file',
  phone: 'give a phone number with its area code; the carrier calls it',
  pickup: 'say when the goods can be picked up, such as {"on": "2027-03-09"}',
  items: 'list what is shipped, one line for each kind of thing',
  commodity: 'say what it is; LTL takes the codes of the contract only',
  handlingUnit: 'say what the carrier moves, such as Pallets48X40Inches or Crates',
};

const ordinal = (count: number | bigint, one: string, more: string): string =>
  `${count} ${Number(count) === 1 ? one : more}`;

function bounds(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall, value: unknown): [string, string] {
  const isBig = issue.code === 'too_big';
  const limit = isBig ? issue.maximum : issue.minimum;
  const side = isBig ? 'at most' : 'at least';
  if (issue.origin === 'string' && typeof value === 'string') {
    if (!isBig) return ['is empty', 'write something, or leave it out where it is optional'];
    return [`has ${value.length} characters`, `${side} ${limit}`];
  }
  if (issue.origin === 'array' && Array.isArray(value)) {
    return [
      value.length === 0 ? 'is empty' : `has ${value.length} entries`,
      `${side} ${ordinal(limit, 'entry', 'entries')}`,
    ];
  }
  const inclusive = issue.inclusive === false ? (isBig ? 'less than' : 'more than') : side;
  return [`${shown(value)} is too ${isBig ? 'large' : 'small'}`, `${inclusive} ${limit}`];
}

function explain(issue: z.core.$ZodIssue, value: unknown): [string, string] {
  const key = String(issue.path.at(-1) ?? '');
  const wanted = issue.code === 'invalid_type' ? (WANTED[issue.expected] ?? issue.expected) : null;
  if (value === undefined) {
    return ['is missing', MISSING[key] ?? (wanted === null ? issue.message : `give ${wanted}`)];
  }
  if (wanted !== null) return [`${shown(value)} is not ${wanted.split(',')[0] ?? ''}`, `give ${wanted}`];
  if (issue.code === 'invalid_value') {
    const codes = issue.values.map(String);
    const guess = nearest(typeof value === 'string' ? value : shown(value), codes);
    return [
      `${shown(value)} is not known here`,
      guess === null ? `use one of: ${codes.join(', ')}` : `did you mean ${guess}?`,
    ];
  }
  if (issue.code === 'too_big' || issue.code === 'too_small') return bounds(issue, value);
  return [`${shown(value)} is not right`, issue.message];
}

/** What a schema found, in the words of whoever wrote the document rather than in those of the schema. */
export function schemaProblems(schema: z.ZodType, error: z.ZodError, document: unknown): Problem[] {
  return error.issues.flatMap((issue): Problem[] => {
    if (issue.code !== 'unrecognized_keys') {
      const [problem, remedy] = explain(issue, valueAt(document, issue.path));
      return [{ path: jsonPath(issue.path), problem, remedy }];
    }
    const known = keysAt(schema, issue.path);
    return issue.keys.map((key) => {
      const guess = nearest(key, known);
      const others = known.length === 0 ? 'leave it out' : `leave it out; known here: ${known.join(', ')}`;
      const remedy = guess === null ? others : `did you mean ${guess}?`;
      return { path: jsonPath([...issue.path, key]), problem: 'is not known here', remedy };
    });
  });
}
