import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { download, DownloadError, type DownloadOptions } from '../../../src/documents/download';
import { guardedLookup, isLinkLocal } from '../../../src/documents/link-local';
import { closeAll, deadUrl, startServer } from '../marketplace/server';

afterEach(closeAll);
const LIMITS: DownloadOptions = { maxBytes: 1_000, timeoutMs: 20_000, plainHttp: 'thisMachine' };
const fetched = async (url: string, over: Partial<DownloadOptions> = {}): Promise<DownloadError | string> =>
  await download(url, { ...LIMITS, ...over }).then(
    (bytes) => Buffer.from(bytes).toString(),
    (error: unknown) => {
      if (error instanceof DownloadError) return error;
      throw error;
    },
  );

test('a file is fetched whole, and no credentials go along', async () => {
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

test.each([404, 403, 410, 500, 204])('the status %i is told', async (status) => {
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

test('a host that sends drop by drop is given up at the deadline', async () => {
  const server = await startServer((_request, response) => {
    response.writeHead(200);
    const drops = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(drops));
  });
  const started = Date.now();
  expect(await fetched(server.url, { timeoutMs: 300 })).toMatchObject({
    trouble: 'noAnswer',
    message: expect.stringContaining('300 ms'),
  });
  expect(Date.now() - started).toBeLessThan(1_500);
});

test('the caller can end it', async () => {
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

test('no error of a signed address tells its signature', async () => {
  const server = await startServer((_request, response) => response.writeHead(403).end('signature=secret'));
  const error = await fetched(`${server.url}/documents/7?signature=secret`);
  expect(JSON.stringify(error) + String(error)).not.toContain('secret');
});

test('only addresses of the local link count as such; private ones may hold files', () => {
  expect(['169.254.0.1', 'fe80::1', 'fd00:ec2::254', '::ffff:169.254.169.254'].every(isLinkLocal)).toBe(true);
  expect(['10.0.0.5', '192.168.1.9', '127.0.0.1', '::1', 'example.com', '8.8.8.8'].some(isLinkLocal)).toBe(
    false,
  );
});

test('a name that stands for an address of the local link is refused when it is looked up', async () => {
  const lookedUp = async (name: string) =>
    await new Promise((resolve) => {
      guardedLookup(name, { all: true }, (error, addresses) => resolve(error?.code ?? addresses));
    });
  expect(await lookedUp('169.254.169.254')).toBe('LINK_LOCAL');
  expect(await lookedUp('127.0.0.1')).toEqual([{ address: '127.0.0.1', family: 4 }]);
});
