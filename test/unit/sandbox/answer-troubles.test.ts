import { afterEach, expect, test } from '@jest/globals';
import { request } from 'undici';
import type { TroubleInput } from '../../../sandbox';
import {
  ask,
  closeSandboxes,
  createListing,
  errorFields,
  listingBody,
  quickSandbox,
  until,
} from './marketplace-client';

afterEach(closeSandboxes);

const when = 'createListing';

test('hangUpBefore closes the connection and nothing is created', async () => {
  const sandbox = await quickSandbox({ troubles: [{ when, what: 'hangUpBefore', times: 1 }] });
  await expect(createListing(sandbox)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
  expect(sandbox.ledger().orders).toEqual({});
  await createListing(sandbox);
});

test('hangUpAfter creates the listing and closes the connection', async () => {
  const sandbox = await quickSandbox({ troubles: [{ when, what: 'hangUpAfter', times: 1 }] });
  await expect(createListing(sandbox)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
  expect(sandbox.order('acme/o-1').listings).toHaveLength(1);
  expect(sandbox.requests('createListing')).toMatchObject([{ status: null, trouble: 'hangUpAfter' }]);
});

test.each([
  ['resetBefore', 0],
  ['resetAfter', 1],
] as const)('%s resets the connection, and %i listings are created', async (kind, created) => {
  const sandbox = await quickSandbox({ troubles: [{ when, what: kind, times: 1 }] });
  await expect(createListing(sandbox)).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(sandbox.order('acme/o-1').listings).toHaveLength(created);
  expect(sandbox.requests('createListing')).toMatchObject([{ status: null, trouble: kind }]);
  await createListing(sandbox);
});

test('status answers without acting, with headers and a body of the script', async () => {
  const headers = { 'retry-after': '2' };
  const what: TroubleInput['what'] = { kind: 'status', status: 429, headers, body: { message: 'slow' } };
  const sandbox = await quickSandbox({ troubles: [{ when, what }] });
  const reply = await ask(sandbox, 'POST', '/v2/listings', { json: listingBody() });
  expect([reply.status, reply.headers['retry-after'], reply.body]).toEqual([429, '2', { message: 'slow' }]);
  expect(sandbox.ledger().orders).toEqual({});
});

test('a status without a body has the usual error body', async () => {
  const sandbox = await quickSandbox({ troubles: [{ when, what: { kind: 'status', status: 503 } }] });
  const reply = await ask(sandbox, 'POST', '/v2/listings', { json: listingBody() });
  expect(reply.body).toEqual({ reason: 'Scripted trouble: 503.', errors: [] });
});

test('statusAfter acts and answers something else', async () => {
  const sandbox = await quickSandbox({ troubles: [{ when, what: { kind: 'statusAfter', status: 201 } }] });
  const reply = await ask(sandbox, 'POST', '/v2/listings', { json: listingBody() });
  expect([reply.status, reply.headers['location']]).toEqual([201, undefined]);
  expect(sandbox.order('acme/o-1').listings).toHaveLength(1);
});

test('delay acts at once and answers late', async () => {
  const sandbox = await quickSandbox({ troubles: [{ when, what: { kind: 'delay', delayMs: 300 } }] });
  let isAnswered = false;
  const creating = createListing(sandbox).finally(() => (isAnswered = true));
  await until(
    () => sandbox.order('acme/o-1').listings.length,
    (count) => count === 1,
  );
  expect(isAnswered).toBe(false);
  await creating;
});

test('delayBefore acts late, also when nobody waits for the answer any more', async () => {
  const sandbox = await quickSandbox({ troubles: [{ when, what: { kind: 'delayBefore', delayMs: 400 } }] });
  const givenUp = new AbortController();
  const asked = request(`${sandbox.url}/v2/listings`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-key', 'content-type': 'application/json' },
    body: JSON.stringify(listingBody()),
    signal: givenUp.signal,
  });
  const end = asked.then(
    () => 'answered',
    (error: unknown) => String(error),
  );
  await until(
    () => sandbox.requests('createListing').length,
    (count) => count === 1,
  );
  givenUp.abort(new Error('given up'));
  expect(await end).toBe('Error: given up');
  expect(sandbox.order('acme/o-1').listings).toEqual([]);
  await until(
    () => sandbox.order('acme/o-1').listings.length,
    (count) => count === 1,
  );
});

test('truncate breaks the body off in the middle', async () => {
  const sandbox = await quickSandbox({ troubles: [{ when: 'getListing', what: 'truncate' }] });
  const listingId = await createListing(sandbox);
  await expect(ask(sandbox, 'GET', `/v2/listings/${listingId}`)).rejects.toMatchObject({
    code: 'UND_ERR_SOCKET',
  });
});

test('stall sends half a body and then nothing', async () => {
  const sandbox = await quickSandbox({ troubles: [{ when: 'getListing', what: 'stall' }] });
  const listingId = await createListing(sandbox);
  const answer = await request(`${sandbox.url}/v2/listings/${listingId}`, {
    headers: { authorization: 'Bearer sandbox-key' },
    bodyTimeout: 50,
  });
  expect(answer.statusCode).toBe(200);
  await expect(answer.body.text()).rejects.toMatchObject({ code: 'UND_ERR_BODY_TIMEOUT' });
});

test('a trouble skips its first requests, hits a few and leaves the rest alone', async () => {
  const sandbox = await quickSandbox({
    troubles: [{ when: { request: when, after: 1 }, what: { kind: 'status', status: 500 }, times: 2 }],
  });
  const statuses: number[] = [];
  for (let count = 0; count < 4; count += 1)
    statuses.push((await ask(sandbox, 'POST', '/v2/listings', { json: listingBody() })).status);
  expect(statuses).toEqual([201, 500, 500, 201]);
});

test('a trouble can be meant for one order, and one follows the other', async () => {
  const sandbox = await quickSandbox();
  const json = [
    { when: { request: when, match: 'acme/o-1' }, what: { kind: 'status', status: 502 }, times: 1 },
    { when, whom: 'acme/o-1', what: { kind: 'status', status: 504 }, times: 1 },
  ];
  expect((await ask(sandbox, 'POST', '/_sandbox/troubles', { json })).status).toBe(201);
  await createListing(sandbox, { referenceNumbers: [{ number: 'acme/o-2', type: 'ThirdPartyOrderNumber' }] });
  const statusOf = async (): Promise<number> =>
    (await ask(sandbox, 'POST', '/v2/listings', { json: listingBody() })).status;
  expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([502, 504, 201]);
});

test('troubles are listed and deleted, and one that makes no sense is explained', async () => {
  const sandbox = await quickSandbox();
  const wrong = await ask(sandbox, 'POST', '/_sandbox/troubles', { json: { when, what: 'status' } });
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('needs a status')]);
  const unknown = await ask(sandbox, 'POST', '/_sandbox/troubles', {
    json: { when: 'nowhere', what: 'stall' },
  });
  expect(errorFields(unknown)).toEqual(['when.request']);
  await ask(sandbox, 'POST', '/_sandbox/troubles', { json: { when: '*', what: 'hangUpBefore' } });
  expect((await ask(sandbox, 'GET', '/_sandbox/troubles')).body).toMatchObject({
    items: [{ when: { request: '*' }, what: { kind: 'hangUpBefore' }, hits: 0 }],
  });
  expect((await ask(sandbox, 'DELETE', '/_sandbox/troubles')).status).toBe(204);
  await createListing(sandbox);
});

test.each([
  ['the order', 'acme/o-1'],
  ['the listing', undefined],
  ['the account', { account: 'us' }],
] as const)('a trouble strikes the requests of %s that it names, and no others', async (_what, whom) => {
  const accounts = [
    { name: 'us', apiKeys: ['sandbox-key'] },
    { name: 'others', apiKeys: ['their-key'] },
  ];
  const sandbox = await quickSandbox({ accounts });
  const mine = await createListing(sandbox);
  const json = listingBody({ referenceNumbers: [{ number: 'acme/o-2', type: 'ThirdPartyOrderNumber' }] });
  const made = await ask(sandbox, 'POST', '/v2/listings', { json, key: 'their-key' });
  const theirs = String(made.headers['location']).split('/').at(-1);
  sandbox.trouble({ when: 'getListing', whom: whom ?? { listing: mine }, what: 'outage' });
  const read = async (id: unknown, key: string): Promise<number> =>
    (await ask(sandbox, 'GET', `/v2/listings/${String(id)}`, { key })).status;
  expect([await read(mine, 'sandbox-key'), await read(theirs, 'their-key')]).toEqual([503, 200]);
});
