import net, { type AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { ApiError, ConnectionError, UnexpectedResponseError } from '../../../src/marketplace/errors';
import type { FinishedCall } from '../../../src/marketplace/http';
import {
  aMarketplace,
  anAccount,
  closeAll,
  deadUrl,
  failureOf,
  reply,
  startRawServer,
  startServer,
} from './server';

afterEach(closeAll);

/** A marketplace, and what it says of its calls. */
function observed(url: string, over: Parameters<typeof anAccount>[1] = {}) {
  const calls: FinishedCall[] = [];
  const marketplace = aMarketplace(anAccount(url, over), { onCall: (call) => calls.push(call) });
  return { marketplace, calls };
}

const acceptance = { rateId: 'r'.repeat(24), paymentMethodId: 'p-1', coverage: null };

test('a refused connection was certainly not sent', async () => {
  const marketplace = aMarketplace(anAccount(await deadUrl()));
  for (const call of [marketplace.acceptRate(acceptance), marketplace.getListing('1')]) {
    const error = await failureOf(call);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ outcome: 'notSent', phase: 'beforeSent', code: 'ECONNREFUSED' });
  }
});

test('an unknown host was certainly not sent', async () => {
  const error = await failureOf(aMarketplace(anAccount('http://nowhere.invalid')).acceptRate(acceptance));
  expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'notSent' });
});

test('a server that does not speak TLS got nothing', async () => {
  const url = await startRawServer((socket) => socket.end('no'));
  const error = await failureOf(aMarketplace(anAccount(url.replace('http', 'https'))).acceptRate(acceptance));
  expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'notSent' });
});

test('a connection that breaks after the request leaves it in doubt', async () => {
  const url = await startRawServer((socket) => socket.resetAndDestroy());
  const error = await failureOf(aMarketplace(anAccount(url)).acceptRate(acceptance));
  expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'inDoubt', phase: 'afterSent' });
});

test('a server that resets the connection after reading the whole request leaves it in doubt', async () => {
  let heard = '';
  let length = Number.NaN;
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      const [head = '', body = ''] = heard.split('\r\n\r\n');
      length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      if (body.length === length) socket.resetAndDestroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const error = await failureOf(aMarketplace(anAccount(url)).acceptRate(acceptance));
  expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'inDoubt', phase: 'afterSent' });
  expect(['ECONNRESET', 'UND_ERR_SOCKET']).toContain((error as ConnectionError).code);
  expect(heard).toMatch(/^POST .*\r\n/);
  expect(length).toBeGreaterThan(0);
  expect(JSON.parse(heard.slice(-length))).toMatchObject({ paymentMethodId: 'p-1' });
  await new Promise((resolve) => server.close(resolve));
});

test('a write whose time to send passes while it connects sends no byte', async () => {
  const { url, seen } = await startServer(reply(202));
  let looks = 0;
  const mayStillSend = (): boolean => ++looks < 2;
  const error = await failureOf(aMarketplace(anAccount(url)).acceptRate(acceptance, { mayStillSend }));
  expect(error).toMatchObject({ outcome: 'notSent', code: 'TOO_LATE_TO_SEND' });
  expect(looks).toBe(2);
  expect(seen).toEqual([]);
});

test('a connection that is closed without an answer leaves it in doubt', async () => {
  const url = await startRawServer((socket) => socket.end());
  expect(await failureOf(aMarketplace(anAccount(url)).acceptRate(acceptance))).toMatchObject({
    outcome: 'inDoubt',
  });
});

test('an answer that does not come in time leaves it in doubt', async () => {
  const { url } = await startServer(() => {});
  const error = await failureOf(aMarketplace(anAccount(url)).acceptRate(acceptance, { timeoutMs: 150 }));
  expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'inDoubt', code: 'DEADLINE' });
});

test('bytes that are no HTTP leave it in doubt', async () => {
  const url = await startRawServer((socket) => socket.end('garbage\r\n\r\n'));
  expect(await failureOf(aMarketplace(anAccount(url)).acceptRate(acceptance))).toMatchObject({
    outcome: 'inDoubt',
  });
});

test('a body that breaks off fails a read', async () => {
  const url = await startRawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"items"');
    setTimeout(() => socket.destroy(), 50);
  });
  const error = await failureOf(aMarketplace(anAccount(url)).listRates('x'));
  expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'inDoubt' });
});

test('a body that breaks off does not invalidate the Location before it', async () => {
  const url = await startRawServer((socket) => {
    socket.write(
      'HTTP/1.1 202 Accepted\r\nlocation: /v2/rates/r/acceptance/status/e-1\r\ncontent-length: 100\r\n\r\n{',
    );
    setTimeout(() => socket.destroy(), 50);
  });
  const receipt = await aMarketplace(anAccount(url)).acceptRate(acceptance);
  expect(receipt).toEqual({ kind: 'pending', executionId: 'e-1' });
});

test('an endless body is given up', async () => {
  const { url } = await startServer((_, response) => {
    response.writeHead(200);
    response.end(Buffer.alloc(9 * 1024 * 1024, 32));
  });
  const error = await failureOf(aMarketplace(anAccount(url)).listRates('x'));
  expect(error).toBeInstanceOf(UnexpectedResponseError);
  expect(error).toMatchObject({ expected: expect.stringContaining('at most') });
});

test('a success that is not JSON names what was expected', async () => {
  const { url } = await startServer(reply(200, '<html>hello</html>'));
  expect(await failureOf(aMarketplace(anAccount(url)).listRates('x'))).toMatchObject({
    name: 'UnexpectedResponseError',
    expected: 'a JSON body',
    outcome: 'inDoubt',
  });
});

