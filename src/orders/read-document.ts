import { LineCounter, parseDocument } from 'yaml';
import { canonicalJson } from './document-hash';

export type ReadDocument =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string; readonly remedy: string };

/** Far above any real order, far below what a history may carry. */
export const MAX_DOCUMENT_BYTES = 256 * 1024;

const refused = (problem: string, remedy = 'correct the JSON or YAML at that place'): ReadDocument => ({
  ok: false,
  problem,
  remedy,
});
const tooLarge = (bytes: number): ReadDocument =>
  refused(
    `the document has ${bytes} bytes; at most ${MAX_DOCUMENT_BYTES} are read`,
    'one document is one order; images are named, not put inside',
  );

/** Whether a text is JSON, and not only the YAML that JSON is a part of. */
export function isJson(text: string): boolean {
  try {
    // Exports of Windows programs begin with a byte order mark, which JSON has no place for.
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** One JSON document a line is how many exports write orders. */
function isJsonLines(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 1 && lines.every((line) => /^\s*\{.*\}\s*$/.test(line));
}

const SEVERAL = 'split it, one order a file, so that a refused one holds up no other';

/** Reads JSON or YAML, of which JSON is a part. Says line and column where it cannot. Never throws. */
export function readDocument(text: string): ReadDocument {
  const size = Buffer.byteLength(text);
  if (size > MAX_DOCUMENT_BYTES) return tooLarge(size);
  if (text.trim() === '') return refused('the document is empty', 'write an order into it');
  try {
    const document = parseDocument(text, {
      lineCounter: new LineCounter(),
      uniqueKeys: true,
      prettyErrors: true,
    });
    const [error] = document.errors;
    if (error?.code === 'MULTIPLE_DOCS') return refused('holds several YAML documents', SEVERAL);
    if (error !== undefined && isJsonLines(text))
      return refused('holds a JSON document on each line', SEVERAL);
    if (error !== undefined) return refused(`not JSON or YAML: ${error.message.split('\n')[0] ?? ''}`);
    // Aliases are bounded, so that a small document cannot grow into a large one.
    const value: unknown = document.toJS({ maxAliasCount: 20 });
    // An alias to what it stands in makes a value without an end, which has no JSON.
    const written = Buffer.byteLength(canonicalJson(value));
    return written > MAX_DOCUMENT_BYTES ? tooLarge(written) : { ok: true, value };
  } catch (error) {
    if (error instanceof RangeError) return refused('the document is nested too deeply, or holds itself');
    if (error instanceof Error) return refused(`not JSON or YAML: ${error.message.split('\n')[0] ?? ''}`);
    throw error;
  }
}
