import { LineCounter, parseDocument } from 'yaml';
import { canonicalJson } from './document-hash';

export type ReadDocument =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

/** Far above any real order, far below what a history may carry. */
export const MAX_DOCUMENT_BYTES = 256 * 1024;

const tooLarge = (bytes: number): ReadDocument => ({
  ok: false,
  problem: `the document has ${bytes} bytes; at most ${MAX_DOCUMENT_BYTES} are read`,
});

/** Reads JSON or YAML, of which JSON is a part. Says line and column where it cannot. Never throws. */
export function readDocument(text: string): ReadDocument {
  const size = Buffer.byteLength(text);
  if (size > MAX_DOCUMENT_BYTES) return tooLarge(size);
  try {
    const document = parseDocument(text, {
      lineCounter: new LineCounter(),
      uniqueKeys: true,
      prettyErrors: true,
    });
    const [error] = document.errors;
    if (error !== undefined)
      return { ok: false, problem: `not JSON or YAML: ${error.message.split('\n')[0] ?? ''}` };
    // Aliases are bounded, so that a small document cannot grow into a large one.
    const value: unknown = document.toJS({ maxAliasCount: 20 });
    // An alias to what it stands in makes a value without an end, which has no JSON.
    const written = Buffer.byteLength(canonicalJson(value));
    return written > MAX_DOCUMENT_BYTES ? tooLarge(written) : { ok: true, value };
  } catch (error) {
    if (error instanceof RangeError)
      return { ok: false, problem: 'the document is nested too deeply, or holds itself' };
    if (error instanceof Error)
      return { ok: false, problem: `not JSON or YAML: ${error.message.split('\n')[0] ?? ''}` };
    throw error;
  }
}
