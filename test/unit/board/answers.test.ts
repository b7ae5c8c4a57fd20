import { expect, test } from '@jest/globals';
import { answerButtons, answerRequest, minorUnitsOf, signed } from '../../../board/answers';
import type { AnswerKind, Question, QuestionKind } from '../../../src/domain/question';
import { answerBody, statementBody } from '../../../src/starter/api/request-schemas';

const aQuestion = (kind: QuestionKind, answers: readonly AnswerKind[]): Question => ({
  ...{ id: 'q1', kind, text: 'What next?', answers, since: '2035-03-06T00:00:00Z' },
  ...{ listingIds: [], offer: null, supportAddress: null },
});
const FILLED = {
  ...{ reason: 'seen', person: 'Kim', checked: '', premium: '48.5', rateId: 'r1', listingId: '7' },
};
const ALL = [
  ...(['approve', 'premium', 'selectRate', 'adopt', 'resend', 'abandon', 'retry', 'postpone'] as const),
  ...(['rebook', 'close', 'cancel'] as const),
];

test.each(ALL)('the answer %s says what it will do, and its request is one that the API takes', (kind) => {
  const [button] = answerButtons(aQuestion('inDoubt', [kind]));
  if (button === undefined) throw new Error('no button');
  expect(button.effect.length).toBeGreaterThan(20);
  const { place, body } = answerRequest(button, 'q1', FILLED);
  expect(place).toBe(kind === 'cancel' ? 'cancel' : 'answer');
  const schema = kind === 'cancel' ? statementBody : answerBody;
  expect(schema.parse(body)).toMatchObject({ reason: 'seen (Kim)' });
  expect(body.kind ?? 'cancel').toBe(kind);
});

test('a revision needs a document, so it is no button', () => {
  expect(answerButtons(aQuestion('noRates', ['revise', 'retry'])).map(({ kind }) => kind)).toEqual(['retry']);
});

test.each([
  ['priceApproval', 'Approve USD 1,204.50', 'books at USD 1,204.50'],
  ['priceChanged', 'Approve USD 1,204.50', 'Nothing is booked'],
] as const)('the approval of %s names the price', (kind, label, effect) => {
  const offer = { price: { minorUnits: 120_450, currency: 'USD' }, rateId: null };
  const [button] = answerButtons({ ...aQuestion(kind, ['approve']), offer });
  expect(button?.label).toBe(label);
  expect(button?.effect).toContain(effect);
});

test('what was checked is sent only when it was filled in', () => {
  const [button] = answerButtons(aQuestion('listingMissing', ['close']));
  if (button === undefined) throw new Error('no button');
  expect(answerRequest(button, 'q1', FILLED).body).not.toHaveProperty('checked');
  expect(answerRequest(button, 'q1', { ...FILLED, checked: ' gone ' }).body).toMatchObject({
    checked: 'gone',
  });
});

test.each([
  ['48.50', 4_850],
  ['48.5', 4_850],
  [' 7 ', 700],
  ['0.07', 7],
  ['48.505', null],
  ['-1', null],
  ['1e3', null],
  ['', null],
])('the amount %j has %j hundredths', (text, minorUnits) => {
  expect(minorUnitsOf(text)).toBe(minorUnits);
});

test('a reason without a person stays as it is', () => {
  expect(signed({ reason: ' seen ', person: ' ' })).toBe('seen');
});
