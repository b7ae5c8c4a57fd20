import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import type { MarketplaceAuth } from '../../../src/marketplace/account';
import { aMarketplace, anAccount, closeAll, failureOf, reply, startServer, type TestServer } from './server';

afterEach(closeAll);

const clientCredentials: MarketplaceAuth = {
  kind: 'clientCredentials',
  clientId: async () => 'client-1',
  clientSecret: async () => 'hush-hush',
};

interface Script {
  readonly expiresIn?: number | string;
  readonly refresh?: number;
  readonly refused?: readonly string[];
  readonly grantStatus?: number;
  /** Refusals wait here until the test lets them go. */
  readonly waiting?: (() => void)[];
}

/** Hands out t1, t2, … and takes any but the refused ones. */
async function startTokenServer(script: Script = {}): Promise<TestServer & { grants(): URLSearchParams[] }> {
  let count = 0;
  const server = await startServer((request, response) => {
    if (!request.url.startsWith('/oauth/')) {
      const isRefused = script.refused?.includes(request.headers.authorization ?? '') === true;
      const answer = (): void => reply(isRefused ? 401 : 200, { items: [] })(request, response);
      if (isRefused && script.waiting !== undefined) script.waiting.push(answer);
      else answer();
      return;
    }
    const grantType = new URLSearchParams(request.body).get('grant_type');
    const status = grantType === 'refresh_token' ? (script.refresh ?? 200) : (script.grantStatus ?? 200);
    if (status !== 200) {
      reply(status, { error: 'invalid_grant', error_description: 'refused hush-hush' })(request, response);
      return;
    }
    count += 1;
    const body = {
      access_token: `t${count}`,
      token_type: 'bearer',
      expires_in: script.expiresIn,
      refresh_token: `r${count}`,
    };
    setTimeout(() => reply(200, body)(request, response), 30);
  });
  const grants = () =>
    server.seen.filter(({ url }) => url.startsWith('/oauth/')).map(({ body }) => new URLSearchParams(body));
  return { ...server, grants };
}

const tokensUsed = (server: TestServer) =>
  server.seen.filter(({ url }) => !url.startsWith('/oauth/')).map(({ headers }) => headers.authorization);

test('many calls at once ask for one token', async () => {
  const server = await startTokenServer({ expiresIn: 600 });
  const marketplace = aMarketplace(anAccount(server.url, { auth: clientCredentials }));
  await Promise.all(Array.from({ length: 8 }, async () => await marketplace.listRates('x')));
  expect(server.grants().map((form) => Object.fromEntries(form))).toEqual([
    { client_id: 'client-1', client_secret: 'hush-hush', grant_type: 'client_credentials' },
  ]);
  expect(new Set(tokensUsed(server))).toEqual(new Set(['Bearer t1']));
});

test.each(['clientCredentials', 'passwordGrant'] as const)(
  'the client or user that obtained a token by %s keeps its fingerprint while the token is used and refreshed, even when the secrets change',
  async (kind) => {
    const server = await startTokenServer({ expiresIn: 600, refused: ['Bearer t2'] });
    let now = 1_000_000;
    let name = 'one';
    const nameOf = async () => await Promise.resolve(name);
    const secrets = { clientId: nameOf, clientSecret: nameOf, username: nameOf, password: nameOf };
    const account = anAccount(server.url, { auth: { kind, ...secrets } });
    const marketplace = aMarketplace(account, { now: () => now });
    const asked: string[] = [];
    const observe = (_answer: unknown, askedBy: string) => void asked.push(askedBy);
    const ask = async () => await marketplace.listRates('x', { observe }).catch(() => null);
    await ask();
    name = 'two';
    await ask();
    now += 595_000;
    await ask();
    await ask();
    const [first = '', , , last = ''] = asked;
    expect(first).toMatch(/^[0-9a-f]{8}$/u);
    expect(asked).toEqual([first, first, first, last]);
    expect(last).not.toBe(first);
  },
);

