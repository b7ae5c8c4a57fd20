import { expect, test } from '@jest/globals';
import { refuseAmendment } from '../../../src/domain/amendment';
import { DEFAULT_POLICY } from '../../../src/domain/default-policy';
import { enterPhase, initialState, type PhaseState } from '../../../src/domain/shipment-state';
import { aFurnitureShipment, anLtlShipment } from '../../support/builders';

const shipment = aFurnitureShipment();
const order = { shipment, policy: DEFAULT_POLICY, isAmending: false, isWithdrawn: false };
const input = {
  ...{ by: 'Pat', reason: 'a typo', policy: DEFAULT_POLICY, documentHash: 'b' },
  shipment: { ...shipment, description: 'Wrapped' },
};
const at = { ...order, now: '2035-03-01T00:00:00.000Z' };
const inPhase = (phase: PhaseState) => enterPhase(initialState(shipment), phase);
const awaiting = inPhase({ phase: 'awaitingBooking', listingId: '7', unverified: null });
const doubt = {
  what: 'creating the listing',
  reason: 'no answer',
  sendId: '1',
  attempt: null,
  askAt: '',
  isRefusal: false,
};
const question = {
  ...({ id: 'q1-listingEnded', kind: 'listingEnded', text: '', since: '', answers: [] } as const),
  ...{ listingIds: [], offer: null, supportAddress: null },
};

test('an order that waits for its booking without a question may be changed', () => {
  expect(refuseAmendment(awaiting, at, input)).toBeNull();
});

test.each([
  ['is booked', inPhase({ phase: 'booked', listingId: '7' }), 'is booked'],
  ['is under way', inPhase({ phase: 'inTransit', listingId: '7' }), 'is booked'],
  [
    'has a write in doubt',
    inPhase({
      phase: 'listing',
      isResent: false,
      doubt: { ...doubt, resendFrom: null, onlyLive: false, acceptance: null },
    }),
    'in doubt',
  ],
  ['has no listing', inPhase({ phase: 'quoting' }), 'no open listing'],
  ['asks', { ...awaiting, question }, 'q1-listingEnded must be answered first'],
  ['is LTL', initialState(anLtlShipment()), 'furniture'],
])('an order that %s is not changed', (_, state, why) => {
  expect(refuseAmendment(state, at, input)).toContain(why);
});

test.each([
  ['without a name', { by: ' ' }, 'say who'],
  ['without a reason', { reason: '' }, 'say why'],
  ['of another order', { shipment: { ...shipment, orderId: 'SO-2' } }, 'is of acme/SO-2'],
  ['of LTL', { shipment: anLtlShipment({ orderId: shipment.orderId }) }, 'is of ltl'],
  ['without a difference', { shipment }, 'already is'],
  [
    'of the past',
    {
      shipment: {
        ...shipment,
        pickup: { type: 'on' as const, earliest: '2034-01-01', latest: '2034-01-01' },
      },
    },
    'past',
  ],
])('a document %s is refused', (_, over, why) => {
  expect(refuseAmendment(awaiting, at, { ...input, ...over })).toContain(why);
});

test('a second change waits for the first one, and a withdrawn order accepts none', () => {
  expect(refuseAmendment(awaiting, { ...at, isAmending: true }, input)).toContain('under way');
  expect(refuseAmendment(awaiting, { ...at, isWithdrawn: true }, input)).toContain('withdrawn');
});

test('a change of the policy alone is a difference', () => {
  const policy = { ...DEFAULT_POLICY, settlementWindowMs: 1 };
  expect(refuseAmendment(awaiting, at, { ...input, shipment, policy })).toBeNull();
});
