import { afterEach, expect, test } from '@jest/globals';
import type { Sandbox } from '../../../sandbox';
import {
  accept,
  acceptanceBody,
  ask,
  closeSandboxes,
  collectRates,
  errorFields,
  idOf,
  quickSandbox,
  until,
  type Reply,
  asText,
} from './marketplace-client';

afterEach(closeSandboxes);

const settled = (sandbox: Sandbox, acceptance: Reply, isDone: (reply: Reply) => boolean): Promise<Reply> =>
  until(() => ask(sandbox, 'GET', asText(acceptance.headers['location'])), isDone);

const rateIdOf = async (sandbox: Sandbox, index = 0): Promise<string> =>
  asText((await collectRates(sandbox))[index]?.['id']);

test('an accepted rate becomes a booked listing that carries the references of its rate request', async () => {
  const sandbox = await quickSandbox();
  const rateId = await rateIdOf(sandbox);
  const accepted = await accept(sandbox, rateId);
  expect([accepted.status, typeof accepted.body['message']]).toEqual([202, 'string']);
  const path = new URL(asText(accepted.headers['location'])).pathname;
  expect(path).toMatch(new RegExp(`^/v2/rates/${rateId}/acceptance/status/[\\da-f-]{36}$`, 'u'));
  const booked = await settled(sandbox, accepted, ({ status }) => status !== 200);
  expect(booked.status).toBe(201);
  const listing = await ask(sandbox, 'GET', asText(booked.headers['location']));
  expect(listing.body).toMatchObject({
    listingId: Number(idOf(booked)),
    status: { value: 'Booked' },
    referenceNumbers: [{ number: 'acme/o-1', type: { value: 'ThirdPartyOrderNumber' } }],
    thirdParty: { identity: 'o-1.1' },
    serviceProvider: { displayName: 'Blue Ridge Freight' },
  });
  expect(sandbox.order('acme/o-1')).toMatchObject({
    liveBookings: 1,
    pendingAcceptances: 0,
    acceptances: [{ rateId, outcome: 'booked', listingId: Number(idOf(booked)) }],
  });
});

test.each([
  ['statusCode202', { response: '{"status":"Pending"}', statusCode: 202 }],
  ['statusCodeZero', { response: '{"status":"Pending"}', statusCode: 0 }],
  ['noStatusCode', { response: '{"status":"Pending"}' }],
  ['nullResponse', { response: null, statusCode: 202 }],
  ['emptyResponse', { response: '', statusCode: 202 }],
  ['notJson', { response: 'Pending', statusCode: 202 }],
] as const)('a pending acceptance answers as %s says', async (acceptancePendingAnswer, body) => {
  const sandbox = await quickSandbox({
    switches: { acceptancePendingAnswer },
    troubles: [{ when: 'acceptRate', what: 'pending' }],
  });
  const accepted = await accept(sandbox, await rateIdOf(sandbox));
  const reply = await ask(sandbox, 'GET', asText(accepted.headers['location']));
  expect([reply.status, reply.body]).toEqual([200, body]);
});

test('a failed acceptance says why inside a status of 200 and books nothing', async () => {
  const sandbox = await quickSandbox({
    switches: { acceptanceFailureStatus: 422 },
    troubles: [{ when: 'acceptRate', what: 'failed' }],
  });
  const accepted = await accept(sandbox, await rateIdOf(sandbox));
  const { status, body } = await settled(
    sandbox,
    accepted,
    (reply) => Number(reply.body['statusCode']) >= 400,
  );
  expect([status, Number(body['statusCode'])]).toEqual([200, 422]);
  expect(JSON.parse(asText(body['response']))).toMatchObject({
    reason: 'The carrier no longer offers this rate.',
  });
  expect(sandbox.order('acme/o-1')).toMatchObject({ liveBookings: 0, acceptances: [{ outcome: 'failed' }] });
});

test('acceptances end as troubles say, one after the other, and by rate or carrier', async () => {
  const sandbox = await quickSandbox({
    troubles: [
      { when: { request: 'acceptRate', match: 'Prairie Line LTL' }, what: 'pending' },
      { when: 'acceptRate', what: 'failed', times: 1 },
    ],
  });
  const rates = await collectRates(sandbox);
  for (const rate of rates.slice(0, 3)) await accept(sandbox, rate['id']);
  const { acceptances } = await until(
    () => sandbox.order('acme/o-1'),
    (order) => order.pendingAcceptances === 1,
  );
  expect(acceptances.map(({ outcome }) => outcome)).toEqual(['failed', 'pending', 'booked']);
});

test.each([
  ['failedLeavingListing', { liveBookings: 0, openListings: 1 }, 409],
  ['bookedButFailed', { liveBookings: 1, openListings: 0 }, 500],
] as const)('an acceptance that is %s says so in the ledger alone', async (what, expected, statusCode) => {
  const sandbox = await quickSandbox({ troubles: [{ when: 'acceptRate', what }] });
  const accepted = await accept(sandbox, await rateIdOf(sandbox));
  const { body } = await settled(sandbox, accepted, (reply) => Number(reply.body['statusCode']) >= 400);
  expect(Number(body['statusCode'])).toBe(statusCode);
  expect(sandbox.order('acme/o-1')).toMatchObject(expected);
});

