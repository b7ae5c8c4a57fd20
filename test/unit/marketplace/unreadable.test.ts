import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from '@jest/globals';
import { aFurnitureShipment } from '../../support/builders';
import { aMarketplace, anAccount, closeAll, failureOf, startRawServer, startServer } from './server';

afterEach(closeAll);

type Headers = Readonly<Record<string, string>>;

async function answering(status: number, body: Uint8Array | string, headers: Headers = {}) {
  const { url, seen } = await startServer((_, response) => {
    response.writeHead(status, headers);
    response.end(body);
  });
  return { marketplace: aMarketplace(anAccount(url)), seen };
}

const acceptance = { rateId: 'r'.repeat(24), paymentMethodId: 'p-1', coverage: null };
const draft = {
  shipment: aFurnitureShipment(),
  listPrice: { minorUnits: 10_000, currency: 'USD' },
  priceCorrelationId: null,
  sendId: 'SO-1.1',
};

/** How both bookings end that are refused with 400 and this body. */
async function refusedWith(body: Uint8Array | string, headers: Headers = {}): Promise<unknown[]> {
  const { marketplace } = await answering(400, body, headers);
  return [
    await failureOf(marketplace.createListing(draft)),
    await failureOf(marketplace.acceptRate(acceptance)),
  ];
}

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html; charset=utf-8' };
const duplicate = JSON.stringify({ reason: 'a duplicate listing already exists' });
const refusal = JSON.stringify({ errors: [{ field: 'title', code: '40006', reason: 'is too long' }] });
const page = '<html><head><title>Attention required</title></head><body>Go away</body></html>';
const compressions: [string, (text: string) => Uint8Array][] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['gzip, br', (text) => brotliCompressSync(gzipSync(text))],
  ['identity', Buffer.from],
];

test('every request asks for an uncompressed answer', async () => {
  const { marketplace, seen } = await answering(200, '{"items":[]}');
  await marketplace.listPaymentMethods('ltl');
  await failureOf(marketplace.createListing(draft));
  expect(seen.map(({ headers }) => headers['accept-encoding'])).toEqual(['identity', 'identity']);
});

test.each(compressions)(
  'a refusal in %s that mentions a duplicate is in doubt',
  async (encoding, compress) => {
    for (const error of await refusedWith(compress(duplicate), { ...json, 'content-encoding': encoding })) {
      expect(error).toMatchObject({ name: 'ApiError', outcome: 'inDoubt', status: 400 });
      expect(error).toMatchObject({ words: 'a duplicate listing already exists' });
    }
  },
);

test.each(compressions)('a refusal in %s that names a field is a refusal', async (encoding, compress) => {
  for (const error of await refusedWith(compress(refusal), { ...json, 'content-encoding': encoding })) {
    expect(error).toMatchObject({ outcome: 'rejected', codes: ['40006'], words: 'is too long' });
  }
});

test.each(compressions)('an answer in %s is read', async (encoding, compress) => {
  const list = JSON.stringify({ items: [{ id: 'p-1', type: 'creditcard', isPrimary: true, active: true }] });
  const { marketplace } = await answering(200, compress(list), { ...json, 'content-encoding': encoding });
  expect(JSON.stringify(await marketplace.listPaymentMethods('ltl'))).toContain('p-1');
});

