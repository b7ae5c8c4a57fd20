import { afterEach, expect, test } from '@jest/globals';
import type { Sandbox, SwitchChanges, TroubleInput } from '../../../sandbox';
import { accept, ask, asText, closeSandboxes, collectRates, quickSandbox, until } from './marketplace-client';

afterEach(closeSandboxes);

async function failedAcceptance(
  what: TroubleInput['what'],
  switches: SwitchChanges = {},
): Promise<{ sandbox: Sandbox; body: object }> {
  const troubles = [{ when: 'acceptRate', what }] as const;
  const sandbox = await quickSandbox({ switches, troubles, clock: { steps: { bookedLate: 50_000 } } });
  const [rate] = await collectRates(sandbox);
  const path = asText((await accept(sandbox, rate?.['id'])).headers['location']);
  const { body } = await until(
    () => ask(sandbox, 'GET', path),
    (reply) => Number(reply.body['statusCode']) >= 400,
  );
  return { sandbox, body };
}

test('failedThenBooked books after the status has said failed', async () => {
  const { sandbox } = await failedAcceptance('failedThenBooked');
  await until(
    () => sandbox.order('acme/o-1').liveBookings,
    (count) => count === 1,
  );
  expect(sandbox.order('acme/o-1').acceptances).toMatchObject([{ outcome: 'booked' }]);
});

test.each([
  ['json', /^\{"reason"/u],
  ['doublyEncoded', /^"\{\\"reason/u],
  ['empty', /^$/u],
  ['null', /^null$/u],
  ['notJson', /^Failed$/u],
] as const)('the response of a failure can be %s', async (form, expected) => {
  const { body } = await failedAcceptance('failed', { acceptanceFailureResponse: form });
  expect(String('response' in body ? body.response : undefined)).toMatch(expected);
});

test('until it is booked the ledger tells that a failed acceptance may still be, and then that it was', async () => {
  const { sandbox } = await failedAcceptance('failedThenBooked');
  const told = () => sandbox.order('acme/o-1');
  expect(told()).toMatchObject({
    ...{ openAcceptances: 1, pendingAcceptances: 0 },
    acceptances: [{ outcome: 'failed', mayStillBook: true, bookedAfterFailing: false }],
  });
  await until(told, ({ liveBookings }) => liveBookings === 1);
  expect(told()).toMatchObject({
    openAcceptances: 0,
    acceptances: [{ outcome: 'booked', mayStillBook: false, bookedAfterFailing: true }],
  });
});

test('a listing that a failed acceptance left counts as booked after failing once a carrier books it', async () => {
  const { sandbox } = await failedAcceptance('failedLeavingListing');
  const told = () => sandbox.order('acme/o-1').acceptances;
  expect(told()).toMatchObject([{ outcome: 'failed', bookedAfterFailing: false }]);
  const [left] = sandbox.order('acme/o-1').listings;
  await ask(sandbox, 'POST', `/_sandbox/listings/${left?.listingId}/advance`, { json: { to: 'Booked' } });
  expect(told()).toMatchObject([{ outcome: 'failed', bookedAfterFailing: true }]);
});

test('a failed acceptance that stays one is not open', async () => {
  const { sandbox } = await failedAcceptance('failed');
  expect(sandbox.order('acme/o-1')).toMatchObject({ openAcceptances: 0 });
});

test('an acceptance can be taken back while it is pending, and has failed then for good', async () => {
  const sandbox = await quickSandbox({
    clock: { speed: 1, steps: { acceptancePending: 300, ratesFirst: 10, ratesLast: 20 } },
  });
  const [rate] = await collectRates(sandbox);
  const path = asText((await accept(sandbox, rate?.['id'])).headers['location']);
  const [taken] = sandbox.order('acme/o-1').acceptances;
  const withdraw = () => ask(sandbox, 'POST', `/_sandbox/acceptances/${taken?.executionId}/withdraw`);
  expect(sandbox.order('acme/o-1').openAcceptances).toBe(1);
  expect((await withdraw()).status).toBe(200);
  // Long past the moment in which it was to be booked.
  await until(Date.now, (now) => now > Date.parse(taken?.acceptedOn ?? '') + 600);
  expect((await ask(sandbox, 'GET', path)).body).toMatchObject({ statusCode: 409 });
  expect(sandbox.order('acme/o-1')).toMatchObject({ created: 0, openAcceptances: 0 });
  expect((await withdraw()).status).toBe(409);
});
