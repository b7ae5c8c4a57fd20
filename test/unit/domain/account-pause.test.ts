import { expect, test } from '@jest/globals';
import {
  ACCOUNT_HINT,
  accountPauseText,
  isNewCount,
  lookAgainAfter,
  MAX_REASONS,
  refuseResume,
  withReason,
  type AccountPause,
} from '../../../src/domain/account-pause';

const SINCE = '2035-03-01T10:00:00.000Z';
const pause = (...reasons: string[]): AccountPause => ({
  ...{ account: { name: 'acme', environment: 'sandbox' }, supportAddress: null, since: SINCE },
  ...{ reasons, waiting: null, isRefused: false },
});

test.each([
  'GET /v2/listings/{listingId} answered 401: invalid key',
  'POST /v2/raterequests answered 403',
  'POST /oauth/token answered 401 (request 7f)',
])('where the marketplace refuses the key the question says what that may mean: %s', (reason) => {
  const text = accountPauseText(pause('GET /v2/paymentmethods answered 501', reason));
  expect(text).toContain(reason);
  expect(text.split(ACCOUNT_HINT)).toHaveLength(2);
  expect(text).toContain('static IP addresses of the workers');
  expect(text).toMatch(/`consign accounts retry acme --by NAME --reason TEXT`\.$/);
});

test.each([
  'GET /v2/paymentmethods answered 501',
  'POST /v2/rates/{rateId}/acceptance answered 400: error 40301',
  'the environment of account acme changed',
])('for any other trouble it does not: %s', (reason) => {
  expect(accountPauseText(pause(reason))).not.toContain(ACCOUNT_HINT);
});

test('it says how many wait, since when, why, and where support is', () => {
  const one = { ...pause('the card was declined'), supportAddress: 'help@example.com' };
  expect(accountPauseText({ ...one, waiting: 12_000 })).toBe(
    `a person: about 12000 shipments of account acme wait since ${SINCE}: the card was declined. ` +
      'Fix the account, then run `consign accounts retry acme --by NAME --reason TEXT`. Support: help@example.com.',
  );
  expect(accountPauseText(one)).toContain('a person: shipments of account acme wait since');
});

test('once its test call is refused, the question says that it may end by itself', () => {
  expect(accountPauseText({ ...pause('x'), isRefused: true })).toContain('resume by themselves');
  expect(accountPauseText(pause('x'))).not.toContain('by themselves');
});

test('whatever the reasons are, few of them are kept, each once and cut', () => {
  const long = (character: string): string => character.repeat(5_000);
  const reasons = ['a', 'a', 'b', 'c', 'd', 'e'].map(long);
  const full = reasons.reduce(withReason, pause());
  expect(full.reasons).toHaveLength(MAX_REASONS);
  expect(accountPauseText({ ...full, waiting: 12_000 }).length).toBeLessThan(1_500);
});

test.each([
  [{ by: ' ', reason: 'new key' }, /`by` must not be empty/],
  [{ by: 'kim', reason: '' }, /`reason` must not be empty/],
])('a retry by nobody or for no reason is refused: %j', (statement, why) => {
  expect(refuseResume(statement)).toMatch(why);
});

test('a retry by somebody for a reason is taken', () => {
  expect(refuseResume({ by: 'kim', reason: 'new key' })).toBeNull();
});

test.each([0, 1, 300])('with %i shipments each looks again within ten seconds', (waiting) => {
  for (const looks of [0, 1, 5, 50]) expect(lookAgainAfter(looks, waiting, 1)).toBeLessThan(10_000);
});

test.each([
  [3_000, 45_000],
  [12_000, 150_000],
  [40_000, 420_000],
])('with %i shipments they look, and come back, over a minute or more', (waiting, leastMs) => {
  for (const random of [0, 0.5, 1])
    expect(lookAgainAfter(20, waiting, random)).toBeGreaterThanOrEqual(leastMs);
  expect(lookAgainAfter(20, waiting, 1)).toBeLessThanOrEqual(750_000);
});

test('the first look is later than what a worker may know from before the pause', () => {
  expect(lookAgainAfter(0, 12_000, 0)).toBeGreaterThan(1_000);
});

test('while 12,000 shipments come to wait one by one, few counts are news', () => {
  let [known, news]: [number | null, number] = [null, 0];
  for (let count = 0; count <= 12_000; count += 1) {
    if (!isNewCount(known, count)) continue;
    known = count;
    news += 1;
  }
  expect(news).toBeLessThan(60);
  expect(isNewCount(2, 1)).toBe(true);
  expect(isNewCount(2, 2)).toBe(false);
  expect(isNewCount(12_000, 0)).toBe(true);
});