test.each<[string, Uint8Array | string, Headers, string]>([
  ['half of a gzip', gzipSync(refusal).subarray(0, 20), { 'content-encoding': 'gzip' }, 'decoded as gzip'],
  ['plain text that claims to be gzip', refusal, { 'content-encoding': 'gzip' }, 'decoded as gzip'],
  ['nothing that claims to be br', '', { 'content-encoding': 'br' }, 'decoded as br'],
  ['zstd', Buffer.from('28b52ffd', 'hex'), { 'content-encoding': 'zstd' }, 'decoded as zstd'],
  [
    'gzip four times over',
    refusal,
    { 'content-encoding': 'gzip, gzip, gzip, gzip' },
    'decoded as gzip, gzip, gzip, gzip',
  ],
  ['gzip that nothing announces', gzipSync(refusal), json, 'not text'],
  ['Latin-1 that claims to be UTF-8', Buffer.from('{"reason":"Stra\xdfe"}', 'latin1'), json, 'not text'],
  ['UTF-16 that nothing announces', Buffer.from(refusal, 'utf16le'), json, 'not text'],
  ['a page in HTML', page, html, 'HTML'],
  ['a page in HTML that claims to be JSON', page, json, 'HTML'],
  ['a page in HTML without a type', `\n<!doctype html>${page}`, {}, 'HTML'],
  ['a page in HTML as a text in JSON', JSON.stringify(page), json, 'HTML'],
  ['XML of a gateway', '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', {}, 'HTML'],
  ['nothing that claims to be HTML', '', html, 'HTML'],
  ['a text that claims to be HTML', 'Bad Request', html, 'HTML'],
  ['JSON that breaks off', refusal.slice(0, 30), json, 'breaks off'],
  ['9 MiB', 'x'.repeat(9 * 1024 * 1024), json, 'more than 8388608 bytes'],
  [
    '9 MiB in a few gzipped bytes',
    gzipSync('x'.repeat(9 * 1024 * 1024)),
    { 'content-encoding': 'gzip' },
    'more than 8388608 bytes',
  ],
])('a booking that is refused with %s is in doubt', async (_, body, headers, why) => {
  for (const error of await refusedWith(body, headers)) {
    expect(error).toMatchObject({ name: 'ApiError', outcome: 'inDoubt', status: 400 });
    expect((error as Error).message).toContain(why);
  }
});

test('a booking whose refusal breaks off is in doubt', async () => {
  const url = await startRawServer((socket) => {
    socket.write('HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\nthe ti');
    setTimeout(() => socket.destroy(), 50);
  });
  const error = await failureOf(aMarketplace(anAccount(url)).createListing(draft));
  expect(error).toMatchObject({ name: 'ApiError', outcome: 'inDoubt', status: 400 });
});

test.each<[string, Uint8Array | string, Headers]>([
  ['nothing at all', '', {}],
  ['nothing, as JSON', '', json],
  ['a plain text', 'the title is too long (at most <60> characters)', { 'content-type': 'text/plain' }],
  ['a plain text that claims to be JSON', 'the title is too long', json],
  ['JSON that claims to be HTML', refusal, html],
  [
    'Latin-1 that says so',
    Buffer.from('{"reason":"Stra\xdfe fehlt"}', 'latin1'),
    { 'content-type': 'application/json; charset=ISO-8859-1' },
  ],
  ['a charset that nobody knows', refusal, { 'content-type': 'application/json; charset=x-none' }],
])('a booking that is refused with %s counts as refused', async (_, body, headers) => {
  for (const error of await refusedWith(body, headers)) {
    expect(error).toMatchObject({ name: 'ApiError', outcome: 'rejected', status: 400 });
  }
});

test.each([
  [401, 'accountTrouble'],
  [403, 'accountTrouble'],
  [429, 'notSent'],
] as const)('an HTML page does not change what %i says about a booking: %s', async (status, outcome) => {
  const { marketplace } = await answering(status, page, html);
  expect(await failureOf(marketplace.createListing(draft))).toMatchObject({ outcome });
});

test('an HTML page that mentions a suspended account leaves a booking in doubt', async () => {
  for (const error of await refusedWith('<h1>Your account is suspended</h1>', html)) {
    expect(error).toMatchObject({ outcome: 'inDoubt' });
  }
});

test('a booking whose compressed answer cannot be decoded is known by its Location', async () => {
  const headers = { location: '/v2/listings/77', 'content-encoding': 'zstd' };
  const { marketplace } = await answering(201, 'garbage', headers);
  expect(await marketplace.createListing(draft)).toEqual({ listingId: '77' });
});

test('a read that cannot be decoded is repeated, and says why', async () => {
  const { marketplace } = await answering(200, 'garbage', { ...json, 'content-encoding': 'zstd' });
  expect(await failureOf(marketplace.getListing('77'))).toMatchObject({
    name: 'UnexpectedResponseError',
    message: expect.stringContaining('zstd') as unknown,
  });
});
