import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { afterEach, expect, test } from '@jest/globals';
import { request } from 'undici';
import type { AnswerTrouble } from '../../../sandbox/troubles/trouble';
import {
  ask,
  bookedListing,
  closeSandboxes,
  createListing,
  listingBody,
  quickSandbox,
} from './marketplace-client';

afterEach(closeSandboxes);

/** The bytes of the answer to a create call that meets the trouble, by a client that accepts no compression. */
async function bytesUnder(what: AnswerTrouble) {
  const sandbox = await quickSandbox({ troubles: [{ when: 'createListing', what }] });
  const { statusCode, headers, body } = await request(`${sandbox.url}/v2/listings`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer sandbox-key',
      'content-type': 'application/json',
      'accept-encoding': 'identity',
    },
    body: JSON.stringify(listingBody()),
  });
  const bytes = Buffer.from(await body.arrayBuffer());
  return { statusCode, headers, bytes, created: sandbox.order('acme/o-1').listings.length };
}

test.each([
  ['gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
] as const)(
  'a refusal is compressed by %s although the client accepts no compression',
  async (encoding, decode) => {
    const { statusCode, headers, bytes, created } = await bytesUnder({ kind: 'duplicate', encoding });
    expect([statusCode, headers['content-encoding'], created]).toEqual([400, encoding, 0]);
    expect(headers['content-type']).toContain('application/json');
    expect(JSON.parse(decode(bytes).toString())).toMatchObject({ errors: [{ code: 40_001 }] });
  },
);

test.each([
  [{ kind: 'status', status: 422, body: { reason: 'No.' } }, 422, 0, '{"reason":"No."}'],
  [{ kind: 'statusAfter', status: 504, body: 'Too late' }, 504, 1, 'Too late'],
  [{ kind: 'fieldError', field: 'title' }, 400, 0, '"field":"title"'],
] as const)('a trouble of %j is compressed where it says so', async (what, status, created, text) => {
  const answer = await bytesUnder({ ...what, encoding: 'gzip' });
  expect([answer.statusCode, answer.created]).toEqual([status, created]);
  expect(gunzipSync(answer.bytes).toString()).toContain(text);
});

test('a broken encoding claims gzip and cannot be decoded', async () => {
  const { statusCode, headers, bytes } = await bytesUnder({ kind: 'duplicate', encoding: 'broken' });
  expect([statusCode, headers['content-encoding']]).toEqual([400, 'gzip']);
  expect(() => gunzipSync(bytes)).toThrow('unexpected end of file');
});

test.each([
  [{ kind: 'status', status: 400, contentType: 'text/html' }, 400],
  [{ kind: 'duplicate', contentType: 'text/html; charset=utf-8' }, 400],
  [{ kind: 'outage', contentType: 'text/html' }, 503],
] as const)('a trouble of %j answers with a page', async (what, status) => {
  const { statusCode, headers, bytes, created } = await bytesUnder(what);
  expect([statusCode, headers['content-type'], created]).toEqual([status, what.contentType, 0]);
  expect(bytes.toString()).toMatch(/^<!doctype html>/u);
});

test.each(['GET', 'DELETE'])(
  'a false absence answers %s with a page and leaves the listing',
  async (method) => {
    const endpoint = method === 'GET' ? 'getListing' : 'deleteListing';
    const sandbox = await quickSandbox({ troubles: [{ when: endpoint, what: 'falseAbsence', times: 1 }] });
    const listingId = await createListing(sandbox);
    const reply = await ask(sandbox, method, `/v2/listings/${listingId}`);
    expect([reply.status, reply.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect((await ask(sandbox, 'GET', `/v2/listings/${listingId}`)).status).toBe(200);
    expect(sandbox.order('acme/o-1').deletedListings).toEqual([]);
  },
);

test.each([
  [{ kind: 'status', status: 200 }, ''],
  [{ kind: 'status', status: 200, contentType: 'text/html' }, '<!doctype html>'],
  [{ kind: 'garbage' }, '<!doctype html>'],
] as const)(
  'a bill of lading under %j is a 200 that starts with %j, until the trouble is used up',
  async (what, start) => {
    const sandbox = await quickSandbox({ clock: { steps: { billOfLading: 0 } } });
    const listingId = await bookedListing(sandbox);
    sandbox.trouble({ when: 'getBillOfLading', what, times: 1 });
    const path = `/v2/listings/${listingId}/billoflading`;
    const { statusCode, body } = await request(`${sandbox.url}${path}`, {
      headers: { authorization: 'Bearer sandbox-key' },
    });
    const text = await body.text();
    expect([statusCode, text.slice(0, 15)]).toEqual([200, start]);
    expect((await ask(sandbox, 'GET', path)).body).toHaveProperty('document');
  },
);

test('only the listing whose path a trouble names cannot be read', async () => {
  const sandbox = await quickSandbox();
  const [first, second] = [await createListing(sandbox), await createListing(sandbox)];
  sandbox.trouble({
    when: { request: 'getListing', match: `/v2/listings/${first}` },
    what: { kind: 'status', status: 502 },
  });
  const statuses = await Promise.all(
    [first, second].map(async (id) => (await ask(sandbox, 'GET', `/v2/listings/${id}`)).status),
  );
  expect(statuses).toEqual([502, 200]);
});
