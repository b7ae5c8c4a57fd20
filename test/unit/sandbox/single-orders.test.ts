import { afterEach, expect, test } from '@jest/globals';
import {
  accept,
  ask,
  asText,
  closeSandboxes,
  collectRates,
  createListing,
  quickSandbox,
  until,
} from './marketplace-client';

afterEach(closeSandboxes);

const named = (number: string) => ({ referenceNumbers: [{ number, type: 'ThirdPartyOrderNumber' }] });

test('a trouble of one order strikes requests that name no more than its rate, and no other order', async () => {
  const sandbox = await quickSandbox({
    troubles: [{ when: 'acceptRate', whom: 'acme/o-2', what: 'cardDeclined' }],
  });
  const [mine] = await collectRates(sandbox, named('acme/o-2'));
  const [other] = await collectRates(sandbox, named('acme/o-20'));
  expect((await accept(sandbox, mine?.['id'])).status).toBe(400);
  expect((await accept(sandbox, other?.['id'])).status).toBe(202);
  expect(sandbox.order('acme/o-2').troubles).toMatchObject([
    { endpoint: 'acceptRate', kind: 'cardDeclined' },
  ]);
});

test('switches and troubles of one order leave the others as they are', async () => {
  const sandbox = await quickSandbox({
    switches: {
      transit: 'manual',
      orders: { 'acme/o-2': { billOfLading: 'never' } },
    },
    troubles: [{ when: { listing: 'booked' }, whom: 'acme/o-2', what: 'carrierCancels', times: 1 }],
  });
  const [mine, other] = [
    await createListing(sandbox, named('acme/o-2')),
    await createListing(sandbox, named('acme/o-3')),
  ];
  await until(
    () => sandbox.order('acme/o-2').cancelled,
    (cancelled) => cancelled === 1,
  );
  const paper = async (id: string) => (await ask(sandbox, 'GET', `/v2/listings/${id}/billoflading`)).status;
  await until(
    () => paper(other),
    (status) => status === 200,
  );
  expect(await paper(mine)).toBe(404);
  expect(sandbox.order('acme/o-3')).toMatchObject({ liveBookings: 1, cancelled: 0 });
});

test('a trouble of one order is used up by its own acceptances only', async () => {
  const sandbox = await quickSandbox({
    switches: { orders: { 'acme/o-2': { acceptanceFailureResponse: 'null' } } },
    troubles: [{ when: 'acceptRate', whom: 'acme/o-2', what: 'failed', times: 1 }],
  });
  const outcomeOf = async (order: string): Promise<unknown> => {
    const [rate] = await collectRates(sandbox, named(order));
    const status = asText((await accept(sandbox, rate?.['id'])).headers['location']);
    const reply = await until(
      async () => await ask(sandbox, 'GET', status),
      ({ status: code, body }) => code === 201 || Number(body['statusCode']) !== 202,
    );
    return reply.status === 201 ? 'booked' : { ...reply.body };
  };
  expect(await outcomeOf('acme/o-3')).toBe('booked');
  expect(await outcomeOf('acme/o-2')).toMatchObject({ statusCode: 409, response: null });
  expect(await outcomeOf('acme/o-2')).toBe('booked');
});
