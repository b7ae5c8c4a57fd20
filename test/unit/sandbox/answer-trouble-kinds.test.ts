import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test } from '@jest/globals';
import { request } from 'undici';
import type { TroubleInput } from '../../../sandbox';
import {
  acceptanceBody,
  ask,
  asText,
  closeSandboxes,
  collectRates,
  createListing,
  errorFields,
  listingBody,
  quickSandbox,
  until,
  type Reply,
} from './marketplace-client';

afterEach(closeSandboxes);

async function createUnder(what: TroubleInput['what']): Promise<{ reply: Reply; created: number }> {
  const sandbox = await quickSandbox({ troubles: [{ when: 'createListing', what }] });
  const reply = await ask(sandbox, 'POST', '/v2/listings', { json: listingBody() });
  return { reply, created: sandbox.order('acme/o-1').listings.length };
}

test('noLocation creates the listing and keeps its address to itself', async () => {
  const { reply, created } = await createUnder({ kind: 'noLocation' });
  expect([reply.status, reply.headers['location'], created]).toEqual([201, undefined, 1]);
});

test('foreignLocation names another host, otherLocation another listing', async () => {
  const foreign = await createUnder({ kind: 'foreignLocation' });
  expect(foreign.reply.headers['location']).toMatch(/^https:\/\/elsewhere\.example\/v2\/listings\/\d{9}$/u);
  const sandbox = await quickSandbox({ troubles: [{ when: 'createListing', what: 'otherLocation' }] });
  const reply = await ask(sandbox, 'POST', '/v2/listings', { json: listingBody() });
  const [listing] = sandbox.order('acme/o-1').listings;
  expect(reply.headers['location']).toMatch(/\/v2\/listings\/\d{9}$/u);
  expect(reply.headers['location']).not.toContain(String(listing?.listingId));
});

async function bytesUnder(kind: 'unreadable' | 'garbage') {
  const sandbox = await quickSandbox({ troubles: [{ when: 'createListing', what: kind }] });
  const { statusCode, headers, body } = await request(`${sandbox.url}/v2/listings`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-key', 'content-type': 'application/json' },
    body: JSON.stringify(listingBody()),
  });
  const bytes = Buffer.from(await body.arrayBuffer());
  return { statusCode, headers, bytes, created: sandbox.order('acme/o-1').listings.length };
}

test('unreadable is a 201 with its Location whose body cannot be decoded', async () => {
  const { statusCode, headers, bytes, created } = await bytesUnder('unreadable');
  expect([statusCode, headers['content-encoding'], created]).toEqual([201, 'gzip', 1]);
  expect(headers['location']).toMatch(/\d{9}$/u);
  expect(() => gunzipSync(bytes)).toThrow('unexpected end of file');
});

test('garbage is a 201 with a page instead of JSON, and without Location', async () => {
  const { statusCode, headers, bytes, created } = await bytesUnder('garbage');
  expect([statusCode, headers['location'], created]).toEqual([201, undefined, 1]);
  expect(headers['content-type']).toContain('application/json');
  expect(bytes.toString()).toMatch(/^<!doctype html>/u);
});

test.each([
  ['ipRefused', 403, /IP address/u],
  ['suspended', 403, /suspended/u],
  ['duplicate', 400, /Duplicate/u],
  ['outage', 503, /unavailable/u],
] as const)('%s refuses with %i and creates nothing', async (kind, status, reason) => {
  const { reply, created } = await createUnder({ kind });
  expect([reply.status, created]).toEqual([status, 0]);
  expect(reply.body['reason']).toMatch(reason);
});

test('fieldError has the code and the field that were asked for', async () => {
  const { reply } = await createUnder({ kind: 'fieldError', code: 40_010, field: 'description' });
  expect(reply.body).toMatchObject({ errors: [{ code: 40_010, field: 'description', severity: 'Error' }] });
});

test.each(['cardDeclined', 'cardExpired'] as const)('%s refuses an acceptance', async (kind) => {
  const sandbox = await quickSandbox({ troubles: [{ when: 'acceptRate', what: kind }] });
  const [rate] = await collectRates(sandbox);
  const json = await acceptanceBody(sandbox);
  const reply = await ask(sandbox, 'POST', `/v2/rates/${asText(rate?.['id'])}/acceptance`, { json });
  expect([reply.status, errorFields(reply)]).toEqual([400, ['paymentMethodId']]);
  expect(sandbox.order('acme/o-1').acceptances).toEqual([]);
});

test('Retry-After is a number of seconds or a date', async () => {
  const seconds = await createUnder({ kind: 'outage', retryAfter: 3 });
  expect(seconds.reply.headers['retry-after']).toBe('3');
  const date = await createUnder({ kind: 'status', status: 429, retryAfter: 60, retryAfterForm: 'date' });
  const wait = Date.parse(asText(date.reply.headers['retry-after'])) - Date.now();
  expect(wait).toBeGreaterThan(50_000);
});

test('a trouble ends by itself after forMs', async () => {
  const sandbox = await quickSandbox();
  sandbox.trouble({ when: { request: '*', forMs: 1000 }, what: 'outage' });
  const statusOf = async (): Promise<number> =>
    (await ask(sandbox, 'GET', '/v2/lookups/addressTypes')).status;
  expect(await statusOf()).toBe(503);
  await until(statusOf, (status) => status === 200);
});

test('bookBefore lets a carrier win the race against DELETE', async () => {
  const sandbox = await quickSandbox({
    clock: { steps: { booking: 1e9 } },
    troubles: [{ when: 'deleteListing', what: 'bookBefore' }],
  });
  const listingId = await createListing(sandbox);
  expect((await ask(sandbox, 'DELETE', `/v2/listings/${listingId}`)).status).toBe(403);
  expect(sandbox.order('acme/o-1').liveBookings).toBe(1);
});

test('clockSkewInSeconds moves the Date header and the timestamps', async () => {
  const sandbox = await quickSandbox({ switches: { clockSkewInSeconds: 3600 } });
  const reply = await ask(sandbox, 'GET', `/v2/listings/${await createListing(sandbox)}`);
  for (const time of [reply.headers['date'], reply.body['createdOn']])
    expect(Date.parse(asText(time)) - Date.now()).toBeGreaterThan(3_500_000);
});

test('x-api-key counts only on the endpoints that take it', async () => {
  const sandbox = await quickSandbox({
    switches: { xApiKey: true, xApiKeyEndpoints: ['listAddressTypes'] },
  });
  const how = { key: null, headers: { 'x-api-key': 'sandbox-key' } };
  expect((await ask(sandbox, 'GET', '/v2/lookups/addressTypes', how)).status).toBe(200);
  expect((await ask(sandbox, 'GET', '/v2/paymentmethods?topLevelCommodity=ltl', how)).status).toBe(401);
});
