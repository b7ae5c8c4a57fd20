import dns from 'node:dns';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, jest, test } from '@jest/globals';
import { download, DownloadError, type DownloadOptions } from '../../../../src/platform/download/download';
import { guardedLookup, isLinkLocal } from '../../../../src/platform/download/link-local';
import { closeAll, deadUrl, reply, startServer } from '../../marketplace/server';
import { closeProxies, setEnvironment, startProxy } from '../network/proxy-server';

afterEach(async () => await Promise.all([closeAll(), closeProxies()]));
const LIMITS: DownloadOptions = { maxBytes: 1_000, timeoutMs: 20_000, plainHttp: 'thisMachine' };
const fetched = async (url: string, over: Partial<DownloadOptions> = {}): Promise<DownloadError | string> =>
  await download(url, { ...LIMITS, ...over }).then(
    (bytes) => Buffer.from(bytes).toString(),
    (error: unknown) => {
      if (error instanceof DownloadError) return error;
      throw error;
    },
  );

test('a file is fetched completely, without credentials', async () => {
  const server = await startServer((_request, response) => response.end('content'));
  expect(await fetched(`${server.url}/a.pdf?signature=secret`)).toBe('content');
  expect(server.seen[0]?.url).toBe('/a.pdf?signature=secret');
  expect(server.seen[0]?.headers).not.toHaveProperty('authorization');
  expect(server.seen[0]?.headers).not.toHaveProperty('cookie');
});

test.each([301, 302, 303, 307, 308])('a redirect (%i) is followed, also a relative one', async (status) => {
  const server = await startServer((request, response) =>
    request.url === '/end' ? response.end('end') : response.writeHead(status, { location: 'end' }).end(),
  );
  expect(await fetched(`${server.url}/start`)).toBe('end');
});

test.each([
  'http://example.com/a.pdf',
  'file:///etc/passwd',
  'ftp://127.0.0.1/a',
  'data:text/plain,hello',
  'http://169.254.169.254/latest/meta-data',
  'https://[fe80::1]/a',
  '',
])('a redirect to %j is not followed', async (location) => {
  const server = await startServer((_request, response) => response.writeHead(302, { location }).end());
  expect(await fetched(server.url)).toMatchObject({ trouble: 'badAddress' });
});

test('redirects in a circle end', async () => {
  const server = await startServer((_request, response) => response.writeHead(302, { location: '/' }).end());
  expect(await fetched(server.url)).toMatchObject({ trouble: 'badAddress' });
  expect(server.seen.length).toBeLessThanOrEqual(4);
});

test.each([
  'http://example.com/a.jpg',
  'https://user:password@example.com/a.jpg',
  'file:///etc/passwd',
  'not a url',
  '/relative.jpg',
  'https://169.254.169.254/latest',
  'https://2852039166/latest',
  'https://[::ffff:169.254.169.254]/latest',
])('%s may not be used, and nothing is sent', async (address) => {
  expect(await fetched(address)).toMatchObject({ trouble: 'badAddress', status: null });
});

test('http to another machine is for simulated marketplaces', async () => {
  expect(await fetched('http://nobody.invalid/a', { plainHttp: 'anywhere' })).toMatchObject({
    trouble: 'noAnswer',
  });
});

test.each([404, 403, 410, 500, 204])('the status %i is reported', async (status) => {
  const server = await startServer((_request, response) => response.writeHead(status).end());
  expect(await fetched(server.url)).toMatchObject({ trouble: 'status', status });
});

test.each([['with its length told'], ['without']])(
  'a file that is too large is not read, %s',
  async (how) => {
    const server = await startServer((_request, response) => {
      if (how === 'without') response.writeHead(200, { 'transfer-encoding': 'chunked' });
      response.write(Buffer.alloc(700));
      response.end(Buffer.alloc(700));
    });
    expect(await fetched(server.url)).toMatchObject({ trouble: 'tooLarge' });
    expect(await fetched(server.url, { maxBytes: 1_400 })).toHaveLength(1_400);
  },
);

test('a host that sends very slowly is abandoned at the deadline', async () => {
  const server = await startServer((_request, response) => {
    response.writeHead(200);
    const drops = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(drops));
  });
  // It never ends by itself.
  expect(await fetched(server.url, { timeoutMs: 300 })).toMatchObject({
    trouble: 'noAnswer',
    message: expect.stringContaining('300 ms'),
  });
});

test('the caller can end the download', async () => {
  const server = await startServer(() => {});
  const controller = new AbortController();
  const running = fetched(server.url, { signal: controller.signal });
  await delay(50);
  controller.abort();
  expect(await running).toMatchObject({ trouble: 'noAnswer' });
});

test('a host that cannot be reached is named, without path and signature', async () => {
  const url = await deadUrl();
  const error = await fetched(`${url}/documents/7?signature=secret`);
  expect(error).toMatchObject({ trouble: 'noAnswer', message: expect.stringContaining('ECONNREFUSED') });
  expect(String(error)).not.toContain('secret');
  expect(String(error)).not.toContain('/documents');
});

test('no error about a signed address shows its signature', async () => {
  const server = await startServer((_request, response) => response.writeHead(403).end('signature=secret'));
  const error = await fetched(`${server.url}/documents/7?signature=secret`);
  expect(JSON.stringify(error) + String(error)).not.toContain('secret');
});

