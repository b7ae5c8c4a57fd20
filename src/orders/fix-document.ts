import { applyFixes } from './apply-fixes';
import type { OrderReading } from './parse-order';
import type { Problem } from './problem';
import { readDocument, type ReadDocument } from './read-document';

export interface FixedDocument {
  /** JSON where JSON was given, else YAML; the text as it was when nothing could be corrected. */
  readonly text: string;
  readonly document: Extract<ReadDocument, { ok: true }>;
  /** Of the corrected document. */
  readonly reading: OrderReading;
  /** What was wrong and is corrected, in the order in which it was found. */
  readonly corrections: readonly Problem[];
}

/** A correction can uncover another problem, such as a misspelled key; nothing here goes deeper. */
const MAX_ROUNDS = 10;

/** Names first: what stands under another name is missing only until it is renamed, and must not be made up. */
function applyNext(text: string, found: readonly Problem[]): ReturnType<typeof applyFixes> {
  const renamed = applyFixes(
    text,
    found.filter(({ fix }) => fix !== undefined && 'renameTo' in fix),
  );
  return renamed.fixed.length > 0 ? renamed : applyFixes(text, found);
}

/**
 * Corrects what is certain, and reads the document again until nothing more is.
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