test('an acceptance that books silently stays pending for its reader', async () => {
  const sandbox = await quickSandbox({ troubles: [{ when: 'acceptRate', what: 'bookedSilently' }] });
  const accepted = await accept(sandbox, await rateIdOf(sandbox));
  await until(
    () => sandbox.order('acme/o-1').liveBookings,
    (bookings) => bookings === 1,
  );
  expect((await ask(sandbox, 'GET', asText(accepted.headers['location']))).body).toMatchObject({
    statusCode: 202,
  });
});

test.each([
  ['seeOther', 303],
  ['statusCode201', 200],
] as const)('a booked acceptance can also answer as %s', async (acceptanceBookedAnswer, status) => {
  const sandbox = await quickSandbox({ switches: { acceptanceBookedAnswer } });
  const accepted = await accept(sandbox, await rateIdOf(sandbox));
  const isBooked = (reply: Reply): boolean =>
    reply.status === 303 || Number(reply.body['statusCode']) === 201;
  expect((await settled(sandbox, accepted, isBooked)).status).toBe(status);
});

test('in the older form the acceptance itself answers 201 with the listing', async () => {
  const sandbox = await quickSandbox({ switches: { acceptanceAnswersAtOnce: true } });
  const accepted = await accept(sandbox, await rateIdOf(sandbox));
  expect([accepted.status, accepted.headers['location']]).toEqual([
    201,
    expect.stringMatching(/\/v2\/listings\/\d{9}$/u),
  ]);
});

test('a status is invisible at first and unknown to a wrong execution', async () => {
  const sandbox = await quickSandbox({ clock: { steps: { acceptanceVisible: 30_000 } } });
  const accepted = await accept(sandbox, await rateIdOf(sandbox));
  const path = asText(accepted.headers['location']);
  expect((await ask(sandbox, 'GET', path)).status).toBe(404);
  await settled(sandbox, accepted, ({ status }) => status === 201);
  expect((await ask(sandbox, 'GET', path.replace(/.{36}$/u, 'none'))).status).toBe(404);
});

test('taking a rate twice books twice, unless repeating is refused', async () => {
  const sandbox = await quickSandbox();
  const rateId = await rateIdOf(sandbox);
  await accept(sandbox, rateId);
  await accept(sandbox, rateId);
  await until(
    () => sandbox.order('acme/o-1').liveBookings,
    (bookings) => bookings === 2,
  );
  sandbox.setSwitches({ repeatedAcceptance: 'refused' });
  const refused = await accept(sandbox, rateId);
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('duplicate')]);
});

test.each([
  ['no payment method', { paymentMethodId: undefined }, ['paymentMethodId']],
  ['a short payment method', { paymentMethodId: 'abc' }, ['paymentMethodId']],
  ['no insurance', { insurance: undefined }, ['insurance']],
  [
    'the listing form of the insurance',
    { insurance: { coverageAmount: { amount: 1, currencyType: 'USD' } } },
    ['insurance.coverage'],
  ],
  [
    'coverage in another currency',
    { insurance: { coverage: { amount: 1, currencyType: 'CAD' } } },
    ['insurance.coverage.currencyType'],
  ],
])('an acceptance with %s is refused', async (_what, changes, fields) => {
  const sandbox = await quickSandbox();
  const reply = await accept(sandbox, await rateIdOf(sandbox), changes);
  expect([reply.status, errorFields(reply)]).toEqual([400, fields]);
  expect(sandbox.order('acme/o-1').acceptances).toEqual([]);
});

test('a null insurance declines, unless its switch refuses it', async () => {
  const sandbox = await quickSandbox();
  const rateId = await rateIdOf(sandbox);
  expect((await accept(sandbox, rateId, { insurance: null })).status).toBe(202);
  sandbox.setSwitches({ nullInsurance: 'refused' });
  expect((await accept(sandbox, rateId, { insurance: null })).status).toBe(400);
});

test('an expired rate, an unknown one and an expired card are refused', async () => {
  const sandbox = await quickSandbox({ switches: { rateLifetimeInSeconds: 0 } });
  const rateId = await rateIdOf(sandbox);
  expect((await accept(sandbox, rateId)).text).toContain('expired');
  expect((await accept(sandbox, 'f'.repeat(24))).status).toBe(400);
  sandbox.setSwitches({ rateLifetimeInSeconds: 60, paymentMethods: 'expired' });
  const refused = await accept(sandbox, await rateIdOf(sandbox));
  expect(errorFields(refused)).toEqual(['paymentMethodId']);
});

test('coverage is kept with the acceptance', async () => {
  const sandbox = await quickSandbox();
  const rateId = await rateIdOf(sandbox);
  const json = await acceptanceBody(sandbox, {
    insurance: { coverage: { amount: 5000, currencyType: 'USD' } },
  });
  const reply = await ask(sandbox, 'POST', `/v2/rates/${rateId}/acceptance`, { json });
  expect(reply.status).toBe(202);
});
