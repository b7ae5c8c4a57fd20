import { expect, test } from '@jest/globals';
import type { OpenDoubt } from '../../../src/domain/doubt';
import type { Question } from '../../../src/domain/question';
import { refuseWithdrawal } from '../../../src/domain/refuse-withdrawal';
import { enterPhase, initialState, type ShipmentState } from '../../../src/domain/shipment-state';
import { aListing, anLtlShipment, aRate } from '../../support/builders';

const NOW = '2035-03-01T12:00:00.000Z';
const PAT = { by: 'Pat', reason: 'the customer left' };
const fresh = initialState(anLtlShipment());
const doubt: OpenDoubt = {
  ...{ what: 'accepting the rate', reason: 'no answer', attempt: null, sendId: null },
  ...{ resendFrom: null, onlyLive: true, acceptance: null, askAt: NOW, isRefusal: false },
};
const request = { rateRequestId: 'r', attempt: 1, requestedAt: NOW };
const rate = aRate({ rateId: 'r1' });
const accepting = enterPhase(fresh, {
  phase: 'accepting',
  request,
  rate,
  pending: null,
  doubt: null,
  isResent: false,
});
const doubted = enterPhase(fresh, {
  phase: 'accepting',
  request,
  rate,
  pending: null,
  doubt,
  isResent: false,
});
const asking = (answers: Question['answers']): Question => ({
  ...{ id: 'q1-inDoubt', kind: 'inDoubt', text: 'What became of it?', since: NOW, answers },
  ...{ listingIds: [], offer: null, supportAddress: null },
});
const pause = { reason: 'the key is refused', status: 401, since: NOW };

test.each<[string, ShipmentState]>([
  ['that waits for nothing yet', fresh],
  ['whose question allows it', { ...fresh, question: asking(['retry', 'cancel']) }],
  ['whose acceptance waits for its account', { ...accepting, pause }],
])('an order %s can be withdrawn', (_, state) => {
  expect(refuseWithdrawal(state, PAT, null)).toBeNull();
});

test.each<[string, ShipmentState, string]>([
  [
    'that is booked',
    {
      ...enterPhase(fresh, { phase: 'booked', listingId: '7' }),
      listing: aListing({ cancellationLink: 'https://x.test/7' }),
    },
    'consign show acme/',
  ],
  ['whose write is in doubt', doubted, 'in doubt, which is settled first'],
  [
    'whose question is about a booking',
    { ...fresh, question: asking(['adopt']) },
    'q1-inDoubt must be answered',
  ],
  ['whose carrier is asked', accepting, 'a carrier is being booked right now'],
])('an order %s cannot be withdrawn, and it says why', (_, state, why) => {
  expect(refuseWithdrawal(state, PAT, null)).toContain(why);
});

test('a withdrawal needs a person and a reason', () => {
  expect(refuseWithdrawal(fresh, { ...PAT, by: ' ' }, null)).toContain('`by`');
  expect(refuseWithdrawal(fresh, { ...PAT, reason: '' }, null)).toContain('`reason`');
});

test('a repeated withdrawal counts once', () => {
  expect(refuseWithdrawal(accepting, PAT, PAT)).toBeNull();
  expect(refuseWithdrawal(fresh, { ...PAT, by: 'Sam' }, PAT)).toBe('the order is already withdrawn');
});
