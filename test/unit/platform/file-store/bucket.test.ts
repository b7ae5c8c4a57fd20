import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createBucketStore, createFileStore, type FileStore } from '../../../../src/platform/file-store';
import { sha256Of } from '../../../../src/platform/file-store/file-store';
import { closeProxies, setEnvironment, startProxy } from '../network/proxy-server';
import { startS3Server, type S3Server } from './s3-server';

const BYTES = Buffer.from('a bill of lading');
const HASH = sha256Of(BYTES);
const KEY = `/shipments/consign/docs/${HASH.slice(0, 2)}/${HASH}`;
const VARIABLES = { AWS_ACCESS_KEY_ID: 'AKIDTEST', AWS_SECRET_ACCESS_KEY: 'secret' };

let server: S3Server;
let store: FileStore;

beforeAll(async () => {
  Object.assign(process.env, VARIABLES);
  server = await startS3Server(VARIABLES.AWS_ACCESS_KEY_ID);
  store = createFileStore({
    kind: 'bucket',
    bucket: 'shipments',
    prefix: 'consign/docs',
    endpoint: server.url,
    region: 'us-east-1',
  });
}, 30_000);
afterEach(closeProxies);
afterAll(async () => {
  for (const name of Object.keys(VARIABLES)) Reflect.deleteProperty(process.env, name);
  await server.close();
});

test('a file is put below the prefix, signed with the credentials of the environment, and read back', async () => {
  expect(await store.put(BYTES)).toBe(HASH);
  expect(server.objects.get(KEY)?.equals(BYTES)).toBe(true);
  expect(Buffer.from(await store.get(HASH)).equals(BYTES)).toBe(true);
  expect(server.requests).toEqual([`PUT ${KEY}`, `GET ${KEY}`]);
});

test('the same content twice is one object', async () => {
  await store.put(BYTES);
  await store.put(BYTES);
  expect([...server.objects.keys()]).toEqual([KEY]);
});

test('brief trouble at the bucket is overcome', async () => {
  server.failNext(1);
  expect(await store.put(BYTES)).toBe(HASH);
});

test('an absent file says where it was looked for', async () => {
  await expect(store.get('a'.repeat(64))).rejects.toMatchObject({
    name: 'FileStoreError',
    reason: 'absent',
    message: expect.stringContaining('bucket shipments'),
  });
});

test('a file whose content was changed in the bucket is refused', async () => {
  await store.put(BYTES);
  server.objects.set(KEY, Buffer.from('another bill of lading'));
  await expect(store.get(HASH)).rejects.toMatchObject({ reason: 'damaged' });
  server.objects.delete(KEY);
});

test('only a hash becomes a path', async () => {
  await expect(store.get('../../secrets')).rejects.toMatchObject({ reason: 'badAddress' });
});

test('an error names the bucket that refuses access', async () => {
  process.env.AWS_ACCESS_KEY_ID = 'ANOTHER';
  const { url } = server;
  const other = createFileStore({
    ...{ kind: 'bucket', bucket: 'shipments', prefix: '', endpoint: url, region: 'us-east-1' },
  });
  await expect(other.put(BYTES)).rejects.toMatchObject({
    name: 'FileStoreError',
    reason: 'unreachable',
    message: expect.stringMatching(/^bucket shipments cannot be used: AccessDenied/),
  });
});

test('a bucket that does not answer is abandoned in time', async () => {
  const silent = createServer(() => {});
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port } = silent.address() as AddressInfo;
  const location = {
    bucket: 'shipments',
    prefix: '',
    endpoint: `http://127.0.0.1:${port}`,
    region: 'eu-west-1',
  };
  const started = Date.now();
  await expect(createBucketStore(location, 300).put(BYTES)).rejects.toMatchObject({ reason: 'unreachable' });
  expect(Date.now() - started).toBeLessThan(3_000);
  silent.closeAllConnections();
  silent.close();
});

const bucketAt = (endpoint: string, timeoutMs?: number): FileStore =>
  createBucketStore({ bucket: 'shipments', prefix: '', endpoint, region: 'us-east-1' }, timeoutMs);

test('a bucket is reached through the proxy, and one in NO_PROXY directly', async () => {
  const proxy = await startProxy({ hosts: { 's3.example.invalid': Number(new URL(server.url).port) } });
  setEnvironment({ ...VARIABLES, HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, NO_PROXY: '127.0.0.1' });
  const path = `/shipments/${HASH.slice(0, 2)}/${HASH}`;
  const behind = bucketAt('http://s3.example.invalid');
  expect(await behind.put(BYTES)).toBe(HASH);
  expect(Buffer.from(await behind.get(HASH)).equals(BYTES)).toBe(true);
  const asked = proxy.seen.map((line) => line.replace(/\?.*/, ''));
  expect(asked).toEqual([`PUT http://s3.example.invalid${path}`, `GET http://s3.example.invalid${path}`]);
  await bucketAt(server.url).put(BYTES);
  expect(proxy.seen).toHaveLength(2);
});

test('a bucket behind a proxy that refuses cannot be used', async () => {
  const proxy = await startProxy({ status: 403 });
  setEnvironment({ HTTPS_PROXY: proxy.url });
  await expect(bucketAt('https://s3.example.invalid').put(BYTES)).rejects.toMatchObject({
    reason: 'unreachable',
    message: expect.stringContaining('the proxy answered 403'),
  });
});
