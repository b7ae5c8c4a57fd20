import { LineCounter, parseDocument } from 'yaml';

export type ReadDocument =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

/** Far above any real order, far below what a history may carry. */
const MAX_BYTES = 256 * 1024;

/** Reads JSON or YAML, of which JSON is a part. Says line and column where it cannot. */
export function readDocument(text: string): ReadDocument {
  const size = Buffer.byteLength(text);
  if (size > MAX_BYTES)
    return { ok: false, problem: `the document has ${size} bytes; at most ${MAX_BYTES} are read` };
  const document = parseDocument(text, {
    lineCounter: new LineCounter(),
    uniqueKeys: true,
    prettyErrors: true,
  });
  const [error] = document.errors;
  if (error !== undefined)
    return { ok: false, problem: `not JSON or YAML: ${error.message.split('\n')[0] ?? ''}` };
  // Aliases are bounded, so that a small document cannot grow into a large one.
  return { ok: true, value: document.toJS({ maxAliasCount: 20 }) as unknown };
}
