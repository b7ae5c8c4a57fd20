import { expect, test } from '@jest/globals';
import { typeOf } from '../../src/platform/download/content-type';
import { cleanFileName } from '../../src/platform/download/file-name';
import { readEnvelopes } from '../../src/webhooks/cloud-events';
import { apiError } from '../../src/marketplace/api-error';
import { listingIdOf } from '../../src/marketplace/location';
import { sentBody } from '../../src/marketplace/redact';
import { terminalText } from '../../src/starter/cli/terminal-text';

const request = { operation: 'createListing', method: 'POST', path: '/v2/listings' } as const;
const sent = sentBody(['key-1'], { contact: { name: 'Ada Byron' }, streetAddress: '12 Elm St' });

function refuse(text: string): void {
  const answer = { status: 400, header: () => null, headers: () => [] } as const;
  const body = { kind: 'whole', text, isText: true } as const;
  apiError(request, { ...answer, body }, { sent, renewable: false });
}

const GROWTH = 8;
/** 8 where each character is looked at once, 64 where not. */
const LIMIT = GROWTH * 3;
/** Below this nothing is measured but the clock. */
const LEAST_MS = 0.05;
const [FEWEST_ROUNDS, MOST_ROUNDS] = [9, 300];

function milliseconds(work: () => void): number {
  const before = performance.now();
  work();
  return performance.now() - before;
}

/**
 * By how much longer a text of eight times the length takes, by the quickest run of each. What else the machine does
 * makes a run slower, and never quicker: so a slow result is measured on, until it is quick or stays what it is.
 */
function slowdown(read: (text: string) => void, textOf: (count: number) => string, count: number): number {
  const [short, long] = [textOf(count), textOf(count * GROWTH)];
  let [quickestShort, quickestLong] = [Infinity, Infinity];
  const ratio = () => quickestLong / Math.max(quickestShort, LEAST_MS);
  for (let round = 0; round < FEWEST_ROUNDS || (round < MOST_ROUNDS && ratio() >= LIMIT); round++) {
    quickestLong = Math.min(
      quickestLong,
      milliseconds(() => read(long)),
    );
    quickestShort = Math.min(
      quickestShort,
      milliseconds(() => read(short)),
    );
  }
  return ratio();
}

const repeated =
  (part: string, end = ''): ((count: number) => string) =>
  (count) =>
    part.repeat(count) + end;
const inJson = (textOf: (count: number) => string) => (count: number) =>
  JSON.stringify({ reason: textOf(count), errors: [{ field: textOf(count), reason: textOf(count) }] });
const TEXTS = [
  '<a ',
  '<title',
  '<title>',
  '<script>',
  '<!--',
  '<',
  '>',
  ' ',
  '\n<',
  'a@',
  'Bearer ',
  'eyJ',
  '1 ',
  '(5',
  '"',
  'a.',
  "a'",
];

test.each([
  ...TEXTS.flatMap(
    (part) =>
      [
        [`a page of ${part}`, refuse, repeated(part), 512],
        [`a refusal in JSON of ${part}`, refuse, inJson(repeated(part)), 512],
        [`a page of ${part} that is long`, refuse, repeated(part), 12_500],
        [`output of ${part}`, terminalText, repeated(part), 4_000],
      ] as const,
  ),
  ['an address of question marks', listingIdOf, repeated('?', '\nlistings/1'), 4_000],
  ['an address of hashes', listingIdOf, (count: number) => `listings/1${'#'.repeat(count)}\n1`, 4_000],
  ['an address of slashes', listingIdOf, repeated('/'), 4_000],
  ['a file name of dots', cleanFileName, repeated('. ', 'x'), 4_000],
  ['a file name of spaces', cleanFileName, repeated(' ', '\u0000x'), 4_000],
  ['a file name of stars', cleanFileName, repeated('*'), 4_000],
  ['a file of comments', (text: string) => typeOf(Buffer.from(text)), repeated('<!---->', 'x'), 3],
  ['a file of open comments', (text: string) => typeOf(Buffer.from(text)), repeated('<!--'), 20],
  ['a file of breaks', (text: string) => typeOf(Buffer.from(text)), repeated(' '), 100],
  ['an event of braces', (text: string) => readEnvelopes({}, Buffer.from(text)), repeated('{"a":'), 500],
] as const)('%s takes time in proportion to its length', (_, read, textOf, count) => {
  expect(slowdown(read, textOf, count)).toBeLessThan(LIMIT);
});
