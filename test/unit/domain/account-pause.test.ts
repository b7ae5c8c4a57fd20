import { expect, test } from '@jest/globals';
import { ACCOUNT_HINT, accountPauseText, refuseResume } from '../../../src/domain/account-pause';

const paused = (reason: string, since = '2035-03-01T10:00:00.000Z') => ({
  ...{ workflowId: 'shipment/acme/o-1', reason, since },
});
const pause = (...reasons: string[]) => ({
  ...{ account: 'acme', supportAddress: null, resumes: 0 },
  waiting: reasons.map((reason) => paused(reason)),
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
  expect(text).toMatch(/`consign accounts retry acme`\.$/);
});

test.each([
  'GET /v2/paymentmethods answered 501',
  'POST /v2/rates/{rateId}/acceptance answered 400: error 40301',
  'the environment of account acme changed',
])('for any other trouble it does not: %s', (reason) => {
  expect(accountPauseText(pause(reason))).not.toContain(ACCOUNT_HINT);
});

test('it tells how many wait, since the first, each reason once, and where support is', () => {
  const waiting = [
    paused('GET /v2/paymentmethods answered 501', '2035-03-02T10:00:00.000Z'),
    paused('GET /v2/paymentmethods answered 501'),
  ];
  expect(accountPauseText({ ...pause(), waiting, supportAddress: 'help@example.com' })).toBe(
    'a person: 2 shipments of account acme wait since 2035-03-01T10:00:00.000Z: GET /v2/paymentmethods answered ' +
      '501. Mend the account, then `consign accounts retry acme`. Support: help@example.com.',
  );
});

test.each([
  [{ by: ' ', reason: 'new key' }, /`by` must not be empty/],
  [{ by: 'kim', reason: '' }, /`reason` must not be empty/],
])('a retry by nobody or for no reason is refused: %j', (statement, why) => {
  expect(refuseResume(pause('x'), statement)).toMatch(why);
});

test('a retry is refused where nothing waits', () => {
  const statement = { by: 'kim', reason: 'new key' };
  expect(refuseResume(pause(), statement)).toMatch(/no shipment waits/);
  expect(refuseResume(pause('x'), statement)).toBeNull();
});
