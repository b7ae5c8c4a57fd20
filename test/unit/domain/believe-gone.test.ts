import { answerLines } from '../../../src/domain/command-lines';
import { expect, test } from '@jest/globals';
import { believeGone, checkableAnswers } from '../../../src/domain/believe-gone';
import type { Answer, Question, QuestionKind } from '../../../src/domain/question';
import { initialState } from '../../../src/domain/shipment-state';
import { aCandidate, aFurnitureShipment } from '../../support/builders';

const TEXT =
  'DuplicateListing listing 11 also 22 carries the reference acme/SO-1. GET /v2/listings/33: HTTP 404.';
const NAMED = ['11', '22', '33'];

function believed(
  kind: QuestionKind,
  answer: Answer,
  { checked = 'both are deleted', ...over }: { checked?: string | null } & Partial<Question> = {},
): readonly string[] {
  const question: Question = {
    ...{ id: 'q1', kind, text: TEXT, since: '2027-03-01T00:00:00.000Z', answers: [answer.kind] },
    ...{ listingIds: NAMED, offer: null, supportAddress: null },
    ...over,
  };
  const perhaps = ['11', '22', '33', '1', '222', '44'].map((id) => aCandidate(id, { gone: 'perhaps' }));
  const candidates = [...perhaps, aCandidate('9', { gone: 'believed' })];
  const before = { ...initialState(aFurnitureShipment()), question, candidates };
  const given = { questionId: 'q1', by: 'Pat', reason: 'seen', checked, answer };
  const after = believeGone(before, given);
  expect(after.candidates).toHaveLength(7);
  return after.candidates.flatMap(({ listingId, gone }) =>
    gone === 'believed' && listingId !== '9' ? [listingId] : [],
  );
}

test.each<[QuestionKind, Answer]>([
  ['possibleDoubleBooking', { kind: 'retry' }],
  ['unexpectedFailure', { kind: 'retry' }],
  ['listingMissing', { kind: 'rebook' }],
  ['listingEnded', { kind: 'close' }],
  ['inDoubt', { kind: 'resend' }],
  ['inDoubt', { kind: 'abandon' }],
])('a check for %s with %j is believed for the listings that the question names', (kind, answer) => {
  expect(believed(kind, answer)).toEqual(['11', '22', '33']);
});

test('the adopted listing is not gone', () => {
  expect(believed('possibleDoubleBooking', { kind: 'adopt', listingId: '22' })).toEqual(['11', '33']);
});

test.each<[QuestionKind, Answer]>([
  ['priceApproval', { kind: 'approve' }],
  ['rateChoice', { kind: 'selectRate', rateId: 'good' }],
  ['pickupPassed', { kind: 'postpone' }],
  ['inDoubt', { kind: 'adopt', listingId: '55' }],
  ['listingMissing', { kind: 'adopt', listingId: '55' }],
  ['listingMissing', { kind: 'retry' }],
  ['unansweredAcceptance', { kind: 'retry' }],
])('a check for %s with %j says nothing about an unreadable listing', (kind, answer) => {
  expect(believed(kind, answer)).toEqual([]);
});

test.each([
  ['nothing was checked', { checked: null }],
  ['the question is about none, whatever its text says', { listingIds: [] }],
  ['it is about others that begin or end like them', { listingIds: ['112', 'x11', '11-a', 'a_22', '2233'] }],
])('no listing counts as gone where %s', (_, over) => {
  expect(believed('unexpectedFailure', { kind: 'retry' }, over)).toEqual([]);
});

test('a question about an acceptance without an answer shows how to state that no truck comes', () => {
  const question: Question = {
    ...{ id: 'q1', kind: 'unansweredAcceptance', text: TEXT, since: '2027-03-01T00:00:00.000Z' },
    ...{ answers: ['retry'], listingIds: [], offer: null, supportAddress: null },
  };
  expect(checkableAnswers({ ...initialState(aFurnitureShipment()), question })).toEqual(['retry']);
});

test('a question about a listing that is perhaps gone shows how to state a check', () => {
  const state = initialState(aFurnitureShipment());
  const question: Question = {
    ...{ id: 'q1', kind: 'unexpectedFailure', text: TEXT, since: '2027-03-01T00:00:00.000Z' },
    ...{ answers: ['retry', 'cancel'], listingIds: ['11'], offer: null, supportAddress: null },
  };
  const of = (id: string, gone: 'perhaps' | 'believed') =>
    checkableAnswers({ ...state, question, candidates: [aCandidate(id, { gone })] });
  expect(of('11', 'perhaps')).toEqual(['retry']);
  expect([of('11', 'believed'), of('22', 'perhaps')]).toEqual([[], []]);
  expect(answerLines(state, question, ['retry']).at(-1)).toBe(
    'consign answer acme/SO-1 retry --checked "what you checked" --by NAME --reason TEXT',
  );
});
