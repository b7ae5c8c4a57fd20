import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createDocumentActivities } from '../../../src/activities/documents';
import { createFolderStore } from '../../../src/platform/file-store';
import { createMarketplace } from '../../../src/marketplace/create-marketplace';
import { simplePdf } from '../../../sandbox/carrier/pdf';
import { marketplaceAccount } from '../../support/harness';
import { closeAll, startServer, type SeenRequest } from '../marketplace/server';
import { NO_ENDPOINTS } from '../../support/notifications';
import { temporaryFolder } from '../../support/temporary-folder';

const PDF = simplePdf(['BILL OF LADING']);
const pace = { initialMs: 100, maximumMs: 100 };
type Reply = (request: SeenRequest, response: ServerResponse) => void;
const sends =
  (body: string | Buffer, status = 200): Reply =>
  (_request, response) =>
    void response.writeHead(status).end(body);

const files = createFolderStore(temporaryFolder());
afterEach(closeAll);

/** A marketplace whose documents are at another host, each signed for one request; and the activities at work on it. */
async function withDocument(reply: Reply, environment: 'sandbox' | 'production' = 'sandbox') {
  const store = await startServer(reply);
  let signatures = 0;
  const api = await startServer((request, response) => {
    signatures += 1;
    const address = `${store.url}/bucket/doc.pdf?signature=secret${signatures}`;
    const body = request.url.includes('/attachments/')
      ? {
          attachmentId: '5512',
          uri: address,
          fileName: 'POD.pdf',
          attachmentType: { value: 'ProofOfDelivery' },
        }
      : { billOfLadingNumber: 44478289, document: { href: address } };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const marketplace = createMarketplace(marketplaceAccount(api.url));
  const activities = createDocumentActivities({
    marketplaceOf: () => marketplace,
    client: {} as Client,
    files,
    notifications: NO_ENDPOINTS,
  });
  const input = { account: { name: 'acme', environment }, listingId: '7', pace };
  const run = async <T>(activity: () => Promise<T>): Promise<T | ApplicationFailure> => {
    try {
      return await new MockActivityEnvironment({ attempt: 1 }).run(activity);
    } catch (error) {
      if (error instanceof ApplicationFailure) return error;
      throw error;
    } finally {
      await marketplace.close();
    }
  };
  return {
    ...{ store, api },
    billOfLading: async () => await run(async () => await activities.pollBillOfLading(input)),
    attachment: async () =>
      await run(async () => await activities.fetchListingAttachment({ ...input, attachmentId: '5512' })),
  };
}

test('a bill of lading is stored under its hash, and neither its address nor the key leaves the activity', async () => {
  const { billOfLading, store, api } = await withDocument(sends(PDF));
  const found = await billOfLading();
  expect(found).toEqual({
    billOfLadingNumber: '44478289',
    fileName: 'bill-of-lading-44478289.pdf',
    contentType: 'application/pdf',
    sizeInBytes: PDF.length,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    fetchedAt: expect.stringMatching(/Z$/),
  });
  expect(JSON.stringify(found)).not.toContain('secret');
  expect(Buffer.from(await files.get((found as { sha256: string }).sha256)).equals(PDF)).toBe(true);
  expect(api.seen[0]?.headers.authorization).toBeDefined();
  expect(store.seen[0]?.headers).not.toHaveProperty('authorization');
});

test.each([
  ['nothing', '', /is empty/],
  ['a web page', '<!doctype html><p>Just a moment', /web page/],
  ['an XML error', '<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>', /no known type/],
  ['a text', 'soon', /not a PDF or a picture/],
])('%s instead of the document means that it is not ready yet', async (_what, body, saw) => {
  const { billOfLading, api } = await withDocument(sends(body));
  expect(await billOfLading()).toMatchObject({
    type: 'NotYet',
    category: 'BENIGN',
    nextRetryDelay: expect.any(Number),
    message: expect.stringMatching(saw),
  });
  expect(api.seen).toHaveLength(1);
});

test.each([400, 401, 403, 410])(
  'an address that has expired (%i) is requested again at once',
  async (status) => {
    const { billOfLading, api, store } = await withDocument(
      (request, response) =>
        void (request.url.endsWith('secret1') ? response.writeHead(status).end() : response.end(PDF)),
    );
    expect(await billOfLading()).toMatchObject({ contentType: 'application/pdf' });
    expect(store.seen.map(({ url }) => url.at(-1))).toEqual(['1', '2']);
    expect(api.seen).toHaveLength(2);
  },
);

test('an address that is refused twice waits for the next poll, and its signature is not shown', async () => {
  const { billOfLading, api } = await withDocument(sends('secret', 403));
  const failure = await billOfLading();
  expect(failure).toMatchObject({ type: 'NotYet', message: expect.stringContaining('answered 403') });
  expect(failure).toMatchObject({ message: expect.not.stringContaining('secret') });
  expect(api.seen).toHaveLength(2);
});

test.each([404, 500, 503])('a host that answers %i is asked again by the next poll', async (status) => {
  const { billOfLading, api } = await withDocument(sends('', status));
  expect(await billOfLading()).toMatchObject({ type: 'NotYet' });
  expect(api.seen).toHaveLength(1);
});

test('an endless document is refused for good', async () => {
  const { billOfLading } = await withDocument((_request, response) => {
    response.writeHead(200, { 'content-length': String(26 * 1024 * 1024) });
    response.flushHeaders();
  });
  expect(await billOfLading()).toMatchObject({ type: 'DocumentRefused', nonRetryable: true });
});

test("an attachment keeps the marketplace's description, but not its address", async () => {
  const { attachment, api } = await withDocument(sends(PDF));
  const found = await attachment();
  expect(found).toMatchObject({
    ...{ attachmentId: '5512', fileName: 'POD.pdf', attachmentType: 'ProofOfDelivery' },
    ...{ contentType: 'application/pdf', sizeInBytes: PDF.length, notes: null },
  });
  expect(JSON.stringify(found)).not.toContain('secret');
  expect(api.seen[0]?.url).toBe('/v2/listings/7/attachments/5512');
});

test('an attachment may have any type, but not be a web page or empty', async () => {
  const text = await withDocument(sends('PRO 4471'));
  expect(await text.attachment()).toMatchObject({ contentType: 'application/octet-stream' });
  for (const body of ['', '<html>sign in</html>']) {
    const { attachment } = await withDocument(sends(body));
    expect(await attachment()).toMatchObject({ type: 'NotYet' });
  }
});
