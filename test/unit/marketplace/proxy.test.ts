import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { afterEach, expect, test } from '@jest/globals';
import type { MarketplaceAuth } from '../../../src/marketplace/account';
import {
  closeProxies,
  setEnvironment,
  startProxy,
  type ProxyManners,
} from '../platform/network/proxy-server';
import {
  aMarketplace,
  anAccount,
  closeAll,
  deadUrl,
  failureOf,
  reply,
  startRawServer,
  startServer,
  type SeenRequest,
} from './server';

afterEach(async () => await Promise.all([closeAll(), closeProxies()]));

const acceptance = { rateId: 'r'.repeat(24), paymentMethodId: 'p-1', coverage: null };
const portOf = (url: string): number => Number(new URL(url).port);

/** A marketplace that only the proxy finds, by a name that no look-up knows. */
async function behindProxy(
  manners: ProxyManners = {},
  answer: Parameters<typeof startServer>[0] = reply(200, { items: [] }),
) {
  const server = await startServer(answer);
  const proxy = await startProxy({ hosts: { 'api.example.invalid': portOf(server.url) }, ...manners });
  return { server, proxy };
}

test.each(['HTTP_PROXY', 'http_proxy'])('a call goes through the proxy of %s', async (name) => {
  const { server, proxy } = await behindProxy();
  setEnvironment({ [name]: proxy.url.replace('//', '//me:pass%20word@') });
  await aMarketplace(anAccount('http://api.example.invalid/v1')).listRates('x');
  expect(proxy.seen).toEqual(['GET http://api.example.invalid/v1/v2/raterequests/x/rates']);
  expect(proxy.logins).toEqual([`Basic ${btoa('me:pass word')}`]);
  expect(server.seen[0]?.headers).toMatchObject({
    host: 'api.example.invalid',
    authorization: 'Bearer key-secret-1',
  });
  expect(server.seen[0]?.headers).not.toHaveProperty('proxy-authorization');
});

test('writes, token grants and the web sign-in go through the proxy too', async () => {
  const answer = ({ url }: SeenRequest) =>
    url.startsWith('/oauth')
      ? reply(200, { access_token: 'token-1', expires_in: 60 })
      : url.includes('signin')
        ? reply(200, {}, { 'set-cookie': 'ticket=1' })
        : reply(202, '', { location: '/v2/rates/r/acceptance/status/e-1' });
  const { proxy } = await behindProxy({}, (request, response) => answer(request)(request, response));
  setEnvironment({ HTTP_PROXY: proxy.url });
  const secret = async () => await Promise.resolve('s-1');
  const auth: MarketplaceAuth = { kind: 'clientCredentials', clientId: secret, clientSecret: secret };
  const web = { username: secret, password: secret };
  const marketplace = aMarketplace(anAccount('http://api.example.invalid', { auth, web }));
  await marketplace.acceptRate(acceptance);
  await marketplace.signIn();
  expect(proxy.seen).toEqual([
    'POST http://api.example.invalid/oauth/token',
    `POST http://api.example.invalid/v2/rates/${acceptance.rateId}/acceptance`,
    'POST http://api.example.invalid/mvc/authentication/signin',
  ]);
});

test.each([
  ['NO_PROXY', '127.0.0.1'],
  ['no_proxy', 'example.com 127.0.0.1'],
  ['NO_PROXY', '*'],
])('a host of %s=%s is called directly', async (name, hosts) => {
  const { server, proxy } = await behindProxy();
  setEnvironment({ HTTP_PROXY: proxy.url, [name]: hosts });
  const marketplace = aMarketplace(anAccount(server.url));
  await marketplace.listRates('x');
  await failureOf(marketplace.acceptRate(acceptance));
  expect(proxy.seen).toEqual([]);
  expect(server.seen).toHaveLength(2);
});

test.each([
  [{ status: 502 }, 'the proxy answered 502'],
  [{ status: 407 }, 'the proxy answered 407'],
  [{ status: 403 }, 'the proxy answered 403'],
  [{ hangsUp: true }, 'the proxy made no connection to the host'],
])('a proxy that opens no tunnel (%j) certainly sent nothing', async (manners, reason) => {
  const { server, proxy } = await behindProxy(manners);
  setEnvironment({ HTTPS_PROXY: proxy.url.replace('//', '//me:secret-1@') });
  const marketplace = aMarketplace(anAccount('https://api.example.invalid'));
  for (const call of [marketplace.acceptRate(acceptance), marketplace.listRates('x')]) {
    const error = await failureOf(call);
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'notSent', code: 'PROXY_REFUSED' });
    expect(String(error)).toContain(`${reason}, before the request was sent`);
    expect(String(error)).not.toContain('secret-1');
  }
  // Once each: a tunnel that is refused is not asked for again and again.
  expect(proxy.seen).toEqual(Array(2).fill('CONNECT api.example.invalid:443'));
  expect(server.seen).toEqual([]);
});

