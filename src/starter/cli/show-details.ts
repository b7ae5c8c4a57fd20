import pc from 'picocolors';
import { printable } from './printable';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Shows a translatable enum as its value, and money as amount and currency: labels may be in any language. */
function valueOf(value: unknown): unknown {
  if (!isObject(value) || !('value' in value) || !('label' in value || 'shortLabel' in value)) return value;
  const currency = 'currencyType' in value ? valueOf(value.currencyType) : null;
  return typeof value.value === 'number' && typeof currency === 'string'
    ? `${value.value} ${currency}`
    : value.value;
}

/** Deeper than any contact; an endlessly nested answer must not crash the program. */
const MAX_DEPTH = 12;

/** Links are addresses for programs. */
const isForPeople = (name: string): boolean => name !== 'links';

/**
 * The content of an undocumented object: one line for each value with the path to it, such as
 * `locations.pickup.address.city: Dallas`. Only links and empty values are omitted.
 */
export function detailLines(details: unknown, path: string = ''): string[] {
  const value = valueOf(details);
  if (isObject(value)) {
    if (path.split('.').length > MAX_DEPTH) return [`${path}: (more inside)`];
    return Object.entries(value).flatMap(([name, inner]) =>
      isForPeople(name)
        ? detailLines(inner, path === '' ? printable(name) : `${path}.${printable(name)}`)
        : [],
    );
  }
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
  const text = printable(String(value));
  return text === '' ? [] : [path === '' ? text : `${path}: ${text}`];
}

/** Lines under a title; nothing when there are none. */
export function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', pc.bold(title), ...lines.map((line) => `  ${line}`)];
}
