import { applyFixes } from './apply-fixes';
import type { OrderReading } from './parse-order';
import type { Problem } from './problem';
import { readDocument, type ReadDocument } from './read-document';

export interface FixedDocument {
  /** JSON for a JSON document, YAML for any other; the unchanged text when nothing could be corrected. */
  readonly text: string;
  readonly document: Extract<ReadDocument, { ok: true }>;
  /** Of the corrected document. */
  readonly reading: OrderReading;
  /** The corrected problems, in the order in which they were found. */
  readonly corrections: readonly Problem[];
}

/** A correction can uncover another problem, such as a misspelled key. More rounds are never needed. */
const MAX_ROUNDS = 10;

/** Renames first: a value under another name is missing only until then, and must not be added anew. */
function applyNext(text: string, found: readonly Problem[]): ReturnType<typeof applyFixes> {
  const renamed = applyFixes(
    text,
    found.filter(({ fix }) => fix !== undefined && 'renameTo' in fix),
  );
  return renamed.fixed.length > 0 ? renamed : applyFixes(text, found);
}

/**
 * Corrects what has a single possible meaning, and reads the document again until there is nothing more to correct.
 * @returns the reasons when the text cannot be read at all
 */
export function fixDocument(
  given: string,
  check: (document: unknown) => OrderReading,
): FixedDocument | Extract<ReadDocument, { ok: false }> {
  let text = given;
  const corrections: Problem[] = [];
  for (let round = 0; ; round += 1) {
    const document = readDocument(text);
    if (!document.ok) return document;
    const reading = check(document.value);
    const found = [...(reading.ok ? [] : reading.problems), ...reading.warnings];
    const { text: next, fixed } = applyNext(text, round < MAX_ROUNDS ? found : []);
    if (fixed.length === 0) return { text, document, reading, corrections };
    corrections.push(...fixed);
    text = next;
  }
}
