import { afterEach, expect, test } from '@jest/globals';
import { ask, closeSandboxes, createListing, quickSandbox, asText } from './marketplace-client';

afterEach(closeSandboxes);

const client = { client_id: 'sandbox-client', client_secret: 'sandbox-secret' };
const path = '/v2/lookups/addressTypes';

test.each([
  ['no header', {}],
  ['a wrong key', { authorization: 'Bearer nonsense' }],
  ['bearer in small letters', { authorization: 'bearer sandbox-key' }],
  ['two spaces', { authorization: 'Bearer  sandbox-key' }],
  ['x-api-key while its switch is off', { 'x-api-key': 'sandbox-key' }],
])('a request with %s answers 401', async (_what, headers) => {
  const sandbox = await quickSandbox();
  const reply = await ask(sandbox, 'GET', path, { key: null, headers });
  expect([reply.status, reply.body['reason']]).toEqual([401, expect.stringContaining('Unauthorized')]);
});

test('x-api-key is accepted by its switch', async () => {
  const sandbox = await quickSandbox({ switches: { xApiKey: true } });
  const headers = { 'x-api-key': 'sandbox-key' };
  expect((await ask(sandbox, 'GET', path, { key: null, headers })).status).toBe(200);
});

test('client credentials give a token that opens the API', async () => {
  const sandbox = await quickSandbox();
  const form = { grant_type: 'client_credentials', ...client };
  const { status, body } = await ask(sandbox, 'POST', '/oauth/token', { form, key: null });
  expect(status).toBe(200);
  expect(body).toEqual({
    access_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 600,
    refresh_token: expect.any(String),
  });
  expect((await ask(sandbox, 'GET', path, { key: asText(body['access_token']) })).status).toBe(200);
});

test('a refresh token works once, and not at all while its switch refuses it', async () => {
  const sandbox = await quickSandbox();
  const issued = await ask(sandbox, 'POST', '/oauth/token', {
    form: { grant_type: 'client_credentials', ...client },
  });
  const form = { grant_type: 'refresh_token', refresh_token: asText(issued.body['refresh_token']) };
  const renewed = await ask(sandbox, 'POST', '/oauth/token', { form });
  expect(renewed.status).toBe(200);
  const again = await ask(sandbox, 'POST', '/oauth/token', { form });
  expect([again.status, again.body]).toMatchObject([400, { error: 'invalid_grant' }]);
  sandbox.setSwitches({ refreshGrant: 'refused' });
  const fresh = { ...form, refresh_token: asText(renewed.body['refresh_token']) };
  expect((await ask(sandbox, 'POST', '/oauth/token', { form: fresh })).status).toBe(400);
});

test.each([
  [
    'a wrong secret',
    { grant_type: 'client_credentials', ...client, client_secret: 'no' },
    401,
    'invalid_client',
  ],
  ['no grant', { ...client }, 400, 'invalid_request'],
  ['another grant', { grant_type: 'implicit', ...client }, 400, 'unsupported_grant_type'],
])('a token request with %s is refused', async (_what, form, status, error) => {
  const sandbox = await quickSandbox();
  const reply = await ask(sandbox, 'POST', '/oauth/token', { form });
  expect([reply.status, reply.body]).toMatchObject([status, { error }]);
});

test('a token request in JSON is refused: the endpoint is form-encoded', async () => {
  const sandbox = await quickSandbox();
  const reply = await ask(sandbox, 'POST', '/oauth/token', {
    json: { grant_type: 'client_credentials', ...client },
  });
  expect([reply.status, reply.body['error']]).toEqual([400, 'invalid_request']);
});

test('the password grant has an endpoint of its own', async () => {
  const sandbox = await quickSandbox();
  const form = {
    grant_type: 'password',
    username: 'shipper@example.com',
    password: 'sandbox-password',
    ...client,
  };
  const { body } = await ask(sandbox, 'POST', '/oauth/token_authenticated', { form });
  expect((await ask(sandbox, 'GET', path, { key: asText(body['access_token']) })).status).toBe(200);
  const wrong = { ...form, password: 'no' };
  expect((await ask(sandbox, 'POST', '/oauth/token_authenticated', { form: wrong })).status).toBe(400);
});

