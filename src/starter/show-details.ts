import { printable } from './printable';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** A translatable enum reads as its value; its labels are in whatever language the marketplace is in. */
function valueOf(value: unknown): unknown {
  return isObject(value) && 'value' in value && ('label' in value || 'shortLabel' in value)
    ? value.value
    : value;
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
