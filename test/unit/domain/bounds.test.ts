import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  attributeOf,
  cutText,
  jsonBytes,
  keepNewest,
  leftOutLines,
  TEXT_BYTES,
} from '../../../src/domain/bounds';
import { fuzzing } from '../../support/fuzzing';

const bytesOfJson = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;
const anyText = fc.string({ unit: 'binary', maxLength: 60 });

test.each([
  ['a transit status of 2,049 bytes', 'x'.repeat(2_049)],
  ['a status of 700 characters of three bytes', '運'.repeat(700)],
  ['a status of pairs, which must not be halved', '🚚'.repeat(600)],
  ['a status of quotes, which JSON doubles', '"'.repeat(1_100)],
  ['a status of halves of a pair, which JSON escapes', '\ud83d'.repeat(400)],
])('%s fits a search attribute, and ends with an ellipsis', (_which, status) => {
  const value = attributeOf(status);
  expect(bytesOfJson(value)).toBeLessThanOrEqual(TEXT_BYTES.searchAttribute);
  expect(value.endsWith('…')).toBe(true);
});

test('a search attribute holds no control characters', () => {
  expect(attributeOf('Picked\u0000Up\n')).toBe('Picked Up ');
});

test('a text is measured as JSON, and cut between its characters or not at all', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 3, max: 400 }), (text, limit) => {
      expect(jsonBytes(text)).toBe(bytesOfJson(text));
      const short = cutText(text, limit);
      expect(bytesOfJson(short)).toBeLessThanOrEqual(limit);
      const isWhole = bytesOfJson(text) <= limit;
      expect(isWhole ? short === text : text.startsWith(short.slice(0, -1))).toBe(true);
      expect(cutText(short, limit)).toBe(short);
    }),
    fuzzing(300),
  );
});

test('the newest entries of a list stay, by number and by size', () => {
  const size = (text: string): number => text.length;
  expect(keepNewest(['a', 'b', 'c'], { count: 2, bytes: 100 }, size)).toEqual({
    kept: ['b', 'c'],
    leftOut: 1,
  });
  expect(keepNewest(['aaaa', 'bbb', 'c'], { count: 9, bytes: 6 }, size)).toEqual({
    kept: ['bbb', 'c'],
    leftOut: 1,
  });
  expect(keepNewest(['a'], { count: 9, bytes: 0 }, size)).toEqual({ kept: [], leftOut: 1 });
});

test('what was left out is one line for each list', () => {
  const leftOut = { timeline: 9, notices: 1, rates: 0, attachments: 4_380, listings: 2 };
  expect(leftOutLines(leftOut)).toEqual([
    'and 4,380 more attachments were not fetched',
    'and 2 more listings that events named were not read',
    'and 1 older notice',
  ]);
});
