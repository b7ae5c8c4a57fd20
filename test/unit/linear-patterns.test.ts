import { expect, test } from '@jest/globals';
import { typeOf } from '../../src/documents/content-type';
import { cleanFileName } from '../../src/documents/file-name';
import { readEnvelopes } from '../../src/webhooks/cloud-events';
import { apiError } from '../../src/marketplace/api-error';
import { listingIdOf } from '../../src/marketplace/location';
import { sentBody } from '../../src/marketplace/redact';
import { terminalText } from '../../src/starter/terminal-text';

const request = { operation: 'createListing', method: 'POST', path: '/v2/listings' } as const;
const sent = sentBody(['key-1'], { contact: { name: 'Ada Byron' }, streetAddress: '12 Elm St' });

function refuse(text: string): void {
  const answer = { status: 400, header: () => null, headers: () => [] } as const;
  const body = { kind: 'whole', text, isText: true } as const;
  apiError(request, { ...answer, body }, { sent, renewable: false });
}

/** Milliseconds of the quickest of several runs: what else the machine does makes a run slower, and never quicker. */
function quickest(work: () => void): number {
  const runs = Array.from({ length: 9 }, () => {
    const before = performance.now();
    work();
    return performance.now() - before;
  });
  return Math.min(...runs);
}

const GROWTH = 8;
/** Below this nothing is measured but the clock. */
const LEAST_MS = 0.05;

/** By how much longer a text of eight times the length takes: 8 where each character is looked at once, 64 where not. */
function slowdown(read: (text: string) => void, textOf: (count: number) => string, count: number): number {
  const [short, long] = [textOf(count), textOf(count * GROWTH)];
  read(long);
  return (
    quickest(() => read(long)) /
    Math.max(
      quickest(() => read(short)),
      LEAST_MS,
    )
  );
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
] as const)('%s takes as long as it is', (_, read, textOf, count) => {
  expect(slowdown(read, textOf, count)).toBeLessThan(GROWTH * 3);
});
