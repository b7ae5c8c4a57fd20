import { isMap, isNode, isScalar, isSeq, visit, type Document, type Node } from 'yaml';
import { writeText } from './document-text';
import { keysOf } from './json-path';
import type { Fix, Problem } from './problem';
import { parseYaml } from './yaml-text';

type Keys = readonly (string | number)[];

/** Sets a value. It creates missing objects on the way, but no lists. */
function setValue(document: Document, keys: Keys, value: unknown): boolean {
  for (let depth = 0; depth < keys.length; depth += 1) {
    const owner: unknown = depth === 0 ? document.contents : document.getIn(keys.slice(0, depth), true);
    if (typeof keys[depth] === 'number') {
      if (!isSeq(owner) || !owner.has(keys[depth])) return false;
    } else if (owner === undefined && depth > 0) {
      break;
    } else if (!isMap(owner)) {
      return false;
    }
  }
  const isPlain = typeof value !== 'object' || value === null;
  document.setIn(keys, isPlain ? value : document.createNode(value, { flow: true }));
  return true;
}

/** A number as the document writes it: as numbers, `00123` and `2400.00` would lose digits. */
function toText(document: Document, keys: Keys): boolean {
  const node: unknown = document.getIn(keys, true);
  if (!isScalar(node) || typeof node.value !== 'number') return false;
  return setValue(document, keys, node.source ?? String(node.value));
}

/** Renames in place: the order of keys and their comments stay. */
function rename(document: Document, keys: Keys, name: string): boolean {
  const owner: unknown = keys.length === 1 ? document.contents : document.getIn(keys.slice(0, -1), true);
  if (!isMap(owner) || owner.has(name)) return false;
  const pair = owner.items.find(({ key }) => (isScalar(key) ? key.value : key) === keys.at(-1));
  if (pair === undefined) return false;
  if (isScalar(pair.key)) pair.key.value = name;
  else pair.key = document.createNode(name);
  return true;
}

/** @returns false when the place has changed since the problem was found */
function applyFix(document: Document, fix: Fix): boolean {
  const keys = keysOf(fix.path);
  if (keys.length === 0) return false;
  if ('value' in fix) return setValue(document, keys, fix.value);
  if ('asText' in fix) return toText(document, keys);
  return 'renameTo' in fix ? rename(document, keys, fix.renameTo) : document.deleteIn(keys);
}

/** Replaces aliases by copies with the same digits: a fix of one place must not change another. */
function expandAliases(document: Document): void {
  const anchors = new Map<string, Node>();
  visit(document, {
    Alias(_, { source }) {
      const copy: unknown = anchors.get(source)?.clone();
      return isNode(copy) ? copy : undefined;
    },
    Value(_, node) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
      delete node.anchor;
    },
  });
}

/**
 * Applies the fixes of problems to a document. Pure: text to text.
 * @param text JSON or YAML that `readDocument` could read
 * @returns the text, and the problems whose fix was applied; the unchanged text when there is none
 */
export function applyFixes(
  text: string,
  found: readonly Problem[],
): { readonly text: string; readonly fixed: readonly Problem[] } {
  const fixable = found.filter(({ fix }) => fix !== undefined);
  if (fixable.length === 0) return { text, fixed: [] };
  const { document } = parseYaml(text);
  if (document === null) return { text, fixed: [] };
  expandAliases(document);
  const fixed = fixable.filter(({ fix }) => fix !== undefined && applyFix(document, fix));
  return fixed.length === 0 ? { text, fixed } : { text: writeText(document, text), fixed };
}
