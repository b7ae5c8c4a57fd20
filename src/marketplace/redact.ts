import type { ErrorReading } from './error-body';
import { isIdentifier, isVocabulary } from './vocabulary';

/** Request fields that contain information about people or places. */
const PRIVATE_FIELDS = new Set([
  'contact',
  'streetAddress',
  'alternateStreetAddress',
  'confidentialDescription',
  'majorMunicipality',
  'postalCode',
]);

/** All texts of a request body that belong to people: contacts, addresses, notes for the driver. */
function privateTexts(value: unknown, isPrivate = false): string[] {
  if (typeof value === 'string') return isPrivate ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    privateTexts(inner, isPrivate || PRIVATE_FIELDS.has(key)),
  );
}

/** Contents of a request that its answer may repeat. */
export interface Sent {
  readonly secrets: readonly string[];
  readonly privateTexts: readonly string[];
}

/** For a request without a body, or with a binary one. */
export const sentSecrets = (secrets: readonly string[]): Sent => ({
  ...{ secrets, privateTexts: [] },
});

export const sentBody = (secrets: readonly string[], body: unknown): Sent => ({
  ...{ secrets, privateTexts: privateTexts(body) },
});

/** The part of an answer that may be shown. */
export interface RedactedError {
  /** Known codes, and codes that consist of known words. */
  readonly codes: readonly string[];
  /** Paths of fields that consist of known words. */
  readonly fields: readonly string[];
  /** The problems: codes with their fields. */
  readonly problems: readonly string[];
  /** The marketplace's words, as far as they may be shown. They go only into a shipment's state. */
  readonly words: string | null;
}

const MAX_LENGTH = 300;
/** Later words are ignored: fewer already fill the length. */
const MOST_WORDS = 200;
const HOLE = '…';
/** Shorter values occur inside many words. */
const SHORTEST = 3;

const tokensOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const bareOf = (text: string): string => tokensOf(text).join('');

/** The contents of a request, without regard to case, spaces and punctuation. */
class RequestValues {
  readonly #tokens: ReadonlySet<string>;
  readonly #values: readonly string[];

  constructor({ secrets, privateTexts: texts }: Sent) {
    const known = [...secrets, ...texts];
    // Words of the list reveal no secret, but they may name a person.
    const ofSecrets = secrets.flatMap(tokensOf).filter((token) => !isVocabulary(token));
    this.#tokens = new Set([...ofSecrets, ...texts.flatMap(tokensOf)]);
    this.#values = known.map(bareOf).filter((text) => text !== '');
  }

  has(word: string): boolean {
    return this.#tokens.has(word.toLowerCase());
  }

  /** Whether a text contains one of the values. */
  isIn(text: string): boolean {
    const bare = bareOf(text);
    return this.#values.some((value) => value.length > SHORTEST && bare.includes(value));
  }

  /** Whether a text is a part of one of the values. */
  hasPart(text: string): boolean {
    const bare = bareOf(text);
    return this.#values.some((value) => value.includes(bare));
  }
}

/** A long number, or several in a row, may be a phone number or an address. */
const SHORT_NUMBER = /^\d{1,3}$/;

/**
 * A word between punctuation marks, such as `"date".`. The marks are outside the quantifier, so the pattern does not
 * backtrack.
 */
const BETWEEN_MARKS = /^([("'[]?)([^]*?)([)"'\].,;:!?]{0,3})$/;

type Shape = { readonly kind: 'word' | 'number' | 'hole'; readonly text: string };

/**
 * The marketplace's words, with a hole for everything that may be personal. Only words of the closed list are shown.
 * So the result does not depend on how a name, number or key is written, or whose it is.
 */
function wordsOf(text: string, held: RequestValues): string | null {
  const isShown = (part: string): boolean => !held.has(part) && isVocabulary(part);
  const shapes = text
    .split(/\s+/)
    .filter((chunk) => chunk !== '')
    .slice(0, MOST_WORDS)
    .map((chunk): Shape => {
      if (chunk.length > 100 || held.isIn(chunk)) return { kind: 'hole', text: HOLE };
      const [, , core = ''] = BETWEEN_MARKS.exec(chunk) ?? [];
      if (SHORT_NUMBER.test(core) && !held.has(core)) return { kind: 'number', text: chunk };
      if (isShown(core) || core.split(/['’/-]/).every(isShown)) return { kind: 'word', text: chunk };
      return isIdentifier(core) && !held.has(core)
        ? { kind: 'word', text: chunk }
        : { kind: 'hole', text: HOLE };
    });
  const isWord = (index: number): boolean => shapes[index] === undefined || shapes[index].kind === 'word';
  const shown = shapes
    .map(({ kind, text: word }, index) =>
      kind === 'number' && !(isWord(index - 1) && isWord(index + 1)) ? HOLE : word,
    )
    .filter((word, index, all) => word !== HOLE || all[index - 1] !== HOLE);
  return shown.every((word) => word === HOLE) ? null : shown.join(' ');
}

/** A request id is shown only if it cannot be a name or phone: hexadecimal, with letters and digits. */
const REQUEST_ID = /^(?=[^a-f]*[a-f])(?=\D*\d)[0-9a-f-]{8,64}$/i;

/** Null when the text could be anything other than an id. */
export function redactRequestId(id: string | null, sent: Sent): string | null {
  const held = new RequestValues(sent);
  return id !== null && REQUEST_ID.test(id) && !held.isIn(id) && !held.hasPart(id) ? id : null;
}

/** The service's codes run from 40000 to 50000. A postal code can look the same, so the status must agree. */
const isNumericCode = (code: string, status: number): boolean =>
  /^400[0-2]\d$/.test(code) || (/^[45]\d{4}$/.test(code) && code.startsWith(String(status)));

/**
 * The part of an answer that may be shown. Redacted before it is cut, or half a secret could remain. Codes and fields
 * are shown if they consist of known words and are not values of the request.
 */
export function redactError(reading: ErrorReading, status: number, sent: Sent): RedactedError {
  const held = new RequestValues(sent);
  const isCode = (code: string): boolean =>
    (isNumericCode(code, status) || isIdentifier(code)) && !held.has(code) && !held.isIn(code);
  const isField = (field: string): boolean => isIdentifier(field) && !held.has(field) && !held.isIn(field);
  const problems = reading.fields.map(({ field, code }) => ({
    field: field !== null && isField(field) ? field : null,
    code: code !== null && isCode(code) ? code : null,
  }));
  const codes = [...new Set(reading.codes.filter(isCode))];
  const named = problems.map(({ code, field }) => [code, field].filter((part) => part !== null).join(' '));
  const alone = codes.filter((code) => !problems.some((problem) => problem.code === code));
  const texts = [reading.reason, ...reading.fields.map(({ reason }) => reason)];
  const words = texts.map((text) => (text === null ? null : wordsOf(text, held)));
  return {
    codes,
    fields: [...new Set(problems.map(({ field }) => field).filter((field) => field !== null))],
    problems: [...new Set([...alone, ...named])].filter((problem) => problem !== ''),
    words: cut([...new Set(words.filter((text) => text !== null))].join('; ')),
  };
}

function cut(words: string): string | null {
  if (words === '') return null;
  return words.length > MAX_LENGTH ? `${words.slice(0, MAX_LENGTH)}${HOLE}` : words;
}
