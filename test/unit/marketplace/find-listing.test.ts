import { afterEach, expect, test } from '@jest/globals';
import type { KnownReading } from '../../../src/domain/known-reading';
import { ApiError, UnexpectedResponseError } from '../../../src/marketplace/errors';
import { anAccount, closeAll, aMarketplace, startServer } from './server';

afterEach(closeAll);

const RECORD = (listingId: string) => ({ listingId: Number(listingId), title: 'Sofa' });

type Witnesses = readonly (string | KnownReading)[] | null;

/** Listings that the key of the moment can read; anything else answers 404, with `page` in place of the error body. */
async function open(readable: Record<string, readonly string[]>, page: string | null = null) {
  let key = 'good-key';
  const server = await startServer(({ url, headers }, response) => {
    const listingId = url.split('/').at(-1) ?? '';
    const owned = readable[headers.authorization?.slice(7) ?? ''] ?? [];
    if (url.startsWith('/v2/lookups')) response.end('{"totalCount":0,"items":[]}');
    else if (owned.includes(listingId)) response.end(JSON.stringify(RECORD(listingId)));
    else response.writeHead(404).end(page ?? '{"reason":"not found"}');
  });
  const auth = { kind: 'apiKey', key: async () => await Promise.resolve(key) } as const;
  let marketplace = aMarketplace(anAccount(server.url, { auth }));
  const find = async (listingId: string, witnesses: Witnesses = [], readBy: readonly string[] = []) => {
    const known = witnesses?.map((one) => (typeof one === 'string' ? { listingId: one, readBy: [] } : one));
    const input = { listingId, readBy, witnesses: known ?? null };
    return await marketplace.findListing(input).catch((error: unknown) => error);
  };
  const readerOf = async (listingId: string) => (await marketplace.getListing(listingId)).readBy ?? '';
  return {
    ...{ find, readerOf },
    /** What was kept in memory is lost. */
    restart: () => (marketplace = aMarketplace(anAccount(server.url, { auth }))),
    useKey: (to: string) => (key = to),
    readable,
  };
}

test('a 404 is believed if the key has read the listing before', async () => {
  const { find, readable } = await open({ 'good-key': ['1'] });
  expect(await find('1')).toMatchObject({ listingId: '1' });
  readable['good-key'] = [];
  expect(await find('1')).toBeInstanceOf(ApiError);
});

test('a 404 is not believed if the key has read nothing, or another key has', async () => {
  const { find, useKey } = await open({ 'good-key': ['1'], 'other-key': ['9'] });
  expect(await find('2')).toBeInstanceOf(UnexpectedResponseError);
  await find('1');
  useKey('other-key');
  expect(await find('1')).toBeInstanceOf(UnexpectedResponseError);
});

test('a new key of the same account proves itself by another listing', async () => {
  const { find, useKey } = await open({ 'good-key': ['1'], 'new-key': ['1', '2'] });
  await find('1');
  useKey('new-key');
  expect(await find('3')).toBeInstanceOf(ApiError);
  useKey('other-key');
  expect(await find('3', ['2'])).toBeInstanceOf(UnexpectedResponseError);
});

test('a key that has read its own listings proves nothing for a listing that another key has read', async () => {
  const { find, useKey } = await open({ 'good-key': ['1', '2'], 'other-key': ['8', '9'] });
  await find('1');
  useKey('other-key');
  await find('8');
  expect(await find('1')).toBeInstanceOf(UnexpectedResponseError);
  // Nor where only another listing of the order is known to have been read.
  expect(await find('7', ['1'])).toBeInstanceOf(UnexpectedResponseError);
  // Nor by a listing that it has booked for the order itself.
  expect(await find('1', ['8'])).toBeInstanceOf(UnexpectedResponseError);
  expect(await find('7')).toBeInstanceOf(ApiError);
});

test('a past reading is proof after a restart too, for the key that read and no other', async () => {
  const { find, useKey, readerOf, restart, readable } = await open({
    ...{ 'good-key': ['1', '2'], 'other-key': ['8'] },
  });
  const readBy = [await readerOf('1')];
  readable['good-key'] = ['2'];
  restart();
  expect(await find('1', [], readBy)).toBeInstanceOf(ApiError);
  expect(await find('3', [{ listingId: '1', readBy }])).toBeInstanceOf(ApiError);
  restart();
  useKey('other-key');
  await find('8');
  expect(await find('1', [{ listingId: '8', readBy: [await readerOf('8')] }], readBy)).toBeInstanceOf(
    UnexpectedResponseError,
  );
});

test('a rotated key is proven by a listing that the key before it has read', async () => {
  const { find, useKey, readerOf, restart, readable } = await open({ 'good-key': ['1', '2'] });
  const readBy = [await readerOf('1')];
  readable['new-key'] = ['2'];
  restart();
  useKey('new-key');
  expect(await find('1', [], readBy)).toBeInstanceOf(UnexpectedResponseError);
  expect(await find('1', ['2'], readBy)).toBeInstanceOf(UnexpectedResponseError);
  expect(await find('1', [{ listingId: '2', readBy }], readBy)).toBeInstanceOf(ApiError);
});

test('eight digits distinguish two keys, and contain nothing of them', async () => {
  const { useKey, readerOf } = await open({ 'good-key': ['1'], 'new-key': ['1'] });
  const first = await readerOf('1');
  expect(first).toMatch(/^[0-9a-f]{8}$/u);
  expect(await readerOf('1')).toBe(first);
  useKey('new-key');
  expect(await readerOf('1')).not.toBe(first);
});

test.each(['<!DOCTYPE html><html></html>', '<html>gone</html>', '  <!-- proxy --><h1>404</h1>'])(
  'the page %s of a gateway says nothing about a listing, whichever key asks',
  async (page) => {
    const { find } = await open({ 'good-key': ['1'] }, page);
    await find('1');
    expect(await find('2')).toBeInstanceOf(UnexpectedResponseError);
    expect(await find('2', null)).toBeInstanceOf(UnexpectedResponseError);
  },
);

test("for a listing that may be anybody’s the marketplace's 404 counts", async () => {
  const { find } = await open({});
  expect(await find('1', null)).toBeInstanceOf(ApiError);
});
