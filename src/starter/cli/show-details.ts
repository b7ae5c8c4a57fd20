import pc from 'picocolors';
import { printable } from './printable';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** A translatable enum reads as its value, money as amount and currency: labels are in whatever language there is. */
function valueOf(value: unknown): unknown {
  if (!isObject(value) || !('value' in value) || !('label' in value || 'shortLabel' in value)) return value;
  const currency = 'currencyType' in value ? valueOf(value.currencyType) : null;
  return typeof value.value === 'number' && typeof currency === 'string'
    ? `${value.value} ${currency}`
    : value.value;
}

/** Deeper than any contact; an answer that goes on for ever must not end the program. */
const MAX_DEPTH = 12;

/** Links are addresses for programs. */
const isForPeople = (name: string): boolean => name !== 'links';

/**
 * All that an undocumented object says, one line for each value with the path to it, such as
 * `locations.pickup.address.city: Dallas`. Nothing is left out but links and what is empty.
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