test('a token is refreshed before it expires', async () => {
  const server = await startTokenServer({ expiresIn: '600' });
  let now = 1_000_000;
  const marketplace = aMarketplace(anAccount(server.url, { auth: clientCredentials }), { now: () => now });
  await marketplace.listRates('x');
  now += 530_000;
  await marketplace.listRates('x');
  now += 15_000;
  await marketplace.listRates('x');
  expect(server.grants().map((form) => form.get('grant_type'))).toEqual([
    'client_credentials',
    'refresh_token',
  ]);
  expect(server.grants()[1]?.get('refresh_token')).toBe('r1');
  expect(tokensUsed(server)).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2']);
});

test.each([
  ['about to end', 545_000],
  ['over', 700_000],
])('many calls whose token is %s make one refresh, and all of them use its result', async (_, age) => {
  const server = await startTokenServer({ expiresIn: 600 });
  let now = 1_000_000;
  const marketplace = aMarketplace(anAccount(server.url, { auth: clientCredentials }), { now: () => now });
  await marketplace.listRates('x');
  now += age;
  await Promise.all(Array.from({ length: 12 }, async () => await marketplace.listRates('x')));
  expect(server.grants().map((form) => [form.get('grant_type'), form.get('refresh_token')])).toEqual([
    ['client_credentials', null],
    ['refresh_token', 'r1'],
  ]);
  expect(tokensUsed(server)).toEqual(['Bearer t1', ...Array.from({ length: 12 }, () => 'Bearer t2')]);
});

test('many calls whose refresh is refused share the fresh grant too', async () => {
  const server = await startTokenServer({ expiresIn: 600, refresh: 400 });
  let now = 1_000_000;
  const marketplace = aMarketplace(anAccount(server.url, { auth: clientCredentials }), { now: () => now });
  await marketplace.listRates('x');
  now += 700_000;
  await Promise.all(Array.from({ length: 12 }, async () => await marketplace.listRates('x')));
  expect(server.grants().map((form) => form.get('grant_type'))).toEqual([
    'client_credentials',
    'refresh_token',
    'client_credentials',
  ]);
  expect(new Set(tokensUsed(server).slice(1))).toEqual(new Set(['Bearer t2']));
});

test('two running calls with one refused token cost one grant, and the new token survives the late refusal', async () => {
  const waiting: (() => void)[] = [];
  const server = await startTokenServer({ expiresIn: 600, refused: ['Bearer t1'], waiting });
  const marketplace = aMarketplace(anAccount(server.url, { auth: clientCredentials }));
  const calls = [failureOf(marketplace.listRates('x')), failureOf(marketplace.listRates('x'))] as const;
  while (waiting.length < 2) await delay(5);
  waiting[0]?.();
  expect(await Promise.race(calls)).toMatchObject({ status: 401 });
  await marketplace.listRates('x');
  waiting[1]?.();
  expect(await Promise.all(calls)).toMatchObject([{ status: 401 }, { status: 401 }]);
  await marketplace.listRates('x');
  expect(tokensUsed(server)).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2', 'Bearer t2']);
  expect(server.grants().map((form) => form.get('grant_type'))).toEqual([
    'client_credentials',
    'client_credentials',
  ]);
});

test('a refused refresh becomes a fresh grant', async () => {
  const server = await startTokenServer({ expiresIn: 600, refresh: 400 });
  let now = 1_000_000;
  const marketplace = aMarketplace(anAccount(server.url, { auth: clientCredentials }), { now: () => now });
  await marketplace.listRates('x');
  now += 700_000;
  await marketplace.listRates('x');
  expect(server.grants().map((form) => form.get('grant_type'))).toEqual([
    'client_credentials',
    'refresh_token',
    'client_credentials',
  ]);
});

test('a refresh that fails temporarily leaves the valid token in use', async () => {
  const server = await startTokenServer({ expiresIn: 600, refresh: 503 });
  let now = 1_000_000;
  const marketplace = aMarketplace(anAccount(server.url, { auth: clientCredentials }), { now: () => now });
  await marketplace.listRates('x');
  now += 560_000;
  await marketplace.listRates('x');
  expect(tokensUsed(server)).toEqual(['Bearer t1', 'Bearer t1']);
});

