import { createSecretKey } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { createLog } from '../../../src/platform/log';
import { createCodecServer } from '../../../src/codec-server/server';
import { EncryptionKeys } from '../../../src/temporal/encryption/encryption-keys';
import { createPayloadCodec } from '../../../src/temporal/encryption/payload-codec';

const UI = 'https://temporal.example.com';
const TOKEN = 'a-token-that-is-long';
let tokens = [TOKEN, 'a-token-of-support'];
const lines: string[] = [];
let server: FastifyInstance;

beforeAll(async () => {
  const ring = { writeWith: 'k', keys: new Map([['k', createSecretKey(Buffer.alloc(32, 7))]]) };
  const keys = await EncryptionKeys.open({
    read: async () => await Promise.resolve(ring),
    onWarning: () => undefined,
  });
  const log = createLog('test', 'trace', { write: (line) => void lines.push(line) });
  server = await createCodecServer({
    ...{ codec: createPayloadCodec(keys), origins: [UI], log },
    tokens: async () => await Promise.resolve(tokens),
  });
});
afterAll(async () => await server.close());
beforeEach(() => {
  tokens = [TOKEN, 'a-token-of-support'];
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
/** As the web UI and the command line send it. */
const PLAIN = { metadata: { encoding: base64('json/plain') }, data: base64('"Zebulon Quux"') };
const ask = async (url: string, payload: unknown, headers: Record<string, string> = {}) =>
  await server.inject({
    ...{ method: 'POST', url },
    headers: {
      ...{ authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', 'x-namespace': 'default' },
      ...headers,
    },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });

test('it encodes and decodes payloads in the form of Temporal: JSON, with bytes in base64', async () => {
  const encoded = await ask('/encode', { payloads: [PLAIN, PLAIN] });
  expect(encoded.statusCode).toBe(200);
  expect(encoded.headers['content-type']).toMatch(/^application\/json/);
  const { payloads } = encoded.json<{ payloads: { metadata: Record<string, string>; data: string }[] }>();
  expect(payloads.map(({ metadata }) => metadata)).toEqual(
    Array.from({ length: 2 }, () => ({
      encoding: base64('binary/encrypted'),
      'encryption-key-id': base64('k'),
    })),
  );
  expect(encoded.body).not.toContain(PLAIN.data);
  const decoded = await ask('/decode', { payloads: [...payloads, PLAIN] });
  expect(decoded.json()).toEqual({ payloads: [PLAIN, PLAIN, PLAIN] });
});

const NOTHING = { payloads: [{ metadata: { encoding: base64('binary/null') } }] };
const ANSWERS: readonly (readonly [string, object, object])[] = [
  ['no payloads', { payloads: [] }, { payloads: [] }],
  ['an empty message', {}, { payloads: [] }],
  ['a payload of nothing', NOTHING, NOTHING],
];
test.each(ANSWERS)('%s is answered like that', async (_, sent, answer) => {
  const { statusCode, body } = await ask('/decode', sent);
  expect({ statusCode, body: JSON.parse(body) as unknown }).toMatchObject({ statusCode: 200, body: answer });
});

test.each([
  ['none', ''],
  ['a wrong one', 'Bearer a-token-that-is-lonh'],
  ['an empty one', 'Bearer '],
  ['another scheme', `Basic ${TOKEN}`],
])('with %s for a token it reads nothing', async (_, authorization) => {
  for (const url of ['/decode', '/encode']) {
    const { statusCode, headers, body } = await ask(url, 'x'.repeat(9 * 1024 * 1024), { authorization });
    expect({ statusCode, challenge: headers['www-authenticate'] }).toEqual({
      ...{ statusCode: 401, challenge: 'Bearer' },
    });
    expect(body).toContain('Authorization: Bearer TOKEN');
  }
});

test('a token that was taken back is refused at once, and a new one is taken', async () => {
  const with2 = async (token: string) =>
    (await ask('/decode', { payloads: [] }, { authorization: `bearer ${token}` })).statusCode;
  expect(await with2('a-token-of-support')).toBe(200);
  tokens = [TOKEN, 'a-new-token-of-support'];
  expect(await with2('a-token-of-support')).toBe(401);
  expect(await with2('a-new-token-of-support')).toBe(200);
});

const preflight = async (origin: string, url = '/decode') =>
  await server.inject({
    ...{ method: 'OPTIONS', url },
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,x-namespace',
    },
  });

test('a page of the web UI may call it, with its token', async () => {
  const { statusCode, headers } = await preflight(UI);
  expect(statusCode).toBe(204);
  expect(headers).toMatchObject({
    'access-control-allow-origin': UI,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'authorization, content-type, x-namespace',
    'access-control-allow-credentials': 'true',
    vary: expect.stringMatching(/Origin/i),
  });
  const answer = await ask('/decode', { payloads: [] }, { origin: UI });
  expect(answer.headers['access-control-allow-origin']).toBe(UI);
  const refused = await ask('/decode', { payloads: [] }, { origin: UI, authorization: '' });
  expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([401, UI]);
});

test.each(['https://evil.example', 'http://temporal.example.com', `${UI}.evil.example`, 'null'])(
  'a page of %s may not',
  async (origin) => {
    expect((await preflight(origin)).headers).not.toHaveProperty('access-control-allow-origin');
    const { headers } = await ask('/decode', { payloads: [] }, { origin });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  },
);

test.each([
  ['no JSON', '{"payloads": [Zebulon', {}, 400],
  ['payloads that are no list', { payloads: 'Zebulon' }, {}, 400],
  ['data that is not base64', { payloads: [{ data: 'Zebulon Quux!' }] }, {}, 400],
  ['another content type', 'Zebulon', { 'content-type': 'text/plain' }, 415],
  ['more than 8 MiB', { payloads: [{ data: 'Zebulon'.repeat(1_500_000) }] }, {}, 413],
])('%s is refused, and neither answer nor log repeats it', async (_, sent, headers, status) => {
  const { statusCode, body } = await ask('/decode', sent, headers);
  expect(statusCode).toBe(status);
  expect(JSON.parse(body)).toEqual({ error: expect.stringMatching(/^send /) });
  expect(body + lines.join('')).not.toContain('Zebulon');
});

test('a payload of an unknown key is refused with the id of the key', async () => {
  const payload = {
    metadata: { encoding: base64('binary/encrypted'), 'encryption-key-id': base64('2019-01') },
    data: base64('Zebulon'),
  };
  const { statusCode, body } = await ask('/decode', { payloads: [payload] });
  expect({ statusCode, body }).toEqual({ statusCode: 400, body: expect.stringContaining('2019-01') });
});

test('its health needs no token', async () => {
  expect((await server.inject('/health')).json()).toEqual({ codec: 'up' });
});
