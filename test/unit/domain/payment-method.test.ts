import { expect, test } from '@jest/globals';
import { NOTHING_LEFT_OUT } from '../../../src/domain/left-out';
import { choosePaymentMethod, type PaymentMethod } from '../../../src/domain/payment-method';

const all = (methods: readonly PaymentMethod[]) => ({ methods, leftOut: NOTHING_LEFT_OUT });
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
  expect(choosePaymentMethod(all(methods), configured, TODAY)).toMatchObject({
    kind: 'chosen',
    paymentMethod: { paymentMethodId: chosen },
  });
});

const lapsed = (paymentMethodId: string, month: number, year: number): PaymentMethod => ({
  ...primary,
  ...{ paymentMethodId, expiration: { month, year } },
});
const none = 'payment methods of the account is';

test.each<[string, readonly PaymentMethod[], string | null, string]>([
  ['no method', [], null, 'the account has no payment method'],
  ['no method, although one is configured', [], 'card', 'the account has no payment method'],
  ['only one that is not primary', [terms], null, `none of the 1 ${none} primary, active and unexpired`],
  [
    'a primary one of last month',
    [lapsed('card', 2, 2035)],
    null,
    `none of the 1 ${none} active and unexpired`,
  ],
  [
    'a primary one of last year',
    [lapsed('card', 12, 2034)],
    null,
    `none of the 1 ${none} active and unexpired`,
  ],
  [
    'an inactive primary one',
    [{ ...primary, active: false }],
    null,
    `none of the 1 ${none} active and unexpired`,
  ],
  [
    'none that can pay, although one is configured',
    [lapsed('card', 2, 2035), { ...terms, active: false }],
    'terms',
    `none of the 2 ${none} active and unexpired`,
  ],
])('with %s it is the account that cannot pay', (_, methods, configured, reason) => {
  expect(choosePaymentMethod(all(methods), configured, TODAY)).toEqual({ kind: 'accountHasNone', reason });
});

test.each<[string, readonly PaymentMethod[], string, string]>([
  ['is inactive', [primary, { ...terms, active: false }], 'terms', 'is inactive or expired'],
  ['is expired', [terms, lapsed('card', 2, 2035)], 'card', 'is inactive or expired'],
  ['is unknown', [primary], 'other', 'is not among the methods of the account'],
])("a configured method that %s is the order's trouble", (_, methods, configured, why) => {
  expect(choosePaymentMethod(all(methods), configured, TODAY)).toEqual({
    kind: 'configuredIsUnusable',
    reason: `the configured payment method ${why}`,
  });
});

test.each<[number, readonly string[], string]>([
  [1, ['items[0].id'], 'the account has no payment method; 1 could not be read (items[0].id)'],
  [
    12,
    ['items[0]', 'items[1].id'],
    'the account has no payment method; 12 could not be read (items[0], items[1].id and 10 more)',
  ],
])('the reason counts payment methods that could not be read: %i', (count, where, reason) => {
  expect(choosePaymentMethod({ methods: [], leftOut: { count, where } }, null, TODAY)).toEqual({
    kind: 'accountHasNone',
    reason,
  });
});
