import { afterEach, expect, test } from '@jest/globals';
import type { SwitchChanges, TroubleInput } from '../../../sandbox';
import {
  accept,
  ask,
  asText,
  closeSandboxes,
  collectRates,
  quickSandbox,
  rateRequestBody,
  until,
  type Loose,
} from './marketplace-client';

afterEach(closeSandboxes);

const idsOf = (body: Loose): string[] => (body['items'] as unknown as { id: string }[]).map(({ id }) => id);

async function offered(...whats: TroubleInput['what'][]) {
  const troubles = whats.map((what) => ({ when: 'createRateRequest', what }) as const);
  const sandbox = await quickSandbox({ troubles, clock: { steps: { rateWithdrawn: 60_000 } } });
  const reply = await ask(sandbox, 'POST', '/v2/raterequests', { json: rateRequestBody() });
  const path = asText(reply.headers['location']);
  const read = async () => idsOf((await ask(sandbox, 'GET', path)).body);
  const all = await until(read, (ids) => ids.length === 6);
  return { sandbox, read, all };
}

test('a flickering rate vanishes in one read and is there again in the next', async () => {
  const { read, all } = await offered('flickeringRates');
  const reads = [await read(), await read(), await read(), await read()];
  expect(reads.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([5, 5, 6, 6]);
  const missing = reads.flatMap((ids) => all.filter((id) => !ids.includes(id)));
  expect(new Set(missing).size).toBe(2);
});

test.each([
  ['cheapestRateWithdrawn', 5],
  ['allRatesWithdrawn', 0],
] as const)('with the trouble %s, %i rates are left after a while', async (what, left) => {
  const { sandbox, read, all } = await offered(what);
  const after = await until(read, (ids) => ids.length === left);
  const gone = all.find((id) => !after.includes(id));
  const reply = await accept(sandbox, gone);
  expect([reply.status, reply.body]).toMatchObject([400, { errors: [{ code: 40_001, field: 'id' }] }]);
});

test('a rate is taken back by hand before it expires', async () => {
  const { sandbox, read, all } = await offered();
  const path = (id: unknown): string => `/_sandbox/rates/${asText(id)}/withdraw`;
  expect((await ask(sandbox, 'POST', path(all[1]), { json: {} })).status).toBe(200);
  expect(await read()).toEqual(all.filter((_id, index) => index !== 1));
  expect((await accept(sandbox, all[1])).status).toBe(400);
  expect((await accept(sandbox, all[0])).status).toBe(202);
  expect((await ask(sandbox, 'POST', path('none'), { json: {} })).status).toBe(404);
});

async function acceptedUnder(switches: SwitchChanges, what?: 'pending') {
  const troubles = what === undefined ? [] : [{ when: 'acceptRate', what } as const];
  const sandbox = await quickSandbox({ switches: { transit: 'manual', ...switches }, troubles });
  const [rate] = await collectRates(sandbox);
  const path = asText((await accept(sandbox, rate?.['id'])).headers['location']);
  return () => ask(sandbox, 'GET', path);
}

test('the first polls of an acceptance answer 404 as often as the switch says', async () => {
  const poll = await acceptedUnder({ acceptanceHiddenPolls: 3 }, 'pending');
  const statuses = [];
  for (let count = 0; count < 5; count += 1) statuses.push((await poll()).status);
  expect(statuses).toEqual([404, 404, 404, 200, 200]);
});

const decodedTwice = ({ response }: { response: string }): unknown =>
  JSON.parse(asText(JSON.parse(response)));

test('a pending and a booked answer can be JSON text in JSON', async () => {
  const pending = await acceptedUnder({ acceptancePendingAnswer: 'doublyEncoded' }, 'pending');
  const waiting = (await pending()).body as unknown as { response: string; statusCode: number };
  expect([waiting.statusCode, decodedTwice(waiting)]).toEqual([202, { status: 'Pending' }]);
  await closeSandboxes();
  const booked = await acceptedUnder({ acceptanceBookedAnswer: 'doublyEncoded' });
  const reply = await until(booked, ({ body }) => Number(body['statusCode']) === 201);
  expect(decodedTwice(reply.body as unknown as { response: string })).toMatchObject({
    listingId: expect.any(Number),
    location: expect.stringMatching(/\/v2\/listings\/\d{9}$/u),
  });
});