test('a proxy that is not there certainly sent nothing', async () => {
  setEnvironment({ HTTPS_PROXY: await deadUrl() });
  for (const url of ['https://api.example.invalid', 'http://api.example.invalid'])
    expect(await failureOf(aMarketplace(anAccount(url)).acceptRate(acceptance))).toMatchObject({
      outcome: 'notSent',
    });
});

test('a proxy that never answers CONNECT has sent nothing at the deadline', async () => {
  setEnvironment({ HTTPS_PROXY: await startRawServer(() => undefined) });
  const marketplace = aMarketplace(anAccount('https://api.example.invalid'), { defaultTimeoutMs: 300 });
  expect(await failureOf(marketplace.acceptRate(acceptance))).toMatchObject({
    outcome: 'notSent',
    code: 'DEADLINE',
  });
});

test.each([
  [502, 'inDoubt'],
  [503, 'inDoubt'],
  [504, 'inDoubt'],
  [407, 'accountTrouble'],
])("the proxy's own %i to a write over plain http is %s", async (status, outcome) => {
  const { server, proxy } = await behindProxy({ status });
  setEnvironment({ HTTP_PROXY: proxy.url });
  const marketplace = aMarketplace(anAccount('http://api.example.invalid'));
  expect(await failureOf(marketplace.acceptRate(acceptance))).toMatchObject({
    name: 'ApiError',
    status,
    outcome,
  });
  expect(proxy.seen).toHaveLength(1);
  expect(server.seen).toEqual([]);
});

test('a proxy that hangs up during a write over plain http leaves it in doubt', async () => {
  const { proxy } = await behindProxy({ hangsUp: true });
  setEnvironment({ HTTP_PROXY: proxy.url });
  const marketplace = aMarketplace(anAccount('http://api.example.invalid'));
  expect(await failureOf(marketplace.acceptRate(acceptance))).toMatchObject({
    name: 'ConnectionError',
    outcome: 'inDoubt',
  });
  expect(proxy.seen).toHaveLength(1);
});

const pem = path.join(__dirname, '..', '..', 'fixtures', 'tls', 'this-host.pem');

/** A marketplace with https, which hangs up once it heard something. */
async function startTlsServer() {
  let heard = '';
  const key = readFileSync(pem, 'utf8');
  const server = tls.createServer({ key, cert: key }, (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard: () => heard,
    close: async () => await new Promise((resolve) => server.close(resolve)),
  };
}

test('behind a tunnel the certificate must be the host’s, and otherwise the write was not sent', async () => {
  const { url, heard, close } = await startTlsServer();
  const proxy = await startProxy();
  setEnvironment({ HTTPS_PROXY: proxy.url });
  expect(await failureOf(aMarketplace(anAccount(url)).acceptRate(acceptance))).toMatchObject({
    outcome: 'notSent',
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  });
  expect(proxy.seen).toEqual([`CONNECT ${new URL(url).host}`]);
  expect(heard()).toBe('');
  await close();
});

test('a write that is lost in an open tunnel is in doubt, and the proxy saw none of it', async () => {
  const { url, heard, close } = await startTlsServer();
  const proxy = await startProxy();
  const script = path.join(__dirname, 'call-over-tls.ts');
  const preload = path.join(__dirname, '..', '..', 'support', 'run-typescript.js');
  const { stdout } = await promisify(execFile)(process.execPath, ['--require', preload, script, url], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: pem, HTTPS_PROXY: proxy.url },
  });
  expect(JSON.parse(stdout)).toMatchObject({ name: 'ConnectionError', outcome: 'inDoubt' });
  expect(heard()).toMatch(/^POST \/v2\/rates\/r{24}\/acceptance HTTP\/1\.1/);
  expect(proxy.seen).toEqual([`CONNECT ${new URL(url).host}`]);
  await close();
});

test('a write whose time to send passes while it connects to the proxy sends no byte', async () => {
  const { proxy } = await behindProxy();
  setEnvironment({ HTTP_PROXY: proxy.url });
  let looks = 0;
  const marketplace = aMarketplace(anAccount('http://api.example.invalid'));
  const call = marketplace.acceptRate(acceptance, { mayStillSend: () => ++looks < 2 });
  expect(await failureOf(call)).toMatchObject({ outcome: 'notSent', code: 'TOO_LATE_TO_SEND' });
  expect(proxy.seen).toEqual([]);
});
