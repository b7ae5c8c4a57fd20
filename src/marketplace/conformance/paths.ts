import type { UnreadField } from '../../domain/conformance';
import { kindOf } from './kinds';

const MAX_DEPTH = 4;
const NAME = /^[A-Za-z_$@][A-Za-z0-9_$]{0,39}$/;

/** The name of a field. A map's key may be an id or a name of somebody, so that only what looks like a field's is shown. */
function shownName(name: string): string {
  return NAME.test(name) && name.replaceAll(/[^0-9]/g, '').length <= 3 ? name : '(name not shown)';
}

/** Labels stand beside the value that they translate, and are never read. */
export const isLabel = (name: string, object: object): boolean =>
  (name === 'label' || name === 'shortLabel') && Object.hasOwn(object, 'value');

export function joinPath(path: string, name: string): string {
  return path === '' ? shownName(name) : `${path}.${shownName(name)}`;
}

/** `['items', 3, 'expires']` as `items[].expires`; empty is the whole. */
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

/** The names of fields with the kinds of their values, each once. */
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

  /** Names of what is inside of a value, down to a depth that a reader can take in. */
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
