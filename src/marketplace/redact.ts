import type { ErrorReading } from './error-body';
import { isIdentifier, isVocabulary } from './vocabulary';

/** Fields of a request that say something about a person or a place. */
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

/** What a request held that its answer may repeat. */
export interface Sent {
  readonly secrets: readonly string[];
  readonly privateTexts: readonly string[];
}

/** Of a request without a body, or with one that is no data. */
export const sentSecrets = (secrets: readonly string[]): Sent => ({
  ...{ secrets, privateTexts: [] },
});

export const sentBody = (secrets: readonly string[], body: unknown): Sent => ({
  ...{ secrets, privateTexts: privateTexts(body) },
});

/** What may be shown of an answer. */
export interface ShownReading {
  /** Known codes, and those that are made of known words. */
  readonly codes: readonly string[];
  /** Paths of fields that are made of known words. */
  readonly fields: readonly string[];
  /** What is wrong: codes with the fields that they are about. */
  readonly problems: readonly string[];
  /** The marketplace's words, as far as they can be shown. They go into a shipment's state, and nowhere else. */
  readonly words: string | null;
}

const MAX_LENGTH = 300;
/** More are not looked at: fewer fill the length. */
const MOST_WORDS = 200;
const HOLE = '…';
/** Shorter values stand in many words. */
const SHORTEST = 3;

const tokensOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const bareOf = (text: string): string => tokensOf(text).join('');

/** What a request held, without regard to case, spaces and marks. */
class Held {
  readonly #tokens: ReadonlySet<string>;
  readonly #values: readonly string[];

  constructor({ secrets, privateTexts: texts }: Sent) {
    const known = [...secrets, ...texts];
    // The words of the list give no secret away, but they may name a person.
    const ofSecrets = secrets.flatMap(tokensOf).filter((token) => !isVocabulary(token));
    this.#tokens = new Set([...ofSecrets, ...texts.flatMap(tokensOf)]);
    this.#values = known.map(bareOf).filter((text) => text !== '');
  }

  has(word: string): boolean {
    return this.#tokens.has(word.toLowerCase());
  }

  /** Whether a text holds a value. */
  isIn(text: string): boolean {
    const bare = bareOf(text);
    return this.#values.some((value) => value.length > SHORTEST && bare.includes(value));
  }

  /** Whether a text is a part of a value. */
  hasPart(text: string): boolean {
    const bare = bareOf(text);
    return this.#values.some((value) => value.includes(bare));
  }
}

/** A number says whom to call or where somebody lives when it is long, or stands beside another one. */
const SHORT_NUMBER = /^\d{1,3}$/;

/** A word between its marks, such as `"date".`; the marks are no part of a quantifier that could repeat. */
const BETWEEN_MARKS = /^([("'[]?)([^]*?)([)"'\].,;:!?]{0,3})$/;

type Shape = { readonly kind: 'word' | 'number' | 'hole'; readonly text: string };

/**
 * The marketplace's words, with a hole for everything that may be somebody's: only words of the closed list are shown. So
 * nothing depends on how a name, a number or a key is written, or on whose it is.
 */
function wordsOf(text: string, held: Held): string | null {
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

/** Of a request id only what is none of the alphabet of names and phones: hexadecimal, with letters and digits. */
const REQUEST_ID = /^(?=[^a-f]*[a-f])(?=\D*\d)[0-9a-f-]{8,64}$/i;

/** Null where it could be anything else than an id. */
export function shownRequestId(id: string | null, sent: Sent): string | null {
  const held = new Held(sent);
  return id !== null && REQUEST_ID.test(id) && !held.isIn(id) && !held.hasPart(id) ? id : null;
}

/** The service's codes run from 40000 to 50000. A postal code can look so too: the status must agree. */
const isNumericCode = (code: string, status: number): boolean =>
  /^400[0-2]\d$/.test(code) || (/^[45]\d{4}$/.test(code) && code.startsWith(String(status)));

/**
 * What may be shown of an answer: redacted before anything is cut, so that no half of a secret is left over. Codes and
 * fields are shown where they are made of known words and are no value of the request.
 */
export function shownReading(reading: ErrorReading, status: number, sent: Sent): ShownReading {
  const held = new Held(sent);
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
