import { expect, test } from '@jest/globals';
import { choosePaymentMethod, type PaymentMethod } from '../../../src/domain/payment-method';

const TODAY = '2035-03-31T23:59:59.000Z';
const method = (paymentMethodId: string, over: Partial<PaymentMethod> = {}): PaymentMethod => ({
  paymentMethodId,
  type: 'creditcard',
  isPrimary: false,
  active: true,
  expiration: { month: 11, year: 2036 },
  ...over,
});
const primary = method('card', { isPrimary: true });
const terms = method('terms', { type: 'payonterms', expiration: null });

test.each<[string, readonly PaymentMethod[], string | null, string]>([
  ['the primary one', [terms, primary], null, 'card'],
  ['the configured one before the primary', [primary, terms], 'terms', 'terms'],
  ['a card in its last month', [{ ...primary, expiration: { month: 3, year: 2035 } }], null, 'card'],
  ['one without an expiry', [{ ...terms, isPrimary: true }], null, 'terms'],
])('%s is chosen', (_, methods, configured, chosen) => {
  expect(choosePaymentMethod(methods, configured, TODAY)).toMatchObject({
    kind: 'chosen',
    paymentMethod: { paymentMethodId: chosen },
  });
});

test.each<[string, readonly PaymentMethod[], string | null, string]>([
  ['no method', [], null, 'has no payment method'],
  ['only one that is not primary', [terms], null, 'none of the 1 payment methods'],
  [
    'a primary one of last month',
    [{ ...primary, expiration: { month: 2, year: 2035 } }],
    null,
    'none of the 1',
  ],
  [
    'a primary one of last year',
    [{ ...primary, expiration: { month: 12, year: 2034 } }],
    null,
    'none of the 1',
  ],
  ['an inactive primary one', [{ ...primary, active: false }], null, 'none of the 1'],
  [
    'a configured one that is inactive',
    [primary, { ...terms, active: false }],
    'terms',
    'is inactive or expired',
  ],
  ['a configured one that is unknown', [primary], 'other', 'is not among the methods'],
])('with %s nothing is chosen, and why is told', (_, methods, configured, why) => {
  expect(choosePaymentMethod(methods, configured, TODAY)).toEqual({
    kind: 'none',
    reason: expect.stringContaining(why),
  });
});
