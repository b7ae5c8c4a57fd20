import { createHash } from 'node:crypto';

/** Text that is hashed as it is, or a value that is still to be taken apart. */
type Part = { readonly text: string } | { readonly value: unknown };

/**
 * SHA-256, as 64 hex digits, of what an event says: its type and data, with the keys of objects in a fixed order, so
 * that a repetition by another serialiser is the same content. Without recursion: data may be nested as deeply as it
 * likes.
 */
export function contentDigest(type: string, data: unknown): string {
  const hash = createHash('sha256');
  const stack: Part[] = [{ value: [type, data] }];
  for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
    if ('text' in part) hash.update(part.text);
    else for (const inner of partsOf(part.value).toReversed()) stack.push(inner);
  }
  return hash.digest('hex');
}

function partsOf(value: unknown): Part[] {
  if (Array.isArray(value)) {
    return [
      { text: '[' },
      ...value.flatMap((item: unknown) => [{ value: item }, { text: ',' }]),
      { text: ']' },
    ];
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
    const inner = entries.flatMap(([key, item]: [string, unknown]) => [
      { text: `${JSON.stringify(key)}:` },
      { value: item },
      { text: ',' },
    ]);
    return [{ text: '{' }, ...inner, { text: '}' }];
  }
  return [{ text: JSON.stringify(value) ?? 'null' }];
}
