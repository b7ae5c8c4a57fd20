import { createHash } from 'node:crypto';

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, inner]) => [key, canonical(inner)]));
}

/**
 * A document as JSON with its keys sorted at every depth.
 * @throws TypeError or RangeError when it is not plain JSON, or contains itself
 */
export function canonicalJson(document: unknown): string {
  return JSON.stringify(canonical(document)) ?? 'null';
}

/**
 * SHA-256 in hex of the order document before any default is added. It does not depend on the order of keys: two
 * starts with the same hash are the same order.
 */
export function documentHash(document: unknown): string {
  return createHash('sha256').update(canonicalJson(document)).digest('hex');
}
