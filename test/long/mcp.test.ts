import { readFile } from 'node:fs/promises';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ShipmentNotFoundError } from '../../src/starter/client/errors';
import { aFurnitureShipment } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';
import { until } from '../support/until';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 20 } });
}, 60_000);
afterAll(async () => await harness?.close());

/** An assistant that runs `consign mcp`, as its configuration says. */
async function assistant<T>(
  args: readonly string[],
  use: (client: Client) => Promise<T>,
  over: Readonly<Record<string, string>> = {},
): Promise<T> {
  const env = {
    ...process.env,
    TEMPORAL_ADDRESS: harness.temporal.open.address,
    SANDBOX_URL: harness.sandbox.url,
    CONSIGN_FILES: harness.filesFolder,
    CONSIGN_ACCOUNTS: 'examples/accounts.yaml',
    ...over,
  };
  const given = Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['bin/consign.js', 'mcp', ...args],
    env: Object.fromEntries(given),
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

interface Told {
  readonly isError: boolean;
  readonly value: Record<string, unknown>;
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<Told> {
  const { content, isError = false } = await client.callTool({ name, arguments: args });
  const [first] = content;
  if (first?.type !== 'text') throw new TypeError('no text');
  return { isError, value: JSON.parse(first.text) as Record<string, unknown> };
}

async function sofa(orderId: string, over: object = {}): Promise<Record<string, unknown>> {
  const text = await readFile('examples/furniture-sofa.json', 'utf8');
  return { ...(JSON.parse(text) as object), orderId, images: [], ...over };
}

const BY = { by: 'Pat', reason: 'the customer confirmed' };

test('an assistant reads and quotes, and cannot start, answer or withdraw anything', async () => {
  await assistant([], async (client) => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual([
      ...['attention', 'get_shipment', 'list_shipments', 'quote_order', 'validate_order'],
    ]);
    const quoted = await call(client, 'quote_order', { document: await sofa('SO-mcp-quote') });
    expect(quoted.value).toMatchObject({ kind: 'furniture', fixedPrice: { price: { currency: 'USD' } } });
    const missing = await call(client, 'get_shipment', { account: 'acme', orderId: 'SO-none' });
    expect(missing).toMatchObject({ isError: true, value: { kind: 'notFound' } });
    const { contents } = await client.readResource({ uri: 'consign://schema/order.json' });
    expect(JSON.stringify(contents)).toContain('Consign order');
  });
  expect(harness.sandbox.ledger().requests.createListing).toBeUndefined();
}, 90_000);

test('every problem of an order is reported, also an image that this machine would have to read', async () => {
  await assistant([], async (client) => {
    const bad = await call(client, 'validate_order', { document: { kind: 'furniture', account: 'acme' } });
    expect(bad.value).toMatchObject({ ok: false });
    expect((bad.value.problems as unknown[]).length).toBeGreaterThan(3);
    for (const image of ['/etc/passwd', 'sofa.jpg', 'http://127.0.0.1/sofa.jpg']) {
      const local = await call(client, 'validate_order', {
        document: await sofa('SO-mcp-image', { images: [image] }),
      });
      expect(local.value).toMatchObject({ ok: false, problems: [{ path: '$.images[0]' }] });
    }
  });
}, 90_000);

test('an assistant lists orders and what needs a person, and withdraws an order in the name of a person', async () => {
  const orderId = 'SO-mcp-cancel';
  const document = await sofa(orderId, { priceLimit: { amount: '1.00', currency: 'USD' } });
  const key = { account: 'acme', orderId };
  const shipment = aFurnitureShipment({ orderId });
  await assistant(['--allow-decisions'], async (client) => {
    for (const without of [{ by: 'Pat' }, { reason: 'ordered' }, { ...BY, by: '' }]) {
      const refused = await client.callTool({ name: 'start_order', arguments: { document, ...without } });
      expect(refused.isError).toBe(true);
    }
    await expect(harness.shipments.get('acme', orderId)).rejects.toThrow(ShipmentNotFoundError);

    await call(client, 'start_order', { document, ...BY });
    await harness.asked(shipment, 'priceApproval');
    const textOf = async (name: string, args = {}): Promise<string> =>
      JSON.stringify((await call(client, name, args)).value);
    // Lists show the question a moment later.
    const query = 'NeedsAttention = true';
    await until(async () => (await textOf('list_shipments', { query })).includes(`"${orderId}"`));
    expect(await textOf('list_shipments', { query: 'NeedsAttention = false' })).not.toContain(orderId);
    await until(async () => (await textOf('attention')).includes(`"${orderId}"`));

    const unnamed = await client.callTool({ name: 'cancel_order', arguments: { ...key, reason: 'no' } });
    expect(unnamed.isError).toBe(true);
    await harness.asked(shipment, 'priceApproval');
    expect(await call(client, 'cancel_order', { ...key, ...BY })).toMatchObject({ isError: false });
  });
  expect((await harness.ended(shipment)).withdrawal).toMatchObject(BY);
  expect(harness.ledgerOf(shipment)).toMatchObject({ created: 0 });
}, 90_000);

test('an image that is larger than the setting allows is refused, and starts nothing', async () => {
  const key = 'test/fixtures/tls/this-host.pem';
  const pem = await readFile(key, 'utf8');
  const server = https.createServer({ key: pem, cert: pem }, (_request, response) =>
    response.end(Buffer.alloc(200 * 1024)),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const over = { CONSIGN_IMAGE_MAX_MB: '0.1', NODE_EXTRA_CA_CERTS: key };
    await assistant(
      ['--allow-decisions'],
      async (client) => {
        const images = [`https://127.0.0.1:${port}/sofa.jpg`];
        const started = await call(client, 'start_order', {
          ...{ document: await sofa('SO-mcp-large', { images }), ...BY },
        });
        const problem = `cannot be fetched: 127.0.0.1:${port} sends more than 104857 bytes`;
        expect(started).toMatchObject({
          ...{ isError: true, value: { problems: [{ path: '$.images[0]', problem }] } },
        });
      },
      over,
    );
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
  expect(harness.sandbox.ledger().requests.createListing).toBeUndefined();
}, 90_000);

test('an assistant that may decide starts an order once, answers its question, and says who did it', async () => {
  const orderId = 'SO-mcp-start';
  const document = await sofa(orderId, { priceLimit: { amount: '1.00', currency: 'USD' } });
  const shipment = aFurnitureShipment({ orderId });
  await assistant(['--allow-decisions'], async (client) => {
    expect((await call(client, 'start_order', { document, ...BY })).value).toMatchObject({
      outcome: 'started',
    });
    expect((await call(client, 'start_order', { document, ...BY })).value).toMatchObject({
      outcome: 'already',
    });
    await harness.asked(shipment, 'priceApproval');
    const shown = await call(client, 'get_shipment', { account: 'acme', orderId });
    expect(shown.value).toMatchObject({ phase: 'quoting', question: { kind: 'priceApproval' } });
    const unnamed = await client.callTool({
      name: 'answer_question',
      arguments: { account: 'acme', orderId, answer: 'approve', reason: 'it is fine' },
    });
    expect(unnamed.isError).toBe(true);
    const lacking = await call(client, 'answer_question', {
      account: 'acme',
      orderId,
      answer: 'adopt',
      ...BY,
    });
    expect(lacking).toMatchObject({ isError: true, value: { error: 'The answer adopt needs listingId.' } });
    await call(client, 'answer_question', { account: 'acme', orderId, answer: 'approve', ...BY });
    await harness.until(shipment, ({ state }) => state !== null && 'listingId' in state.at);
    const { value } = await call(client, 'get_shipment', { account: 'acme', orderId });
    expect(JSON.stringify(value.timeline)).toContain('Pat answers approve: the customer confirmed');
  });
  const { memo } = await harness.handleOf(shipment).describe();
  expect(memo?.placedBy).toEqual(BY);
  expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1 });
}, 120_000);
