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
  type AccountTrouble,
} from '../../../src/domain/account-pause';

const SINCE = '2035-03-01T10:00:00.000Z';
const because = (reason: string, status: number | null = null): AccountTrouble => ({ reason, status });
const pause = (...reasons: AccountTrouble[]): AccountPause => ({
  ...{ account: { name: 'acme', environment: 'sandbox' }, supportAddress: null, since: SINCE },
  ...{ reasons, waiting: null, isRefused: false },
});

test.each([
  because('GET /v2/listings/{listingId} answered 401: invalid key', 401),
  because('POST /v2/raterequests answered 403', 403),
  because('creating the listing: the key was refused', 401),
])('where the marketplace refuses the key the question says what that may mean: %j', (refused) => {
  const text = accountPauseText(pause(because('GET /v2/paymentmethods answered 501', 501), refused));
  expect(text).toContain(refused.reason);
  expect(text.split(ACCOUNT_HINT)).toHaveLength(2);
  expect(text).toContain('static IP addresses of the workers');
  expect(text).toMatch(/`consign accounts retry acme --by NAME --reason TEXT`\.$/);
});

test.each([
  because('GET /v2/paymentmethods answered 501', 501),
  because('POST /v2/rates/{rateId}/acceptance answered 400: error 40301', 400),
  because('the environment of account acme changed'),
])('for other trouble the question does not say that: %j', (trouble) => {
  expect(accountPauseText(pause(trouble))).not.toContain(ACCOUNT_HINT);
});

test.each(['answered 401', 'GET /v2/listings/401 answered 403', 'a gateway answered 403 for a moment'])(
  'no decision depends on the words of a reason: %s',
  (reason) => {
    expect(accountPauseText(pause(because(reason, 501)))).not.toContain(ACCOUNT_HINT);
  },
);

test('the question says how many wait, since when, why, and where to get help', () => {
  const one = { ...pause(because('the card was declined', 402)), supportAddress: 'help@example.com' };
  expect(accountPauseText({ ...one, waiting: 12_000 })).toBe(
    `a person: about 12000 shipments of account acme wait since ${SINCE}: the card was declined. ` +
      'Fix the account, then run `consign accounts retry acme --by NAME --reason TEXT`. Support: help@example.com.',
  );
  expect(accountPauseText(one)).toContain('a person: shipments of account acme wait since');
});

test('once its test call is refused, the question says that it may end by itself', () => {
  expect(accountPauseText({ ...pause(because('x')), isRefused: true })).toContain('resume by themselves');
  expect(accountPauseText(pause(because('x')))).not.toContain('by themselves');
});

test('only a few reasons are kept, each once and shortened', () => {
  const long = (character: string): AccountTrouble => because(character.repeat(5_000));
  const reasons = ['a', 'a', 'b', 'c', 'd', 'e'].map(long);
  const full = reasons.reduce(withReason, pause());
  expect(full.reasons).toHaveLength(MAX_REASONS);
  expect(accountPauseText({ ...full, waiting: 12_000 }).length).toBeLessThan(1_500);
});

test.each([
  [{ by: ' ', reason: 'new key' }, /`by` must not be empty/],
  [{ by: 'kim', reason: '' }, /`reason` must not be empty/],
])('a retry without a person or a reason is refused: %j', (statement, why) => {
  expect(refuseResume(statement)).toMatch(why);
});

test('a retry with a person and a reason is accepted', () => {
  expect(refuseResume({ by: 'kim', reason: 'new key' })).toBeNull();
});

test.each([0, 1, 300])('with %i shipments each looks again within ten seconds', (waiting) => {
  for (const looks of [0, 1, 5, 50]) expect(lookAgainAfter(looks, waiting, 1)).toBeLessThan(10_000);
});

test.each([
  [3_000, 45_000],
  [12_000, 150_000],
  [40_000, 420_000],
])('with %i shipments they look, and resume, over a minute or more', (waiting, leastMs) => {
  for (const random of [0, 0.5, 1])
    expect(lookAgainAfter(20, waiting, random)).toBeGreaterThanOrEqual(leastMs);
  expect(lookAgainAfter(20, waiting, 1)).toBeLessThanOrEqual(750_000);
});

test('the first look comes after any fact from before the pause is out of date', () => {
  expect(lookAgainAfter(0, 12_000, 0)).toBeGreaterThan(1_000);
});

test('while 12,000 shipments start to wait one by one, few counts are news', () => {
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
