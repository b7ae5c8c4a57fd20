import type { FieldProblem } from './api-error';

/** Parts of an order that say who and where people are. */
const PERSONAL: ReadonlySet<string> = new Set(['contact', 'address', 'origin', 'destination', 'driverNotes']);
/** Fields in these parts whose values come from a list, and say nothing about a person. */
const LISTED: ReadonlySet<string> = new Set(['addressType', 'timeZone', 'location', 'country', 'state']);

/** The words of the personal parts of a document. It does not recurse, because a document may be nested very deeply. */
function personalWords(document: unknown): ReadonlySet<string> {
  const words = new Set<string>();
  const parts: { readonly value: unknown; readonly isPersonal: boolean }[] = [
    { value: document, isPersonal: false },
  ];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const { value, isPersonal } = part;
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value))
        if (!LISTED.has(key)) parts.push({ value: inner, isPersonal: isPersonal || PERSONAL.has(key) });
    } else if (isPersonal && (typeof value === 'string' || typeof value === 'number')) {
      for (const word of wordsOf(String(value))) words.add(word);
      words.add(String(value).replaceAll(/\D/g, ''));
    }
  }
  return words;
}

const WORD = /[\p{L}\p{N}]+/gu;
/** Shorter ones identify nobody, and are parts of every sentence. */
const SHORTEST = 3;

/** Words of sentences, which may be part of the name of a street as well. */
const COMMON: ReadonlySet<string> = new Set(['the', 'and', 'not', 'for', 'use', 'one', 'with', 'from']);

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(WORD) ?? []).filter((word) => word.length >= SHORTEST && !COMMON.has(word));

/**
 * The problems of a document without the words of its contacts and addresses: answers with a problem are logged by
 * programs on their way. The paths say what is meant.
 */
export function withoutPeople<P extends Pick<FieldProblem, 'problem' | 'remedy'>>(
  document: unknown,
  problems: readonly P[],
): readonly P[] {
  const words = personalWords(document);
  const cleaned = (text: string): string =>
    text
      .replaceAll(WORD, (word) => (word.length >= SHORTEST && words.has(word.toLowerCase()) ? '…' : word))
      .replaceAll(/…(?:[^\p{L}\p{N}]{0,2}…)+/gu, '…');
  return problems.map((one) => ({ ...one, problem: cleaned(one.problem), remedy: cleaned(one.remedy) }));
}
