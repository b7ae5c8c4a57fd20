import { expect, test } from '@jest/globals';
import { changedText, doneText, effectOf } from '../../../board/revisions';

const change = { kind: 'change', questionId: null, isPriced: false, fields: ['title'] } as const;

test.each([
  [
    { kind: 'answer', questionId: 'q1-noRates', fields: ['pickup'] } as const,
    /^This answers question q1-noRates .*may book/,
  ],
  [{ ...change, plan: 'change' } as const, /changes the open listing where it is/],
  [{ ...change, plan: 'change', isPriced: true } as const, /^Consign asks for a new price/],
  [{ ...change, plan: 'relist' } as const, /takes the open listing down/],
  [{ ...change, plan: 'recordOnly' } as const, /Its listing stays as it is/],
])('%j is said in words', (preview, words) => {
  expect(effectOf(preview)).toMatch(words);
});

test.each([
  [[], 'The document says what the order already is.'],
  [['pickup'], 'What changes: pickup.'],
  [['pickup', 'policy'], 'What changes: pickup, policy.'],
])('the changed parts %j are named', (fields, words) => {
  expect(changedText({ fields })).toBe(words);
});

test('a change of the listing ends with its report', () => {
  const report = { status: 'refused', what: 'not changed: it is booked' } as const;
  expect(doneText({ kind: 'change', report })).toBe('not changed: it is booked');
  expect(doneText({ kind: 'answer' })).toMatch(/answered/);
});
