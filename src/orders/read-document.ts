import { canonicalJson } from './document-hash';
import { foreignContent, foreignJson, foreignSyntax, SEVERAL_REMEDY } from './foreign-text';
import { linesText } from './decode-text';
import { plainValue } from './plain-value';
import type { Problem } from './problem';
import { parseYaml } from './yaml-text';

export type ReadDocument =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Far more than any real order needs, and far less than a history can carry. */
export const MAX_DOCUMENT_BYTES = 256 * 1024;

/** A document that cannot be read at all. */
export const unreadable = (
  problem: string,
  remedy = 'correct the JSON or YAML there',
): Extract<ReadDocument, { ok: false }> => ({ ok: false, problems: [{ path: '$', problem, remedy }] });

const tooLarge = (problem: string): ReadDocument =>
  unreadable(
    `${problem}; the limit is ${MAX_DOCUMENT_BYTES} bytes`,
    'put one order into a document, and name its images instead of embedding them',
  );

const EMPTY = unreadable('the document is empty', 'write an order into it');
const TOO_DEEP = unreadable('the document is nested too deeply', 'use no more than a few levels');

/** Reads JSON or YAML, of which JSON is a part. Names the line that it cannot read. Never throws. */
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
    return unreadable(`contains several YAML documents: another one begins on ${others}`, SEVERAL_REMEDY);
  }
  const [error] = document.errors;
  if (error !== undefined) {
    // The parser reports a stack overflow as an error of the text.
    if (error.message.startsWith('Maximum call stack')) return TOO_DEEP;
    const foreign = foreignSyntax(text);
    if (foreign !== null) return unreadable(foreign.problem, foreign.remedy);
    return unreadable(`line ${lineAt(error.pos[0])} is neither JSON nor YAML: ${error.message}`);
  }
  const foreign = foreignContent(text, document.contents, lineAt);
  if (foreign !== null) return unreadable(foreign.problem, foreign.remedy);
  const { value, bytes, problems } = plainValue(document.contents, lineAt);
  // Check before the value is written: nested aliases can expand a few lines beyond any memory.
  if (bytes > MAX_DOCUMENT_BYTES)
    return tooLarge('the document is larger as JSON, with its aliases written out');
  if (problems.length > 0) return { ok: false, problems };
  const written = Buffer.byteLength(canonicalJson(value));
  return written > MAX_DOCUMENT_BYTES ? tooLarge(`the document has ${written} bytes`) : { ok: true, value };
}
