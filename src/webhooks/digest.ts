import { hash } from 'node:crypto';

/** A text of the content, or a value that is not serialised yet. */
type Part = string | { readonly value: unknown };

/**
 * SHA-256, as 64 hex digits, of an event's type and data, with sorted keys: a repetition by another serialiser has the
 * same digest. It does not recurse, because data may be nested very deeply.
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
  // One call: each call into the hash library costs more than the hashing itself.
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
