import { expect, test } from '@jest/globals';
import { mayStillBook, reasonWithListing, type AcceptanceStatus } from '../../../src/domain/acceptance';

test.each<[boolean, AcceptanceStatus]>([
  [true, { kind: 'pending', statusCode: null, listingId: null }],
  [true, { kind: 'pending', statusCode: 202, listingId: '11' }],
  [true, { kind: 'notVisible' }],
  [true, { kind: 'inDoubt', reason: 'the acceptance ended with 500', words: null, listingId: null }],
  [true, { kind: 'inDoubt', reason: 'the acceptance ended with 201', words: null, listingId: '11' }],
  [false, { kind: 'booked', listingId: '11' }],
  [
    false,
    { kind: 'failed', statusCode: 409, reason: 'no', words: null, listingId: null, isDuplicate: false },
  ],
  [false, { kind: 'failed', statusCode: 409, reason: 'no', words: null, listingId: '11', isDuplicate: true }],
  [
    false,
    {
      kind: 'accountTrouble',
      statusCode: 402,
      reason: 'the card was declined',
      words: null,
      listingId: null,
    },
  ],
])('whether a carrier may still book is %s for %j', (may, status) => {
  expect(mayStillBook(status)).toBe(may);
});

test.each([
  ['no space', '11', 'no space, and names listing 11'],
  [
    'the acceptance ended with 409',
    '273679133',
    'the acceptance ended with 409, and names listing 273679133',
  ],
  ['no space', null, 'no space'],
])('the reason %j of an answer that names listing %j reads: %s', (reason, listingId, text) => {
  expect(reasonWithListing({ reason, listingId })).toBe(text);
});
