import { canonicalJson } from './document-hash';
import { foreignContent, foreignJson, foreignSyntax, SEVERAL_REMEDY } from './foreign-text';
import { linesText } from './decode-text';
import { plainValue } from './plain-value';
import type { Problem } from './problem';
import { parseYaml } from './yaml-text';

export type ReadDocument =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Far above any real order, far below what a history may carry. */
export const MAX_DOCUMENT_BYTES = 256 * 1024;

/** A document that cannot be read at all. */
export const unreadable = (
  problem: string,
  remedy = 'correct the JSON or YAML at that place',
): Extract<ReadDocument, { ok: false }> => ({ ok: false, problems: [{ path: '$', problem, remedy }] });

const tooLarge = (problem: string): ReadDocument =>
  unreadable(
    `${problem}; at most ${MAX_DOCUMENT_BYTES} are read`,
    'one document is one order; images are named, not put inside',
  );

const EMPTY = unreadable('the document is empty', 'write an order into it');
const TOO_DEEP = unreadable('the document is nested too deeply', 'an order has no more than a few levels');

/** Reads JSON or YAML, of which JSON is a part. Says the line where it cannot. Never throws. */
export function readDocument(text: string): ReadDocument {
  const size = Buffer.byteLength(text);
  if (size > MAX_DOCUMENT_BYTES) return tooLarge(`the document has ${size} bytes`);
  if (text.trim() === '') return EMPTY;
  try {
    return readText(text);
  } catch (error) {
    if (error instanceof RangeError) return TOO_DEEP;
    throw error;
  }
}

function readText(text: string): ReadDocument {
  const json = foreignJson(text);
  if (json !== null) return unreadable(json.problem, json.remedy);
  const { document, beginnings, lineAt } = parseYaml(text);
  if (document === null) {
    if (beginnings.length === 0) return EMPTY;
    const others = linesText(beginnings.slice(1));
    return unreadable(`holds several YAML documents: another one begins in ${others}`, SEVERAL_REMEDY);
  }
  const [error] = document.errors;
  if (error !== undefined) {
    // The parser takes the end of the stack for an error of the text.
    if (error.message.startsWith('Maximum call stack')) return TOO_DEEP;
    const foreign = foreignSyntax(text);
    if (foreign !== null) return unreadable(foreign.problem, foreign.remedy);
    return unreadable(`line ${lineAt(error.pos[0])} is neither JSON nor YAML: ${error.message}`);
  }
  const foreign = foreignContent(text, document.contents, lineAt);
  if (foreign !== null) return unreadable(foreign.problem, foreign.remedy);
  const { value, bytes, problems } = plainValue(document.contents, lineAt);
  // Before anything writes it: aliases of aliases can make a few lines larger than any memory.
  if (bytes > MAX_DOCUMENT_BYTES)
    return tooLarge('the document is larger as JSON, with its aliases written out');
  if (problems.length > 0) return { ok: false, problems };
  const written = Buffer.byteLength(canonicalJson(value));
  return written > MAX_DOCUMENT_BYTES ? tooLarge(`the document has ${written} bytes`) : { ok: true, value };
}