test('a token ends when its lifetime is over, and when it is ended by hand', async () => {
  const sandbox = await quickSandbox({ switches: { tokenLifetimeInSeconds: 0 } });
  const form = { grant_type: 'client_credentials', ...client };
  const tokenOf = async (): Promise<string> =>
    asText((await ask(sandbox, 'POST', '/oauth/token', { form })).body['access_token']);
  expect((await ask(sandbox, 'GET', path, { key: await tokenOf() })).status).toBe(401);
  sandbox.setSwitches({ tokenLifetimeInSeconds: 60 });
  const key = await tokenOf();
  expect((await ask(sandbox, 'GET', path, { key })).status).toBe(200);
  sandbox.trouble({ what: 'expireTokens' });
  expect((await ask(sandbox, 'GET', path, { key })).status).toBe(401);
});

test('ending sessions signs users out, with their tokens, and leaves clients alone', async () => {
  const sandbox = await quickSandbox();
  const listingId = await createListing(sandbox);
  const user = { userName: 'shipper@example.com', password: 'sandbox-password' };
  const json = { grant_type: 'password', ...user, issuer: 'None' };
  const signedIn = await ask(sandbox, 'POST', '/mvc/authentication/signin', { json });
  const cookie = asText([signedIn.headers['set-cookie']].flat()[0]).split(';')[0] ?? '';
  const link = async (): Promise<number> =>
    (
      await ask(sandbox, 'GET', `/listing/track/${listingId}/trackinglink`, {
        key: null,
        headers: { cookie },
      })
    ).status;
  const grant = async (url: string, form: Record<string, string>) =>
    (await ask(sandbox, 'POST', url, { form: { ...form, ...client } })).body;
  const password = { grant_type: 'password', username: user.userName, password: user.password };
  const ofUser = await grant('/oauth/token_authenticated', password);
  const ofClient = await grant('/oauth/token', { grant_type: 'client_credentials' });
  const read = async (tokens: typeof ofUser): Promise<number> =>
    (await ask(sandbox, 'GET', path, { key: asText(tokens['access_token']) })).status;
  expect([await link(), await read(ofUser), await read(ofClient)]).toEqual([200, 200, 200]);
  const ends = { json: { what: 'endSessions' } };
  expect((await ask(sandbox, 'POST', '/_sandbox/troubles', ends)).status).toBe(201);
  expect([await link(), await read(ofUser), await read(ofClient)]).toEqual([401, 401, 200]);
  const again = { grant_type: 'refresh_token', refresh_token: asText(ofUser['refresh_token']) };
  expect(await grant('/oauth/token_authenticated', again)).toMatchObject({ error: 'invalid_grant' });
});

test('a new key kills the old one at once', async () => {
  const sandbox = await quickSandbox();
  await createListing(sandbox);
  const json = { what: { kind: 'rotateKey', key: 'rotated' } };
  await ask(sandbox, 'POST', '/_sandbox/troubles', { json });
  expect((await ask(sandbox, 'GET', path)).status).toBe(401);
  expect((await ask(sandbox, 'GET', path, { key: 'rotated' })).status).toBe(200);
});

test('a sign-in with a wrong password or another grant sets no cookie', async () => {
  const sandbox = await quickSandbox();
  const json = { grant_type: 'password', userName: 'shipper@example.com', password: 'no', issuer: 'None' };
  const wrong = await ask(sandbox, 'POST', '/mvc/authentication/signin', { json });
  expect([wrong.status, wrong.headers['set-cookie']]).toEqual([401, undefined]);
  expect((await ask(sandbox, 'POST', '/mvc/authentication/signin', { json: {} })).status).toBe(400);
});

test.each([
  ['developerMessage', { errors: [] }],
  ['message', { message: expect.stringContaining('Unauthorized') }],
] as const)('with errorBody %s an error has that body', async (errorBody, expected) => {
  const sandbox = await quickSandbox({ switches: { errorBody } });
  expect((await ask(sandbox, 'GET', path, { key: null })).body).toEqual(expected);
});

test('errors can be a page or nothing at all', async () => {
  const sandbox = await quickSandbox({ switches: { errorBody: 'html' } });
  expect((await ask(sandbox, 'GET', path, { key: null })).text).toMatch(/^<!doctype html><html>/u);
  sandbox.setSwitches({ errorBody: 'empty' });
  const reply = await ask(sandbox, 'GET', path, { key: null });
  expect([reply.status, reply.text]).toEqual([401, '']);
});
