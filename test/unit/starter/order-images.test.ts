import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { DEFAULT_POLICY } from '../../../src/domain/default-policy';
import type { FurnitureShipment } from '../../../src/domain/shipment';
import { createFolderStore, type FileStore } from '../../../src/platform/file-store';
import { InvalidOrderError } from '../../../src/starter/client/errors';
import { storeImages } from '../../../src/starter/client/order-images';
import { aFurnitureShipment } from '../../support/builders';
import { exifOf, JPEG, PNG, withSegments } from '../../support/real-images';
import { closeAll, startServer } from '../marketplace/server';
import { temporaryFolder } from '../../support/temporary-folder';

let folder: string;
let files: FileStore;
beforeAll(async () => {
  folder = temporaryFolder();
  files = createFolderStore(path.join(folder, 'store'));
  await mkdir(path.join(folder, 'pictures'));
  await Promise.all([
    writeFile(path.join(folder, 'sofa.jpg'), JPEG),
    writeFile(path.join(folder, 'pictures', 'leg.png'), PNG),
    writeFile(path.join(folder, 'really-a-png.jpg'), PNG),
    writeFile(path.join(folder, 'home.jpg'), withSegments(exifOf(1, 'MM'))),
    writeFile(path.join(folder, 'torn.jpg'), JPEG.subarray(0, 30)),
    writeFile(path.join(folder, 'empty.jpg'), ''),
    writeFile(path.join(folder, 'paper.jpg'), '%PDF-1.4\n'),
    writeFile(path.join(folder, 'phone.heic'), '\0\0\0\x18ftypheic'),
    writeFile(path.join(folder, 'notes.png'), 'hello'),
    writeFile(path.join(folder, 'large.jpg'), Buffer.concat([JPEG, Buffer.alloc(5_000)])),
  ]);
});
afterEach(closeAll);

const anOrder = (imageSources: readonly string[], imagePayload: 'multipart' | 'url' = 'multipart') => ({
  ok: true as const,
  file: path.join(folder, 'order.json'),
  order: {
    shipment: aFurnitureShipment(),
    policy: DEFAULT_POLICY,
    account: { name: 'acme', environment: 'sandbox' as const },
    documentHash: 'test',
  },
  ...{ imageSources, imagePayload, warnings: [] },
});

const stored = async (order: ReturnType<typeof anOrder>) =>
  ((await storeImages(order, files, { maxBytes: 2_000 })).shipment as FurnitureShipment).images;

/** Path and text of each problem. */
async function problemsOf(order: ReturnType<typeof anOrder>): Promise<string[]> {
  const error = await stored(order).catch((caught: unknown) => caught);
  if (!(error instanceof InvalidOrderError)) throw new TypeError('no problem was found', { cause: error });
  for (const { remedy } of error.problems) expect(remedy).not.toBe('');
  return error.problems.map(({ path: place, problem }) => `${place}: ${problem}`);
}

test('files are found beside the order and stored by content, in their order', async () => {
  const images = await stored(anOrder(['sofa.jpg', 'pictures/leg.png']));
  expect(images).toEqual([
    expect.objectContaining({ fileName: 'sofa.jpg', contentType: 'image/jpeg', sizeInBytes: JPEG.length }),
    expect.objectContaining({ fileName: 'leg.png', contentType: 'image/png', sizeInBytes: PNG.length }),
  ]);
  const bytes = await Promise.all(images.map(async ({ sha256 }) => Buffer.from(await files.get(sha256))));
  expect(bytes.map((one) => one.toString('hex'))).toEqual([JPEG, PNG].map((one) => one.toString('hex')));
});

test('a photo is stored without the position at which it was taken, and one that cannot be read so is refused', async () => {
  const [image] = await stored(anOrder(['home.jpg']));
  expect(image).toMatchObject({ sizeInBytes: JPEG.length });
  expect(Buffer.from(await files.get(image?.sha256 ?? '')).equals(JPEG)).toBe(true);
  expect(await problemsOf(anOrder(['torn.jpg']))).toEqual([
    '$.images[0]: torn.jpg is damaged, and its location data cannot be removed: it ends within a segment',
  ]);
});

test('its content decides the type of an image, and its name follows', async () => {
  expect(await stored(anOrder(['really-a-png.jpg']))).toMatchObject([
    { fileName: 'really-a-png.png', contentType: 'image/png' },
  ]);
});

