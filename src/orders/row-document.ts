import { columnName, type Column, type Keys } from './columns';
import { jsonPath } from './json-path';
import type { Problem } from './problem';
import { readDocument } from './read-document';

/** A cell that is not empty. */
export interface Cell {
  readonly column: Column;
  readonly text: string;
}

/** The order document that a row holds. */
export interface RowReading {
  /** Null when the cells contradict each other; then only `problems` says something about the row. */
  readonly document: Readonly<Record<string, unknown>> | null;
  readonly problems: readonly Problem[];
}

interface Leaf {
  readonly column: string;
  readonly value: unknown;
}
type Branch = Map<string | number, Branch | Leaf>;

/** Reads a row of a table as an order document. An empty cell leaves its field out. */
export function documentOfRow(cells: readonly Cell[]): RowReading {
  const root: Branch = new Map();
  const problems: Problem[] = [];
  const conflicts: Problem[] = [];
  for (const { column, text } of cells) {
    const { value, found } = valueOf(column, text);
    problems.push(...found);
    const other = place(root, column, value);
    if (other === null) continue;
    const problem = `has a value, and so has ${other}, which stands for the same field`;
    conflicts.push({ path: jsonPath(column.keys), problem, remedy: 'empty one of the two cells' });
  }
  const gaps = gapsIn(root, []);
  if (conflicts.length + gaps.length > 0) return { document: null, problems: [...conflicts, ...gaps] };
  return { document: objectOf(root), problems };
}

const isBlank = (text: string): boolean => text.trim() === '';
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

interface Value {
  readonly value: unknown;
  readonly found: readonly Problem[];
}

const plain = (value: unknown): Value => ({ value, found: [] });

/** The value of a cell. A cell that is not of the form stays a text, which the check of the document then refuses. */
function valueOf({ form, keys }: Column, text: string): Value {
  const clean = text.trim();
  const refused = (problem: string, remedy: string): Value => ({
    value: text,
    found: [{ path: jsonPath(keys), problem, remedy }],
  });
  switch (form) {
    case 'number':
      if (NUMBER.test(clean)) return plain(Number(clean));
      return refused(
        `${shown(clean)} is not a number`,
        'write it with a decimal point and no other signs, as in 84.5',
      );
    case 'boolean':
      if (/^(?:true|yes)$/i.test(clean)) return plain(true);
      if (/^(?:false|no)$/i.test(clean)) return plain(false);
      return refused(
        `${shown(clean)} is neither true nor false`,
        'write true or false, or leave the cell empty',
      );
    case 'nested':
      return /^[[{]/.test(clean) ? nestedValue(keys, clean) : plain(text);
    case 'textOrList':
      return plain(clean === '[]' ? [] : text);
    default:
      return plain(text);
  }
}

const shown = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

function nestedValue(keys: Keys, text: string): Value {
  const read = readDocument(text);
  if (read.ok) return plain(read.value);
  const path = jsonPath(keys);
  return { value: text, found: read.problems.map(({ problem, remedy }) => ({ path, problem, remedy })) };
}

/** @returns the column that stands for the same place; null when the value has been placed */
function place(root: Branch, { keys, name }: Column, value: unknown): string | null {
  let at = root;
  for (const key of keys.slice(0, -1)) {
    const next = at.get(key) ?? new Map<string | number, Branch | Leaf>();
    if (!(next instanceof Map)) return next.column;
    at.set(key, next);
    at = next;
  }
  const last = keys.at(-1) ?? '';
  const there = at.get(last);
  if (there !== undefined) return columnIn(there);
  at.set(last, { column: name, value });
  return null;
}

function columnIn(node: Branch | Leaf): string {
  if (!(node instanceof Map)) return node.column;
  const [first] = node.values();
  return first === undefined ? '' : columnIn(first);
}

const isList = (branch: Branch): boolean => [...branch.keys()].every((key) => typeof key === 'number');

function gapsIn(branch: Branch, keys: Keys): Problem[] {
  const inner = [...branch].flatMap(([key, node]) =>
    node instanceof Map ? gapsIn(node, [...keys, key]) : [],
  );
  if (keys.length === 0 || !isList(branch)) return inner;
  const missing = Array.from({ length: branch.size }, (_, index) => index).find(
    (index) => !branch.has(index),
  );
  if (missing === undefined) return inner;
  const after = Math.min(...[...branch.keys()].map(Number).filter((index) => index > missing));
  const problem = `has a value, but ${columnName([...keys, missing])} is empty`;
  return [
    { path: jsonPath([...keys, after]), problem, remedy: 'fill the positions of a list from 1 on' },
    ...inner,
  ];
}

function objectOf(branch: Branch): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const [key, node] of branch) {
    // An assignment to `__proto__` would not set a key.
    const inner = { value: contentOf(node), enumerable: true, configurable: true, writable: true };
    Object.defineProperty(value, key, inner);
  }
  return value;
}

function contentOf(node: Branch | Leaf): unknown {
  if (!(node instanceof Map)) return node.value;
  if (!isList(node)) return objectOf(node);
  return [...node].toSorted(([a], [b]) => Number(a) - Number(b)).map(([, entry]) => contentOf(entry));
}

/**
 * The cells of an order document by the names of their columns. A row cannot hold an empty or blank text, and no `null`:
 * their cells stay empty, which leaves the field out.
 */
export function rowOfDocument(document: unknown): Map<string, string> {
  const cells = new Map<string, string>();
  writeCells(cells, document, []);
  return cells;
}

function writeCells(cells: Map<string, string>, value: unknown, keys: Keys): void {
  if (value === null || value === undefined) return;
  if (typeof value !== 'object') {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (!isBlank(text)) cells.set(columnName(keys), text);
    return;
  }
  const entries: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  if (entries.length === 0) cells.set(columnName(keys), Array.isArray(value) ? '[]' : '{}');
  for (const [key, inner] of entries) writeCells(cells, inner, [...keys, key]);
}
