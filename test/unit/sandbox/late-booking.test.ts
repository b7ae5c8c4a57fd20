import { afterEach, expect, test } from '@jest/globals';
import type { Sandbox, SwitchChanges } from '../../../src/sandbox';
import { accept, ask, asText, closeSandboxes, collectRates, quickSandbox, until } from './marketplace-client';

afterEach(closeSandboxes);

async function failedAcceptance(switches: SwitchChanges): Promise<{ sandbox: Sandbox; body: object }> {
  const sandbox = await quickSandbox({ switches, clock: { steps: { bookedLate: 50_000 } } });
  const [rate] = await collectRates(sandbox);
  const path = asText((await accept(sandbox, rate?.['id'])).headers['location']);
  const { body } = await until(
    () => ask(sandbox, 'GET', path),
    (reply) => Number(reply.body['statusCode']) >= 400,
  );
  return { sandbox, body };
}

test('failedThenBooked books after the status has said failed', async () => {
  const { sandbox } = await failedAcceptance({ acceptance: 'failedThenBooked' });
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
  const { body } = await failedAcceptance({ acceptance: 'failed', acceptanceFailureResponse: form });
  expect(String('response' in body ? body.response : undefined)).toMatch(expected);
});
