import type { z } from 'zod';
import { leftOutOf, type LeftOut } from '../domain/left-out';

/** An invalid field, then an object that lacks it, then the list around that. */
const MAX_ROUNDS = 4;

/** An amount with an invalid currency is no amount: it must not pass as one in the account's currency. */
const UNITS: ReadonlySet<PropertyKey> = new Set(['currencyType']);

/** A copy with the field set to null; a list element that is already null is removed. */
function without(value: unknown, [key, ...rest]: readonly PropertyKey[]): unknown {
  if (key === undefined || (UNITS.has(key) && rest.length === 0)) return null;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    if (typeof key !== 'number' || key >= list.length) return list;
    return rest.length === 0 && list[key] === null
      ? list.toSpliced(key, 1)
      : list.with(key, without(list[key], rest));
  }
  if (typeof value !== 'object' || value === null) return value;
  const inner: unknown = Reflect.get(value, key);
  return { ...value, [key]: without(inner, rest) };
}

/**
 * Parses what can be parsed: an invalid field counts as null if the schema allows that. The remaining errors are
 * about required fields.
 */
export function parseLenient<T>(schema: z.ZodType<T>, raw: unknown): z.ZodSafeParseResult<T> {
  let result = schema.safeParse(raw);
  if (result.success) return result;
  let rest = raw;
  for (let round = 0; round < MAX_ROUNDS && !result.success; round += 1) {
    // From the end, because lists get shorter.
    for (const { path } of result.error.issues.toReversed()) rest = without(rest, path);
    result = schema.safeParse(rest);
  }
  return result;
}

/** Writes an issue's path as `items[0].expires`. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`;
    return name === '' ? String(part) : `${name}.${String(part)}`;
  }, '');
}

export interface LenientList<T> {
  readonly items: readonly T[];
  readonly leftOut: LeftOut;
}

/** Parses each element by itself; leaves out an element without its required fields, and names it. */
export function parseList<T>(
  element: z.ZodType<T>,
  raws: readonly unknown[],
  name = 'items',
): LenientList<T> {
  const items: T[] = [];
  const places: string[] = [];
  for (const [index, raw] of raws.entries()) {
    const parsed = parseLenient(element, raw);
    if (parsed.success) items.push(parsed.data);
    else places.push(fieldName([name, index, ...(parsed.error.issues[0]?.path ?? [])]));
  }
  return { items, leftOut: leftOutOf(places) };
}
