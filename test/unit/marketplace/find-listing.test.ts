import { afterEach, expect, test } from '@jest/globals';
import { ApiError, UnexpectedResponseError } from '../../../src/marketplace/errors';
import { anAccount, closeAll, aMarketplace, startServer } from './server';

afterEach(closeAll);

const RECORD = (listingId: string) => ({ listingId: Number(listingId), title: 'Sofa' });

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
  const marketplace = aMarketplace(anAccount(server.url, { auth }));
  const find = async (listingId: string, witnesses: readonly string[] | null = []) =>
    await marketplace.findListing({ listingId, witnesses }).catch((error: unknown) => error);
  return {
    find,
    useKey: (to: string) => (key = to),
    readable,
  };
}

test('a 404 is believed of a key that has read a listing before', async () => {
  const { find, readable } = await open({ 'good-key': ['1'] });
  expect(await find('1')).toMatchObject({ listingId: '1' });
  readable['good-key'] = [];
  expect(await find('1')).toBeInstanceOf(ApiError);
});

test('a 404 is not believed of a key that has read nothing, nor of another key', async () => {
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

test.each(['<!DOCTYPE html><html></html>', '<html>gone</html>', '  <!-- proxy --><h1>404</h1>'])(
  'the page %s of a gateway says nothing about a listing, whoever asks',
  async (page) => {
    const { find } = await open({ 'good-key': ['1'] }, page);
    await find('1');
    expect(await find('2')).toBeInstanceOf(UnexpectedResponseError);
    expect(await find('2', null)).toBeInstanceOf(UnexpectedResponseError);
  },
);

test('a listing that may be anybody’s is absent by the word of the service', async () => {
  const { find } = await open({});
  expect(await find('1', null)).toBeInstanceOf(ApiError);
});
