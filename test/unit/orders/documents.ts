import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadAccounts } from '../../../src/accounts';
import { parseOrder, type OrderReading } from '../../../src/orders/parse-order';
import { readDocument } from '../../../src/orders/read-document';

export const EXAMPLES = path.join(__dirname, '..', '..', '..', 'examples');
export const accounts = loadAccounts(path.join(EXAMPLES, 'accounts.yaml'), {});
export const NOW = new Date('2035-01-10T18:00:00Z');

export const SOFA = 'furniture-sofa.json';
export const TILES = 'ltl-tiles.json';

export function example(name: string): Record<string, unknown> {
  const document = readDocument(readFileSync(path.join(EXAMPLES, name), 'utf8'));
  if (!document.ok) throw new Error(JSON.stringify(document.problems));
  return document.value as Record<string, unknown>;
}

export function read(document: unknown, now = NOW): OrderReading {
  return parseOrder(document, {
    accountOf: (name) => accounts.orderAccountOf(name),
    accountNames: accounts.names(),
    now,
  });
}

/** A copy of a document with one value set at a path such as `items.0.size.unit`; undefined takes it away. */
export function withChange(document: unknown, keys: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(document) as Record<string, unknown>;
  const parts = keys.split('.');
  const last = parts.pop() ?? '';
  const owner = parts.reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, copy);
  if (value === undefined) delete owner[last];
  else owner[last] = value;
  return copy;
}

/** A copy of an example with one value set. */
export const changed = (name: string, keys: string, value: unknown): Record<string, unknown> =>
  withChange(example(name), keys, value);
