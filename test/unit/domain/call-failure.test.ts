import { expect, test } from '@jest/globals';
import { callFailureOf, refusalIn, refusalOf } from '../../../src/domain/call-failure';

const REFUSAL = { operation: 'createListing', status: 400, codes: ['40001'], fields: ['title'] };
const CALL = { ...REFUSAL, listingId: null, retryAfterMs: null, words: 'Pat Doe is not known' };

test('the details of a failed call are read, and the part to show contains no words', () => {
  expect(callFailureOf([CALL])).toEqual(CALL);
  expect(refusalOf(CALL)).toEqual(REFUSAL);
  expect(refusalIn([refusalOf(CALL)])).toEqual(REFUSAL);
});

test.each([
  ['no details', undefined],
  ['an empty list', []],
  ['null', [null]],
  ['a text', ['POST /v2/listings answered 400: 40001 title']],
  ['details of something else', [{ sending: true }]],
])('%s contains no failed call', (_, details) => {
  expect(callFailureOf(details)).toBeNull();
  expect(refusalIn(details)).toBeNull();
});

test('a refusal alone is not the failure of a call', () => {
  expect(callFailureOf([REFUSAL])).toBeNull();
});
