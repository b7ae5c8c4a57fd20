import { expect, test } from '@jest/globals';
import { sortOutcome, type MarketplaceOutcome, type Operation } from '../../../src/marketplace/sort-outcome';

test.each<[boolean | null, MarketplaceOutcome]>([
  [false, 'notSent'],
  [true, 'inDoubt'],
  [null, 'inDoubt'],
])('no answer, connected %s, is %s', (connected, outcome) => {
  expect(sortOutcome('acceptRate', { kind: 'noAnswer', connected })).toBe(outcome);
});

test.each<[Operation, number, string, MarketplaceOutcome]>([
  ['createListing', 301, '', 'inDoubt'],
  ['createListing', 400, 'title is missing', 'rejected'],
  ['createListing', 401, '', 'accountTrouble'],
  ['createListing', 402, '', 'accountTrouble'],
  ['createListing', 403, '', 'accountTrouble'],
  ['createListing', 404, '', 'rejected'],
  ['createListing', 408, '', 'inDoubt'],
  ['createListing', 409, '', 'inDoubt'],
  ['createListing', 425, '', 'inDoubt'],
  ['createListing', 422, '', 'rejected'],
  ['createListing', 429, '', 'notSent'],
  ['createListing', 500, '', 'inDoubt'],
  ['createListing', 503, '', 'inDoubt'],
  ['createListing', 400, 'your account is suspended', 'accountTrouble'],
  ['createListing', 400, 'insurance.currencyType is invalid', 'rejected'],
  ['acceptRate', 400, 'paymentMethodId is not usable', 'accountTrouble'],
  ['acceptRate', 400, 'the currencies do not match', 'accountTrouble'],
  ['acceptRate', 400, 'the rate is expired', 'rejected'],
  ['deleteListing', 403, 'already booked', 'rejected'],
  ['listPaymentMethods', 501, '', 'accountTrouble'],
  ['createListing', 501, '', 'inDoubt'],
  ['grantToken', 400, 'invalid_client', 'accountTrouble'],
  ['grantToken', 503, '', 'notSent'],
  ['grantToken', 429, '', 'notSent'],
])('%s answered %i "%s" is %s', (operation, status, reasons, outcome) => {
  expect(
    sortOutcome(operation, { kind: 'answer', status, reasons, renewable: false, isReadable: true }),
  ).toBe(outcome);
});

test.each<[Operation, number, MarketplaceOutcome]>([
  ['deleteListing', 403, 'inDoubt'],
  ['updateListing', 403, 'inDoubt'],
  ['createListing', 403, 'accountTrouble'],
])('%s answered %i with a page is %s', (operation, status, outcome) => {
  const answer = {
    kind: 'answer',
    status,
    reasons: 'Forbidden',
    renewable: false,
    isReadable: false,
  } as const;
  expect(sortOutcome(operation, answer)).toBe(outcome);
});

test('a 401 for a token that can be renewed is sent again with a fresh one', () => {
  expect(
    sortOutcome('acceptRate', {
      kind: 'answer',
      status: 401,
      reasons: '',
      renewable: true,
      isReadable: true,
    }),
  ).toBe('notSent');
});

test('an unreadable success is in doubt', () => {
  expect(sortOutcome('acceptRate', { kind: 'unreadable' })).toBe('inDoubt');
});
