import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { contentDigest } from '../../../src/webhooks/digest';

const TYPE = 'Listing.Booked/v1';

/** The same content as another serialiser would write it: every object's keys the other way round. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]: [string, unknown]) => [key, turned(inner)]),
  );
}

test('the digest is a SHA-256 in hex digits', () => {
  expect(contentDigest(TYPE, { listingId: 7 })).toMatch(/^[0-9a-f]{64}$/);
});

test('the order of keys does not change the digest', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (data) => {
      expect(contentDigest(TYPE, turned(data))).toBe(contentDigest(TYPE, data));
    }),
  );
});

test('two contents have one digest only when they are equal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
      const same = contentDigest(TYPE, left) === contentDigest(TYPE, right);
      expect(same).toBe(JSON.stringify(sorted(left)) === JSON.stringify(sorted(right)));
    }),
  );
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return ['list', ...value.map(sorted)];
  if (typeof value !== 'object' || value === null) return value;
  return [
    'object',
    ...Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, inner]: [string, unknown]) => [key, sorted(inner)]),
  ];
}

test.each([
  ['a text and its number', '1', 1],
  ['a list and its items in a text', ['a', 'b'], ['a,b']],
  ['nothing and an empty object', null, {}],
  ['an empty list and an empty object', [], {}],
  ['nested and flat lists', [[1], 2], [1, [2]]],
])('%s are distinguished', (_which, left, right) => {
  expect(contentDigest(TYPE, left)).not.toBe(contentDigest(TYPE, right));
});

test('the digest includes the type', () => {
  expect(contentDigest(TYPE, {})).not.toBe(contentDigest('Listing.Booked/v2', {}));
});

test('deeply nested data has a digest too', () => {
  const depth = 100_000;
  const data: unknown = JSON.parse('['.repeat(depth) + ']'.repeat(depth));
  expect(contentDigest(TYPE, data)).toMatch(/^[0-9a-f]{64}$/);
});
