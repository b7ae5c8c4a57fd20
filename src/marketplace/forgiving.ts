import type { z } from 'zod';
import { leftOutOf, type LeftOut } from '../domain/left-out';

/** A field that is wrong, then an object that is missing because of it, then the list around it. */
const MAX_ROUNDS = 4;

/** An amount whose currency is wrong is no amount: it must not be taken for one in the account's own. */
const UNITS: ReadonlySet<PropertyKey> = new Set(['currencyType']);

/** A copy in which a field is null; an element of a list that already is null is gone. */
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
 * Reads what can be read: a field that is wrong counts as null, wherever the schema can do without it. What is left of
 * the error are the fields that must be there.
 */
export function parseForgiving<T>(schema: z.ZodType<T>, raw: unknown): z.ZodSafeParseResult<T> {
  let result = schema.safeParse(raw);
  if (result.success) return result;
  let rest = raw;
  for (let round = 0; round < MAX_ROUNDS && !result.success; round += 1) {
    // From the end, because a list gets shorter.
    for (const { path } of result.error.issues.toReversed()) rest = without(rest, path);
    result = schema.safeParse(rest);
  }
  return result;
}

/** `items[0].expires` from the path of an issue. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`;
    return name === '' ? String(part) : `${name}.${String(part)}`;
  }, '');
}

export interface ForgivenList<T> {
  readonly items: readonly T[];
  readonly leftOut: LeftOut;
}

/** Reads each element by itself; one without what it must have is left out and named. */
export function parseList<T>(
  element: z.ZodType<T>,
  raws: readonly unknown[],
  name = 'items',
): ForgivenList<T> {
  const items: T[] = [];
  const places: string[] = [];
  for (const [index, raw] of raws.entries()) {
    const parsed = parseForgiving(element, raw);
    if (parsed.success) items.push(parsed.data);
    else places.push(fieldName([name, index, ...(parsed.error.issues[0]?.path ?? [])]));
  }
  return { items, leftOut: leftOutOf(places) };
}
