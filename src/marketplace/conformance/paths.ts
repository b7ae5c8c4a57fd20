import type { UnreadField } from '../../domain/conformance';
import { kindOf } from './kinds';

const MAX_DEPTH = 4;
const NAME = /^[A-Za-z_$@][A-Za-z0-9_$]{0,39}$/;

/** A field's name, if it looks like one: a key of a map may be an id or a person's name. */
function shownName(name: string): string {
  return NAME.test(name) && name.replaceAll(/[^0-9]/g, '').length <= 3 ? name : '(name not shown)';
}

/** Labels stand next to the value that they translate, and are never read. */
export const isLabel = (name: string, object: object): boolean =>
  (name === 'label' || name === 'shortLabel') && Object.hasOwn(object, 'value');

export function joinPath(path: string, name: string): string {
  return path === '' ? shownName(name) : `${path}.${shownName(name)}`;
}

/** Writes `['items', 3, 'expires']` as `items[].expires`; empty for the whole body. */
export function pathOf(keys: readonly PropertyKey[]): string {
  const path = keys.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[]` : joinPath(text, String(key))),
    '',
  );
  return path === '' ? '(whole answer)' : path;
}

export function valueAt(value: unknown, keys: readonly PropertyKey[]): unknown {
  return keys.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined,
    value,
  );
}

/** Names of fields with the kinds of their values, each once. */
export class NamesOf {
  readonly #kinds = new Map<string, Set<string>>();

  get fields(): UnreadField[] {
    return [...this.#kinds].map(([path, kinds]) => ({ path, kinds: [...kinds].toSorted() }));
  }

  add(name: string, value: unknown, path: string): void {
    const at = joinPath(path, name);
    const kinds = this.#kinds.get(at) ?? new Set();
    this.#kinds.set(at, kinds.add(kindOf(value)));
    this.addInside(value, at);
  }

  /** Adds the names inside a value, to a depth that people can still read. */
  addInside(value: unknown, path: string): void {
    if (path.split('.').length > MAX_DEPTH) return;
    if (Array.isArray(value)) for (const element of value) this.addInside(element, `${path}[]`);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        if (!isLabel(name, value)) this.add(name, inner, path);
      }
    }
  }
}
