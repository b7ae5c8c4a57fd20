import { hash } from 'node:crypto';

/** Text of the content, or a value that is still to be written as text. */
type Part = string | { readonly value: unknown };

/**
 * SHA-256, as 64 hex digits, of what an event says: its type and data, with the keys of objects in a fixed order, so
 * that a repetition by another serialiser is the same content. Without recursion: data may be nested as deeply as it
 * likes.
 */
export function contentDigest(type: string, data: unknown): string {
  let content = '';
  const parts: Part[] = [{ value: [type, data] }];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (typeof part === 'string') content += part;
    else if (Array.isArray(part.value)) pushItems(parts, part.value);
    else if (typeof part.value === 'object' && part.value !== null) pushEntries(parts, part.value);
    else content += JSON.stringify(part.value) ?? 'null';
  }
  // One call: each call into the library of hashes costs more than what it hashes.
  return hash('sha256', content);
}

/** The last part is taken first. */
function pushItems(parts: Part[], items: readonly unknown[]): void {
  parts.push(']');
  for (const value of items.toReversed()) parts.push(',', { value });
  parts.push('[');
}

function pushEntries(parts: Part[], owner: object): void {
  const entries = Object.entries(owner).sort(([left], [right]) => (left < right ? 1 : -1));
  parts.push('}');
  for (const [key, value] of entries) parts.push(',', { value }, `${JSON.stringify(key)}:`);
  parts.push('{');
}