test('a success without a usable Location leaves it in doubt', async () => {
  const { url } = await startServer(reply(202, {}));
  expect(await failureOf(aMarketplace(anAccount(url)).acceptRate(acceptance))).toMatchObject({
    name: 'UnexpectedResponseError',
    outcome: 'inDoubt',
    message: expect.stringContaining('Location'),
  });
});

test('a redirect is not followed', async () => {
  const server = await startServer(reply(307, '', { location: '/v2/elsewhere' }));
  const error = await failureOf(aMarketplace(anAccount(server.url)).acceptRate(acceptance));
  expect(error).toMatchObject({ name: 'UnexpectedResponseError', status: 307, outcome: 'inDoubt' });
  expect(server.seen).toHaveLength(1);
});

test.each([
  [400, 'rejected'],
  [401, 'accountTrouble'],
  [403, 'accountTrouble'],
  [404, 'rejected'],
  [408, 'inDoubt'],
  [409, 'inDoubt'],
  [425, 'inDoubt'],
  [429, 'notSent'],
  [500, 'inDoubt'],
  [503, 'inDoubt'],
])('an HTTP %i is an ApiError that is %s, after one attempt', async (status, outcome) => {
  const server = await startServer(
    reply(status, { reason: 'because' }, { 'retry-after': '7', 'x-request-id': 'c0ffee-11' }),
  );
  const error = await failureOf(aMarketplace(anAccount(server.url)).acceptRate(acceptance));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    status,
    outcome,
    method: 'POST',
    path: `/v2/rates/${acceptance.rateId}/acceptance`,
    requestId: 'c0ffee-11',
    retryAfterMs: 7_000,
    message: `POST /v2/rates/${acceptance.rateId}/acceptance answered ${status} [request c0ffee-11]`,
    words: 'because',
  });
  expect(server.seen).toHaveLength(1);
});

test('a write uses a new connection, and a read keeps one', async () => {
  const server = await startServer(reply(404));
  const marketplace = aMarketplace(anAccount(server.url));
  await failureOf(marketplace.deleteListing('1'));
  await failureOf(marketplace.getListing('1'));
  expect(server.seen.map(({ headers }) => headers.connection)).toEqual(['close', 'keep-alive']);
  expect(server.seen[0]?.headers).toMatchObject({
    authorization: 'Bearer key-secret-1',
    'user-agent': 'consign',
  });
});

test('an id is one part of the path', async () => {
  const server = await startServer(reply(404));
  const marketplace = aMarketplace(anAccount(`${server.url}/api`));
  await failureOf(marketplace.getListing('../x?y'));
  expect(server.seen[0]?.url).toBe('/api/v2/listings/..%2Fx%3Fy');
  expect(await failureOf(marketplace.deleteListing(''))).toMatchObject({
    name: 'InvalidRequestError',
    outcome: 'rejected',
  });
  expect(server.seen).toHaveLength(1);
});

test('a call that is cancelled ends at once', async () => {
  const { url } = await startServer(() => {});
  const controller = new AbortController();
  const call = failureOf(aMarketplace(anAccount(url)).listRates('x', { signal: controller.signal }));
  setTimeout(() => controller.abort(), 50);
  expect(await call).toMatchObject({ name: 'ConnectionError', code: 'ABORTED' });
});

test.each([200, 204, 404, 429, 503])(
  'a call that is answered %i is observed with it, once',
  async (status) => {
    const { url } = await startServer(reply(status, status === 204 ? '' : {}));
    const { marketplace, calls } = observed(url);
    await marketplace.listRates('x').catch((error: unknown) => error);
    expect(calls).toEqual([{ operation: 'listRates', status, durationMs: expect.any(Number) }]);
  },
);

test.each<[string, () => Promise<string>]>([
  ['whose connection is refused', deadUrl],
  ['whose connection breaks', async () => await startRawServer((socket) => socket.resetAndDestroy())],
  ['that gets no answer in time', async () => (await startServer(() => {})).url],
])('a call %s is observed as one without an answer', async (_how, start) => {
  const { marketplace, calls } = observed(await start());
  await failureOf(marketplace.acceptRate(acceptance, { timeoutMs: 150 }));
  expect(calls).toEqual([{ operation: 'acceptRate', status: 'noAnswer', durationMs: expect.any(Number) }]);
});

test('a call that was cancelled says nothing about the marketplace', async () => {
  const { url } = await startServer(() => {});
  const { marketplace, calls } = observed(url);
  await failureOf(marketplace.getListing('1', { signal: AbortSignal.timeout(100) }));
  expect(calls).toMatchObject([{ operation: 'getListing', status: 'cancelled' }]);
  expect(calls[0]?.durationMs).toBeGreaterThan(50);
});

test('the request for a token, and the sign-in to the web site, are observed as calls too', async () => {
  const { url } = await startServer((request, response) => {
    const isToken = request.url.startsWith('/oauth');
    reply(isToken ? 200 : 401, isToken ? { access_token: 't', expires_in: 60 } : {})(request, response);
  });
  const secret = async () => await Promise.resolve('s');
  const { marketplace, calls } = observed(url, {
    auth: { kind: 'clientCredentials', clientId: secret, clientSecret: secret },
    web: { username: secret, password: secret },
  });
  await failureOf(marketplace.getListing('1'));
  await failureOf(marketplace.getTrackingLink('1'));
  expect(calls.map(({ operation, status }) => [operation, status])).toEqual([
    ['grantToken', 200],
    ['getListing', 401],
    ['signIn', 401],
  ]);
});