test('all unusable images are reported at once', async () => {
  const sources = ['sofa.jpg', 'absent.jpg', 'empty.jpg', 'paper.jpg', 'phone.heic', 'notes.png', 'pictures'];
  expect(await problemsOf(anOrder([...sources, 'large.jpg']))).toEqual([
    '$.images[1]: absent.jpg cannot be read (ENOENT)',
    '$.images[2]: empty.jpg is empty',
    '$.images[3]: paper.jpg has type application/pdf, judged by its content',
    '$.images[4]: phone.heic has type image/heic, judged by its content',
    '$.images[5]: notes.png is not a known image type, judged by its content',
    '$.images[6]: pictures is not a file',
    expect.stringMatching(/^\$\.images\[7]: large\.jpg is 0\.0 MB; the limit is/),
  ]);
});

test('an image is fetched from its address, whose signature is kept nowhere', async () => {
  const server = await startServer((_request, response) => response.end(JPEG));
  const images = await stored(anOrder([`${server.url}/shop/Blue%20sofa.jpeg?token=secret`]));
  expect(images).toMatchObject([{ fileName: 'Blue sofa.jpeg', contentType: 'image/jpeg' }]);
  expect(JSON.stringify(images)).not.toContain('secret');
});

test("an address's answer is checked like a file", async () => {
  const bodies = new Map<string, string | Buffer>([
    ['/page', '<!doctype html><img src=sofa.jpg>'],
    ['/nothing', ''],
    ['/large', Buffer.concat([JPEG, Buffer.alloc(5_000)])],
  ]);
  const server = await startServer((request, response) => {
    const body = bodies.get(request.url);
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  const { host } = new URL(server.url);
  const sources = ['/page', '/nothing', '/large', '/gone'].map((part) => server.url + part);
  const others = ['http://example.com/a.jpg', 'ftp://example.com/a.jpg', 'data:image/png;base64,UE5H'];
  expect(await problemsOf(anOrder([...sources, ...others]))).toEqual([
    '$.images[0]: page is a web page',
    '$.images[1]: nothing is empty',
    `$.images[2]: cannot be fetched: ${host} sends more than 2000 bytes`,
    `$.images[3]: cannot be fetched: ${host} answered 404`,
    '$.images[4]: cannot be fetched: example.com does not use https',
    '$.images[5]: cannot be fetched: example.com does not use https',
    '$.images[6]: cannot be fetched: the URL does not use https',
  ]);
});

test('where the account sends addresses, a file is refused and an address is kept', async () => {
  expect(await problemsOf(anOrder(['sofa.jpg'], 'url'))).toEqual([
    '$.images[0]: sofa.jpg is a file, but the account sends images by URL',
  ]);
  const server = await startServer((_request, response) => response.end(JPEG));
  const url = `${server.url}/sofa.jpg`;
  expect(await stored(anOrder([url], 'url'))).toMatchObject([{ url, fileName: 'sofa.jpg' }]);
});

test.each([
  ['/', 'image-1.jpg'],
  ['/..%2F..%2Fetc%2Fpasswd', '-..-etc-passwd.jpg'],
  ['/%E0%A4%A', '-E0-A4-A.jpg'],
  ['/a%22%0d%0ab.png', 'a-b.jpg'],
])('the address path %s names the file %s', async (part, fileName) => {
  const server = await startServer((_request, response) => response.end(JPEG));
  expect(await stored(anOrder([server.url + part]))).toMatchObject([{ fileName }]);
});

test.each([
  ['sofa.jpg'],
  ['/etc/passwd'],
  ['../order.json'],
  ['file:///etc/passwd'],
  ['http://127.0.0.1:1/sofa.jpg'],
  ['HTTP://localhost:1/sofa.jpg'],
  ['ftp://example.com/sofa.jpg'],
  ['data:image/png;base64,AAAA'],
  ['//example.com/sofa.jpg'],
  [' https://example.com/sofa.jpg'],
])('a document of an outside caller must not name %s', async (source) => {
  const storing = storeImages(anOrder([source, 'https://user@example.com/a.jpg']), files, { from: 'https' });
  const error: unknown = await storing.catch((caught: unknown) => caught);
  if (!(error instanceof InvalidOrderError)) throw new TypeError('no problem was found', { cause: error });
  expect(error.problems).toEqual([
    { path: '$.images[0]', problem: 'is not an https URL', remedy: "give the image's public https URL" },
    expect.objectContaining({ path: '$.images[1]', problem: expect.stringContaining('user or password') }),
  ]);
});
