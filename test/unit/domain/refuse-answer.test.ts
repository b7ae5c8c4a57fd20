import { expect, test } from '@jest/globals';
import { DEFAULT_POLICY } from '../../../src/domain/default-policy';
import type { Answer, AnswerKind, Question } from '../../../src/domain/question';
import { refuseAnswer } from '../../../src/domain/refuse-answer';
import type { Shipment } from '../../../src/domain/shipment';
import type { OpenDoubt } from '../../../src/domain/doubt';
import { enterPhase, initialState, type ShipmentState } from '../../../src/domain/shipment-state';
import { aFurnitureShipment, anLtlShipment, aRate } from '../../support/builders';

const NOW = '2035-03-01T12:00:00.000Z';
const MINUTE_MS = 60_000;
/** No reason against it. */
const TAKEN = 'taken';
const POLICY = { ...DEFAULT_POLICY, rates: { ...DEFAULT_POLICY.rates, expiryMarginMs: 30 * MINUTE_MS } };
const inMinutes = (minutes: number): string => new Date(Date.parse(NOW) + minutes * MINUTE_MS).toISOString();
const question = (answers: readonly AnswerKind[], over: Partial<Question> = {}): Question => ({
  id: 'q2-rateChoice',
  kind: 'rateChoice',
  text: 'Which one?',
  since: NOW,
  answers,
  ...{ listingIds: [], offer: null, supportAddress: null },
  ...over,
});
const asking = (answers: readonly AnswerKind[], over: Partial<Question> = {}): ShipmentState => ({
  ...initialState(anLtlShipment()),
  question: question(answers, over),
  rates: [
    aRate({ rateId: 'good', expiresAt: inMinutes(31) }),
    aRate({ rateId: 'nearlyOver', expiresAt: inMinutes(30) }),
    aRate({ rateId: 'over', expiresAt: inMinutes(0) }),
  ],
});
const refuse = (state: ShipmentState, answer: Answer, over: object = {}): string | null =>
  refuseAnswer(
    state,
    { questionId: 'q2-rateChoice', by: 'Pat', reason: 'seen', checked: null, answer, ...over },
    { now: NOW, policy: POLICY },
  );
const revise = (shipment: Shipment): Answer => ({
  kind: 'revise',
  shipment,
  policy: DEFAULT_POLICY,
  documentHash: 'revised',
});
const retry: Answer = { kind: 'retry' };

test.each<[string, string, Answer]>([
  ['at hand', TAKEN, { kind: 'selectRate', rateId: 'good' }],
  ['that is over', 'rate over expired at', { kind: 'selectRate', rateId: 'over' }],
  ['that is nearly over', 'expires too soon to be taken', { kind: 'selectRate', rateId: 'nearlyOver' }],
  ['of an earlier request', 'is not among those at hand', { kind: 'selectRate', rateId: 'earlier' }],
])('the selection of a rate %s ends as: %s', (_, why, answer) => {
  expect(refuse(asking(['selectRate']), answer) ?? TAKEN).toContain(why);
});

test.each([
  [4_850, TAKEN],
  [1, TAKEN],
  [0, 'must be an amount above 0'],
  [-4_850, 'must be an amount above 0'],
  [48.5, 'must be an amount above 0'],
])('a stated premium of %d hundredths ends as: %s', (premiumMinorUnits, why) => {
  expect(refuse(asking(['premium']), { kind: 'premium', premiumMinorUnits }) ?? TAKEN).toContain(why);
});

test.each<[string, string, Shipment]>([
  ['of the order', TAKEN, anLtlShipment({ title: 'Three pallets' })],
  ['of another order', 'the document is of acme/other', anLtlShipment({ orderId: 'other' })],
  ['of another account', 'the document is of other/PO-7', anLtlShipment({ account: 'other' })],
  ['of the other kind', 'this is a ltl order', aFurnitureShipment({ orderId: 'PO-7' })],
])('a revision by a document %s ends as: %s', (_, why, shipment) => {
  expect(refuse(asking(['revise']), revise(shipment)) ?? TAKEN).toContain(why);
});

test.each<[Answer['kind'], number, boolean]>([
  ['resend', 1, true],
  ['abandon', 1, true],
  ['resend', 0, false],
  ['abandon', 0, false],
])('%s, possible in %i minutes, is refused: %p', (kind, minutes, isRefused) => {
  const doubt: OpenDoubt = {
    ...{ what: 'accepting the rate', reason: 'no answer', attempt: null, sendId: null, isRefusal: false },
    ...{ resendFrom: inMinutes(minutes), onlyLive: true, acceptance: null, askAt: NOW },
  };
  const request = { rateRequestId: 'r', attempt: 1, requestedAt: NOW };
  const rate = aRate({ rateId: 'good' });
  const state = enterPhase(asking(['adopt', 'resend', 'abandon']), {
    phase: 'accepting',
    ...{ request, rate, pending: null, doubt, isResent: false },
  });
  const answer: Answer = kind === 'resend' ? { kind } : { kind: 'abandon' };
  expect(refuse(state, answer) !== null).toBe(isRefused);
});

test('a doubt about a write without a window can be answered at once', () => {
  expect(refuse(asking(['resend']), { kind: 'resend' })).toBeNull();
});

test.each<[string, string, object]>([
  ['nobody', '`by` must not be empty', { by: ' ' }],
  ['no reason', '`reason` must not be empty', { reason: '\t' }],
  [
    'the id of another question',
    'the open question is q2-rateChoice, not q1-noRates',
    { questionId: 'q1-noRates' },
  ],
  [
    'an answer that is not asked for',
    'cannot be answered with approve; possible: retry',
    { answer: { kind: 'approve' } },
  ],
])('an answer with %s is refused', (_, why, over) => {
  expect(refuse(asking(['retry']), retry, over)).toContain(why);
});

test('an answer to a question that is closed is refused', () => {
  expect(refuse(initialState(anLtlShipment()), retry)).toContain('no question is open');
});