test('only link-local addresses count as such; private ones may hold files', () => {
  expect(['169.254.0.1', 'fe80::1', 'fd00:ec2::254', '::ffff:169.254.169.254'].every(isLinkLocal)).toBe(true);
  expect(['10.0.0.5', '192.168.1.9', '127.0.0.1', '::1', 'example.com', '8.8.8.8'].some(isLinkLocal)).toBe(
    false,
  );
});

test('a name that resolves to a link-local address is refused at the look-up', async () => {
  const lookedUp = async (name: string) =>
    await new Promise((resolve) => {
      guardedLookup(name, { all: true }, (error, addresses) => resolve(error?.code ?? addresses));
    });
  expect(await lookedUp('169.254.169.254')).toBe('LINK_LOCAL');
  expect(await lookedUp('127.0.0.1')).toEqual([{ address: '127.0.0.1', family: 4 }]);
});

const PAPER = `%PDF-1.4 ${'signed by the carrier '.repeat(20)}`;

test.each([
  ['gzip', gzipSync(PAPER)],
  ['GZIP', gzipSync(PAPER)],
  ['x-gzip', gzipSync(PAPER)],
  ['deflate', deflateSync(PAPER)],
  ['deflate', deflateRawSync(PAPER)],
  ['br', brotliCompressSync(PAPER)],
  ['identity', Buffer.from(PAPER)],
  ['gzip, br', brotliCompressSync(gzipSync(PAPER))],
])('a document that is stored as %s is decoded', async (encoding, stored) => {
  const server = await startServer((_request, response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(stored),
  );
  expect(await fetched(server.url)).toBe(PAPER);
});

test.each([
  ['gzip', gzipSync(Buffer.alloc(1_001))],
  ['deflate', deflateSync(Buffer.alloc(50_000))],
  ['br', brotliCompressSync(Buffer.alloc(10_000_000))],
])('the limit applies to the document and not to its stored form: %s', async (encoding, stored) => {
  const server = await startServer((_request, response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(stored),
  );
  expect(stored.length).toBeLessThan(LIMITS.maxBytes);
  expect(await fetched(server.url)).toMatchObject({ trouble: 'tooLarge' });
});

test.each([
  ['gzip', Buffer.from(PAPER)],
  ['br', gzipSync(PAPER)],
  ['zstd', Buffer.from(PAPER)],
])('a document whose coding is wrong, %s, is not ready yet', async (encoding, stored) => {
  const server = await startServer((_request, response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(stored),
  );
  expect(await fetched(server.url)).toMatchObject({
    trouble: 'noAnswer',
    message: expect.stringContaining(`cannot be decoded as ${encoding}`),
  });
});

async function behindProxy() {
  const server = await startServer(reply(200, 'paper'));
  const port = Number(new URL(server.url).port);
  const proxy = await startProxy({
    hosts: { 'files.example.invalid': port, 'inside.example.invalid': port },
  });
  setEnvironment({ HTTP_PROXY: proxy.url });
  return proxy;
}

test('a document is fetched through the proxy, which alone may know its host', async () => {
  const proxy = await behindProxy();
  expect(await fetched('http://files.example.invalid/7?signature=s', { plainHttp: 'anywhere' })).toBe(
    'paper',
  );
  expect(proxy.seen).toEqual(['GET http://files.example.invalid/7?signature=s']);
});

test.each([
  ['http://169.254.169.254/latest', null],
  ['http://[fe80::1]/latest', null],
  ['http://2852039166/latest', null],
  ['http://inside.example.invalid/latest', [{ address: '169.254.169.254', family: 4 }]],
  [
    'http://inside.example.invalid/latest',
    [
      { address: '203.0.113.7', family: 4 },
      { address: 'fd00:ec2::254', family: 6 },
    ],
  ],
])('a proxy is not asked for a link-local address: %s as %j', async (address, found) => {
  const proxy = await behindProxy();
  if (found !== null)
    jest
      .spyOn(dns, 'lookup')
      .mockImplementation(((_name: string, _options: object, callback: (error: null, all: unknown) => void) =>
        callback(null, found)) as never);
  expect(await fetched(address, { plainHttp: 'anywhere' })).toMatchObject({ trouble: 'badAddress' });
  jest.restoreAllMocks();
  expect(proxy.seen).toEqual([]);
});

test('the connection to a host outside the proxy is guarded', async () => {
  const proxy = await behindProxy();
  setEnvironment({ NO_PROXY: 'example.invalid' });
  const address = 'http://files.example.invalid/7';
  expect(await fetched(address, { plainHttp: 'anywhere' })).toMatchObject({ trouble: 'noAnswer' });
  expect(proxy.seen).toEqual([]);
});

test.each([
  [407, 'the proxy answered 407'],
  [403, 'the proxy answered 403'],
])('a proxy that refuses with %i is named', async (status, reason) => {
  const proxy = await startProxy({ status });
  setEnvironment({ HTTPS_PROXY: proxy.url.replace('//', '//me:secret-1@') });
  const error = await fetched('https://files.example.invalid/7?signature=secret-2');
  expect(error).toMatchObject({ trouble: 'noAnswer', message: expect.stringContaining(reason) });
  expect(String(error)).not.toContain('secret');
});