test('a 401 drops the token that was used', async () => {
  const server = await startTokenServer({ expiresIn: 600, refused: ['Bearer t1'] });
  const marketplace = aMarketplace(anAccount(server.url, { auth: clientCredentials }));
  expect(await failureOf(marketplace.listRates('x'))).toMatchObject({
    status: 401,
    outcome: 'accountTrouble',
  });
  await marketplace.listRates('x');
  expect(tokensUsed(server)).toEqual(['Bearer t1', 'Bearer t2']);
});

test('a token that worked before and is now refused is not account trouble yet', async () => {
  const refused: string[] = [];
  const server = await startTokenServer({ expiresIn: 600, refused });
  const marketplace = aMarketplace(anAccount(server.url, { auth: clientCredentials }));
  await marketplace.listRates('x');
  refused.push('Bearer t1', 'Bearer t2');
  expect(await failureOf(marketplace.listRates('x'))).toMatchObject({ status: 401, outcome: 'notSent' });
  expect(await failureOf(marketplace.listRates('x'))).toMatchObject({
    status: 401,
    outcome: 'accountTrouble',
  });
});

test.each([
  [400, 'accountTrouble'],
  [503, 'notSent'],
])('a write whose token is answered %i was not sent and is %s', async (grantStatus, outcome) => {
  const server = await startTokenServer({ grantStatus });
  const marketplace = aMarketplace(anAccount(server.url, { auth: clientCredentials }));
  const error = await failureOf(
    marketplace.acceptRate({ rateId: 'r', paymentMethodId: 'p', coverage: null }),
  );
  expect(error).toMatchObject({ outcome, path: '/oauth/token', operation: 'grantToken' });
  expect(String(error)).not.toContain('hush-hush');
  expect(tokensUsed(server)).toEqual([]);
});

test('the password grant has a separate address', async () => {
  const server = await startTokenServer();
  const auth: MarketplaceAuth = {
    ...clientCredentials,
    kind: 'passwordGrant',
    username: async () => 'ada',
    password: async () => 'pass word',
  };
  await aMarketplace(anAccount(server.url, { auth })).listRates('x');
  expect(server.seen[0]?.url).toBe('/oauth/token_authenticated');
  expect(Object.fromEntries(server.grants()[0] ?? [])).toEqual({
    client_id: 'client-1',
    client_secret: 'hush-hush',
    grant_type: 'password',
    username: 'ada',
    password: 'pass word',
  });
});

test('the second scheme sends its header and no bearer', async () => {
  const server = await startServer(reply(200, { items: [] }));
  await aMarketplace(anAccount(server.url, { auth: { kind: 'xApiKey', key: async () => 'k-2' } })).listRates(
    'x',
  );
  expect(server.seen[0]?.headers).toMatchObject({ 'x-api-key': 'k-2' });
  expect(server.seen[0]?.headers.authorization).toBeUndefined();
});

test('the next call uses a rotated key', async () => {
  const server = await startServer(reply(200, { items: [] }));
  let key = 'old';
  const marketplace = aMarketplace(anAccount(server.url, { auth: { kind: 'apiKey', key: async () => key } }));
  await marketplace.listRates('x');
  key = 'new';
  await marketplace.listRates('x');
  expect(tokensUsed(server)).toEqual(['Bearer old', 'Bearer new']);
});

test.each([
  ['empty', async () => ' '],
  ['holds a line break', async () => 'a\nb'],
  ['holds a control character', async () => 'a\u0007b'],
  ['holds a character that is not ASCII', async () => 'sk\u2013live'],
  ['holds a character that is not ASCII', async () => 'clé'],
  ['could not be read', async () => await Promise.reject(new Error('no such file'))],
])('an invalid key (%s) is account trouble before anything is sent', async (problem, key) => {
  const server = await startServer(reply(200, { items: [] }));
  const error = await failureOf(
    aMarketplace(anAccount(server.url, { auth: { kind: 'apiKey', key } })).listRates('x'),
  );
  expect(error).toMatchObject({
    name: 'CredentialsError',
    outcome: 'accountTrouble',
    message: expect.stringContaining(problem),
  });
  expect(server.seen).toEqual([]);
});
