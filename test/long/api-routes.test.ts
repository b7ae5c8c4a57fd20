import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { parseAccounts } from '../../src/accounts';
import { createLog } from '../../src/platform/log';
import * as answers from '../../src/starter/api/answer-schemas';
import { createApi } from '../../src/starter/api/server';
import { ShipmentClient } from '../../src/starter/client/shipment-client';
import { paused } from '../support/account-in-trouble';
import { FAST_POLICY, SECRET, startHarness, type Harness } from '../support/harness';
import { aFurnitureShipment } from '../support/builders';
import {
  anEndpointAt,
  SECRET as SIGNING,
  startEndpoint,
  type EndpointServer,
} from '../support/endpoint-server';
import { until } from '../support/temporal';

const ROOT = path.join(__dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const TOKENS = `
apiTokens:
  desk: { token: { env: DESK }, scopes: [read, start, decide], accounts: [acme] }
  feed: { token: { env: FEED }, scopes: [read, start], accounts: [acme] }
  beta: { token: { env: BETA }, scopes: [read], accounts: [beta] }
`;
const TOKEN = { DESK: 'token-of-the-desk', FEED: 'token-of-the-feed', BETA: 'token-of-beta' };

let erp: EndpointServer;
let harness: Harness;
let api: FastifyInstance;
let url: string;

/** The file for the sandbox, with a second account that no worker serves. */
function accountsText(): string {
  const [accounts = '', integrations = ''] = read('examples/accounts.yaml').split(/^(?=integrations:)/m);
  const beta = `  beta:\n    environment: sandbox\n    baseUrl: http://127.0.0.1:9\n    auth: { apiKey: { env: X, default: x } }\n    source: beta\n`;
  const quick = accounts
    .replace('minimumWait: 2s', 'minimumWait: 200ms')
    .replace('quiet: 1500ms', 'quiet: 300ms')
    .replace('enough: 6', 'enough: 3')
    .replace('settlementWindow: 3s', 'settlementWindow: 1s')
    .replaceAll('initial: 500ms, maximum: 1s', 'initial: 150ms, maximum: 500ms')
    .replace(
      'source: acme',
      `source: acme\n    notifications: [{ name: erp, url: '${erp.url}', secrets: [{ env: ERP }] }]`,
    );
  return `${quick}${beta}${integrations.replace(/\n# Who may use the HTTP API[^]*/, '\n')}${TOKENS}`;
}

/** A process of the API: nothing but what it is given. */
async function startApi(): Promise<{ readonly api: FastifyInstance; readonly url: string }> {
  const server = await createApi({
    accounts: parseAccounts(accountsText(), 'accounts.yaml', {
      ...{ SANDBOX_URL: harness.sandbox.url, ERP: SIGNING },
      ...TOKEN,
    }),
    shipments: new ShipmentClient(harness.temporal.client),
    files: harness.files,
    isTemporalUp: async () => await Promise.resolve(true),
    log: createLog('test', 'silent'),
    streams: { heartbeatMs: 200, longestMs: 60_000, atOnce: 3, listsEveryMs: 300 },
  });
  return { api: server, url: await server.listen({ host: '127.0.0.1', port: 0 }) };
}

beforeAll(async () => {
  erp = await startEndpoint();
  harness = await startHarness({ clock: { speed: 20 }, endpoints: [anEndpointAt(erp)] });
  ({ api, url } = await startApi());
}, 60_000);
afterAll(async () => {
  await api?.close();
  await harness?.close();
  await erp?.kill();
});

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

async function call(
  method: string,
  place: string,
  {
    body,
    token = TOKEN.DESK,
    key,
  }: { readonly body?: unknown; readonly token?: string; readonly key?: string } = {},
): Promise<Answer> {
  const answer = await fetch(`${url}${place}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer['body'] };
}

/** Fails when an answer has another form than the OpenAPI document says. */
function documented<T extends z.ZodType>(schema: T, { status, body }: Answer): z.output<T> {
  if (status >= 300) throw new Error(JSON.stringify(body));
  return schema.parse(body);
}

const tiles = JSON.parse(read('examples/ltl-tiles.json')) as Readonly<Record<string, unknown>>;
const { images: _, ...sofa } = JSON.parse(read('examples/furniture-sofa.json')) as Readonly<
  Record<string, unknown>
>;
let orders = 0;
const anOrder = (over: Readonly<Record<string, unknown>> = {}) => {
  orders += 1;
  const orderId = `API-${orders}`;
  return { orderId, place: `/shipments/acme/${orderId}`, document: { ...tiles, orderId, ...over } };
};
const LOW = { priceLimit: { amount: '1.00', currency: 'USD' } };
const placed = (orderId: string) => aFurnitureShipment({ orderId });

/** What an event stream sends until it ends, or until `isEnough`. */
async function eventsOf(
  place: string,
  {
    lastId,
    isEnough = () => false,
  }: { readonly lastId?: string; readonly isEnough?: (text: string) => boolean } = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(`${url}${place}/events`, {
    headers: {
      authorization: `Bearer ${TOKEN.FEED}`,
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    },
  });
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (isEnough(text)) break;
  }
  return { status: answer.status, text };
}

const idsIn = (text: string): string[] => [...text.matchAll(/^id: (.+)$/gm)].map(([, id = '']) => id);

test('an order is quoted, started, followed to its end, and its papers are read, by HTTP alone', async () => {
  const { orderId, place, document } = anOrder();
  const quote = documented(answers.quote, await call('POST', '/quotes', { body: { order: document } }));
  expect(quote).toMatchObject({ kind: 'ltl', decision: { chosen: { rateId: expect.any(String) } } });
  expect(harness.ledgerOf(placed(orderId)).liveBookings).toBe(0);

  const started = await call('PUT', place, { body: document, token: TOKEN.FEED });
  expect([started.status, started.headers.get('location')]).toEqual([201, place]);
  expect(documented(answers.startedShipment, started).outcome).toBe('started');

  const { text } = await eventsOf(place);
  expect(text).toMatch(/^retry: \d+\n\nid: /);
  expect(text).toMatch(/\nevent: end\ndata: \{"status":"COMPLETED"\}\n\n$/);
  const ids = idsIn(text);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(3);
  for (const [, data = ''] of text.matchAll(/^event: shipment\ndata: (.+)$/gm))
    answers.shipmentView.parse(JSON.parse(data));

  // A caller that has everything but the end gets only that; one that has the end gets nothing.
  const rest = await eventsOf(place, { lastId: ids.at(-2) ?? '' });
  expect(idsIn(rest.text)).toEqual(ids.slice(-1));
  expect(await eventsOf(place, { lastId: ids.at(-1) ?? '' })).toEqual({ status: 204, text: '' });
  expect(idsIn((await eventsOf(place, { lastId: 'unknown' })).text)).toEqual(ids.slice(-2));

  const view = documented(answers.shipmentView, await call('GET', place));
  expect(view).toMatchObject({ status: 'COMPLETED', state: { at: { phase: 'settled' } } });
  const { stored } = documented(answers.shipmentDocuments, await call('GET', `${place}/documents`));
  const bill = stored.find(({ kind }) => kind === 'billOfLading');
  const content = await fetch(`${url}${place}/documents/${bill?.sha256}`, {
    headers: { authorization: `Bearer ${TOKEN.FEED}` },
  });
  expect((await content.arrayBuffer()).byteLength).toBe(bill?.sizeInBytes);
  expect(content.headers.get('content-disposition')).toMatch(/^attachment; /);
  expect(await call('GET', `${place}/documents/${'0'.repeat(64)}`)).toMatchObject({
    ...{ status: 404, body: { code: 'documentNotFound' } },
  });
  expect(harness.ledgerOf(placed(orderId))).toMatchObject({ liveBookings: 1 });
});

test('an order is found by its numbers, read as it is, due on its days, and counted with its events', async () => {
  const { orderId, place, document } = anOrder({
    references: { PurchaseOrder: 'PO 5/6', Invoice: 'INV-56' },
  });
  await call('PUT', place, { body: document });
  const { state } = await harness.until(
    placed(orderId),
    (view) => view.state?.listing?.transitStatus === 'Delivered' && view.state.billOfLading !== null,
  );
  const bill = state?.billOfLading;
  const numbers = [
    ...['PO 5/6', 'INV-56', state?.listing?.listingId ?? ''],
    ...[typeof bill === 'object' ? (bill?.billOfLadingNumber ?? '') : '', orderId],
  ];
  for (const number of numbers) {
    const search = `/shipments?search=${encodeURIComponent(number)}`;
    await until(async () => {
      const page = documented(answers.shipmentPage, await call('GET', search));
      return page.shipments.some((one) => one.orderId === orderId);
    });
  }
  const page = documented(answers.shipmentPage, await call('GET', '/shipments?search=PO%205/7'));
  expect(page.shipments).toEqual([]);
  const order = documented(answers.shipmentOrder, await call('GET', `${place}/order`));
  expect(order).toMatchObject({ orderId, origin: { address: { city: 'Dallas' } } });
  expect(await call('GET', `${place}-none/order`)).toMatchObject({ status: 404, body: { code: 'notFound' } });

  const asking = anOrder(LOW);
  await call('PUT', asking.place, { body: asking.document });
  await harness.asked(placed(asking.orderId), 'priceApproval');
  const due = async (on: string) =>
    documented(answers.dueReport, await call('GET', `/due?on=${on}`)).entries.find(
      ({ shipment }) => shipment.orderId === asking.orderId,
    );
  expect(await due('2035-03-06')).toMatchObject({ isPickupDue: true, from: 'Dallas, TX', carrier: null });
  expect(await due('2035-03-05')).toBeUndefined();
  const { accounts } = documented(answers.accountList, await call('GET', '/accounts'));
  expect(accounts).toMatchObject([{ account: 'acme', paused: null }]);
  expect(accounts[0]?.events.taken).toBeGreaterThan(0);
  await call('POST', `${asking.place}/cancel`, { body: { reason: 'a test' } });
});

test('the same key and request get the same answer, from another process, after a withdrawal, and books once', async () => {
  const { orderId, place, document } = anOrder(LOW);
  const key = 'key-1';
  const all = await Promise.all([1, 2, 3].map(async () => await call('PUT', place, { body: document, key })));
  const [first] = all;
  expect(first).toMatchObject({ status: 201, body: { outcome: 'started' } });
  for (const again of all) expect([again.status, again.body]).toEqual([201, first?.body]);
  await harness.asked(placed(orderId), 'priceApproval');

  const before = url;
  const other = await startApi();
  ({ url } = other);
  // The order of the keys of a document says nothing.
  const turned = Object.fromEntries(Object.entries(document).toReversed());
  expect(await call('PUT', place, { body: turned, key })).toMatchObject({ status: 201, body: first?.body });
  await other.api.close();
  url = before;

  // Without the key, and by another owner of the same key, it is the same shipment.
  for (const over of [{}, { key, token: TOKEN.FEED }, { key: 'key-2' }])
    expect(await call('PUT', place, { body: document, ...over })).toMatchObject({
      ...{ status: 200, body: { ...first?.body, outcome: 'already' } },
    });
  const withdrawal = await call('POST', `${place}/cancel`, { body: { reason: 'the customer moved' } });
  expect(documented(answers.receipt, withdrawal).outcome).toBe('accepted');
  const view = await harness.ended(placed(orderId));
  expect(view.withdrawal).toMatchObject({ by: 'desk', reason: 'the customer moved' });
  expect(await call('PUT', place, { body: document, key })).toMatchObject({ status: 201, body: first?.body });
  const conflict = await call('PUT', place, { body: document });
  expect(conflict).toMatchObject({ status: 409, body: { code: 'conflict', reason: 'withdrawn' } });
  expect(JSON.stringify(conflict.body)).not.toContain('moved');
  expect(harness.ledgerOf(placed(orderId)).liveBookings).toBe(0);
});

test.each([
  [
    'another document',
    (order: ReturnType<typeof anOrder>) => ({
      ...order,
      document: { ...order.document, labels: { a: 'b' } },
    }),
  ],
  ['another order', () => anOrder(LOW)],
  ['a restart', (order: ReturnType<typeof anOrder>) => ({ ...order, place: `${order.place}/restart` })],
])('a key that comes with %s is refused, and nothing is started', async (what, change) => {
  const order = anOrder(LOW);
  const key = `other-${orders}`;
  expect((await call('PUT', order.place, { body: order.document, key })).status).toBe(201);
  const { place, document, orderId } = change(order);
  const request =
    what === 'a restart'
      ? (['POST', { order: document, checked: 'nothing' }] as const)
      : (['PUT', document] as const);
  expect(await call(request[0], place, { body: request[1], key })).toMatchObject({
    ...{ status: 422, body: { code: 'keyReused', type: '/docs/errors.md#keyreused' } },
  });
  const mustExist = orderId === order.orderId;
  expect((await call('GET', `/shipments/acme/${orderId}`)).status).toBe(mustExist ? 200 : 404);
  await call('POST', `${order.place}/cancel`, { body: { reason: 'a test' } });
});

test('a refused document does not use up its key, and a later repetition is not checked again', async () => {
  const { place, document } = anOrder(LOW);
  const key = 'key-3';
  const past = { ...document, pickup: { on: '2020-03-06' } };
  const refused = await call('PUT', place, { body: past, key });
  expect(refused).toMatchObject({
    status: 422,
    body: { code: 'invalidOrder', errors: [{ path: '$.pickup.on' }] },
  });
  expect((await call('PUT', place, { body: document, key })).status).toBe(201);
  await call('POST', `${place}/cancel`, { body: { reason: 'a test' } });
});

test('a withdrawn order is started again only with a statement, by a token that may decide', async () => {
  const { orderId, place, document } = anOrder(LOW);
  await call('PUT', place, { body: document });
  await harness.asked(placed(orderId), 'priceApproval');
  await call('POST', `${place}/cancel`, { body: { reason: 'too early' } });
  await harness.ended(placed(orderId));
  const body = { order: document, checked: 'no listing carries the reference' };
  const key = 'again-1';
  expect((await call('POST', `${place}/restart`, { body, token: TOKEN.FEED })).status).toBe(403);
  const again = await call('POST', `${place}/restart`, { body, key });
  expect(again).toMatchObject({ status: 201, body: { outcome: 'restarted' } });
  expect(await call('POST', `${place}/restart`, { body, key })).toMatchObject({
    status: 201,
    body: again.body,
  });

  const questionId = await harness.asked(placed(orderId), 'priceApproval');
  const stale = { kind: 'retry', reason: 'x', questionId: 'q99-none' };
  expect(await call('POST', `${place}/answer`, { body: stale })).toMatchObject({
    status: 409,
    body: { code: 'staleQuestion' },
  });
  const attention = documented(answers.attentionReport, await call('GET', '/attention'));
  expect(attention.entries.map(({ shipment }) => shipment.orderId)).toContain(orderId);
  const answer = { kind: 'approve', reason: 'the customer agrees', questionId };
  expect(await call('POST', `${place}/answer`, { body: answer })).toMatchObject({
    status: 200,
    body: { outcome: 'accepted' },
  });
  const view = await harness.ended(placed(orderId));
  expect(view.state?.timeline.some(({ what }) => what.includes('desk'))).toBe(true);
  expect(harness.ledgerOf(placed(orderId)).liveBookings).toBe(1);
});

test('a question is answered with a corrected order, whose id must be that of the path', async () => {
  const { orderId, place, document } = anOrder(LOW);
  await call('PUT', place, { body: document });
  await harness.asked(placed(orderId), 'priceApproval');
  const corrected = { ...tiles, orderId };
  const foreign = { order: { ...corrected, orderId: 'API-999' }, reason: 'the limit was wrong' };
  expect(await call('POST', `${place}/revise`, { body: foreign })).toMatchObject({
    ...{ status: 422, body: { code: 'idMismatch', errors: [{ path: '$.order.orderId' }] } },
  });
  const revised = await call('POST', `${place}/revise`, { body: { ...foreign, order: corrected } });
  expect(documented(answers.revision, revised)).toEqual({ kind: 'answer' });
  expect((await harness.ended(placed(orderId))).status).toBe('COMPLETED');
});

test('what a changed order would do is said before, and what its document leaves out stays if asked for', async () => {
  const { orderId, place, document } = anOrder({ ...LOW, policy: { priceTolerancePercent: 7 } });
  await call('PUT', place, { body: document });
  const questionId = await harness.asked(placed(orderId), 'priceApproval');
  const before = await harness.shipments.order('acme', orderId);
  const { priceLimit: _limit, policy: _policy, ...rest } = document as Record<string, unknown>;
  const preview = async (body: unknown) => await call('POST', `${place}/revise/preview`, { body });
  for (const [keepUnnamed, fields] of [
    [true, ['priceLimit']],
    [false, ['priceLimit', 'policy']],
  ] as const)
    expect(documented(answers.revisionPreview, await preview({ order: rest, keepUnnamed }))).toEqual({
      ...{ kind: 'answer', questionId, fields },
    });
  expect(await preview({ order: { ...rest, pickup: { on: '2020-03-06' } } })).toMatchObject({
    ...{ status: 422, body: { code: 'invalidOrder', errors: [{ path: '$.order.pickup.on' }] } },
  });
  expect(await preview({ order: { ...rest, orderId: 'API-999' } })).toMatchObject({
    ...{ status: 422, body: { code: 'idMismatch' } },
  });
  expect(await preview({ order: rest, reason: 'no' })).toMatchObject({ status: 400 });
  // A person who saw no question answers none.
  const blind = { order: rest, reason: 'the limit was wrong', questionId: null };
  expect(await call('POST', `${place}/revise`, { body: blind })).toMatchObject({
    ...{ status: 409, body: { code: 'refused' } },
  });
  expect(await harness.shipments.order('acme', orderId)).toEqual(before);

  const seen = { ...blind, questionId, keepUnnamed: true };
  expect((await call('POST', `${place}/revise`, { body: seen })).status).toBe(200);
  await harness.until(placed(orderId), ({ state }) => state?.bookedAt != null);
  expect((await harness.shipments.policy('acme', orderId)).priceTolerancePercent).toBe(7);
  expect(await preview({ order: rest })).toMatchObject({ status: 409, body: { code: 'noQuestion' } });
  expect(harness.ledgerOf(placed(orderId)).liveBookings).toBe(1);
});

test.each([['/etc/passwd'], ['http://127.0.0.1:9/sofa.png'], ['file:///etc/passwd']])(
  'the image %s is refused, and nothing is started',
  async (image) => {
    const { place, orderId } = anOrder();
    const body = { ...sofa, orderId, images: [image] };
    const answer = await call('PUT', place, { body });
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ path: '$.images[0]', problem: 'is not an https URL' }] },
    });
    expect((await call('GET', place)).status).toBe(404);
  },
);

/** Sends orders as one file, by a token that may start only orders of acme. */
async function sendFile(
  place: string,
  content: string | Uint8Array<ArrayBuffer>,
  type = 'application/x-ndjson',
): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { authorization: `Bearer ${TOKEN.FEED}`, 'content-type': type };
  const answer = await fetch(`${url}${place}`, { method: 'POST', headers, body: content });
  return { status: answer.status, text: await answer.text() };
}
const jsonLines = (documents: readonly unknown[]): string =>
  documents.map((document) => `${JSON.stringify(document)}\n`).join('');
const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => answers.importLine.parse(JSON.parse(line)));

test('a file of orders is refused as a whole or in part, and starts no order twice', async () => {
  const [one, other] = [anOrder(LOW), anOrder(LOW)];
  const foreign = { ...anOrder().document, account: 'beta' };
  const secret = { ...sofa, orderId: 'API-secret', images: ['/etc/hostname'] };
  const street = { ...anOrder().document, pickup: { on: '2020-03-06' } };
  const file = jsonLines([one.document, foreign, secret, street, other.document]);

  const checked = await sendFile('/imports/validate', file);
  expect(rowsOf(checked.text).map(({ kind }) => kind)).toEqual([
    ...['valid', 'invalid', 'valid', 'invalid', 'valid'],
  ]);
  const refused = await sendFile('/imports', file);
  const problem = answers.problemDetails.parse(JSON.parse(refused.text));
  expect(problem).toMatchObject({
    ...{ status: 422, code: 'invalidOrder' },
    detail: '3 of 5 orders are invalid. Nothing was started.',
  });
  expect(problem.errors).toEqual([
    expect.objectContaining({ path: 'line 2: $.account' }),
    expect.objectContaining({ path: 'line 3: $.images[0]', problem: 'is not an https URL' }),
    expect.objectContaining({
      path: 'line 4: $.pickup.on',
      problem: '2020-03-06 is too soon: carriers need a day',
    }),
  ]);
  expect((await call('GET', one.place)).status).toBe(404);

  const [header = '', row = ''] = read('examples/orders.csv').split('\n');
  const wrong = row.replace(',TX,', ',Texass,');
  const table = await sendFile('/imports', `${header}\n${wrong}\n`, 'text/csv');
  expect(answers.problemDetails.parse(JSON.parse(table.text))).toMatchObject({
    ...{ status: 422, errors: [{ path: 'line 2, column 16: destination.address.state' }] },
  });

  const partly = await sendFile('/imports?skipInvalid=true', file);
  expect(partly.status).toBe(200);
  expect(rowsOf(partly.text).map(({ kind }) => kind)).toEqual([
    ...['invalid', 'invalid', 'invalid', 'started', 'started'],
  ]);
  const again = await sendFile('/imports?skipInvalid=true', file);
  expect(rowsOf(again.text).slice(-2)).toEqual([
    expect.objectContaining({ kind: 'already', line: 1, orderId: one.orderId }),
    expect.objectContaining({ kind: 'already', line: 5, orderId: other.orderId }),
  ]);
  const changed = await sendFile(
    '/imports',
    jsonLines([{ ...one.document, priceLimit: { amount: '2.00', currency: 'USD' } }]),
  );
  expect(rowsOf(changed.text)).toEqual([
    expect.objectContaining({ kind: 'conflict', reason: 'otherDocument' }),
  ]);
});

test.each([
  ['a wrong header', 'text/csv', 'order,kind\nSO-1,ltl\n', 422],
  ['another encoding', 'text/csv', Buffer.from('orderId\nMontr\u00e9al\n', 'latin1'), 400],
  ['JSON in place of lines', 'application/json', '{}', 415],
  ['no media type', ';;;', '{}', 415],
])('a file with %s is refused with its reason', async (_, type, content, status) => {
  const answer = await sendFile('/imports', content, type);
  expect(answer.status).toBe(status);
  expect(answers.problemDetails.parse(JSON.parse(answer.text)).detail).not.toBe('');
});

// Before an order of beta runs, which has changes too.
test('the changes of lists are reported by one stream, for the accounts of the token alone', async () => {
  const opened = async (token: string) => {
    const stop = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    const { body } = await fetch(`${url}/changes`, { headers, signal: stop.signal });
    const seen: Record<string, string>[] = [];
    const done = (async () => {
      let text = '';
      const decoder = new TextDecoder();
      try {
        for await (const chunk of body ?? []) {
          text += decoder.decode(chunk as Uint8Array, { stream: true });
          seen.length = 0;
          for (const [, data = ''] of text.matchAll(/^event: lists\ndata: (.+)$/gm))
            seen.push(JSON.parse(data) as Record<string, string>);
        }
      } catch (error) {
        if (!stop.signal.aborted) throw error;
      }
    })();
    return { seen, close: async () => (stop.abort(), await done) };
  };
  const [desk, beta] = [await opened(TOKEN.DESK), await opened(TOKEN.BETA)];
  await until(async () => await Promise.resolve(desk.seen.length > 0 && beta.seen.length > 0));
  const before = desk.seen.at(-1) ?? {};
  const ofBeta = beta.seen.length;

  const { orderId, place, document } = anOrder(LOW);
  await call('PUT', place, { body: document });
  await harness.asked(placed(orderId), 'priceApproval');
  await until(async () => {
    const now = desk.seen.at(-1);
    return await Promise.resolve(now?.attention !== before.attention && now?.shipments !== before.shipments);
  });
  const asked = desk.seen.at(-1);
  await call('POST', `${place}/cancel`, { body: { reason: 'a test' } });
  await harness.ended(placed(orderId));
  await until(async () => await Promise.resolve(desk.seen.at(-1)?.attention !== asked?.attention));
  expect(beta.seen.length).toBe(ofBeta);
  await desk.close();
  await beta.close();
});

test('a list comes in pages, each order once, and shows no other account', async () => {
  await harness.shipments.start({
    shipment: { ...aFurnitureShipment({ orderId: 'B-1' }), account: 'beta' },
    account: { name: 'beta', environment: 'sandbox' },
    policy: FAST_POLICY,
    documentHash: 'beta',
  });
  await until(async () => (await harness.shipments.list()).some(({ account }) => account === 'beta'));
  const inPages = async (): Promise<string[][]> => {
    const pages: string[][] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const at = cursor === '' ? '' : `&cursor=${cursor}`;
      const answer = await call('GET', `/shipments?limit=2${at}`);
      const { shipments, next } = documented(answers.shipmentPage, answer);
      pages.push(shipments.map(({ account, orderId }) => `${account}/${orderId}`));
      cursor = next;
    }
    return pages;
  };
  const whole = async (): Promise<string[]> =>
    (await harness.shipments.list({ query: "Account = 'acme'", limit: 200 })).map(
      ({ orderId }) => `acme/${orderId}`,
    );
  // Visibility learns of an end a little later.
  await until(async () => isDeepStrictEqual((await inPages()).flat(), await whole()));
  const pages = await inPages();
  expect(pages.length).toBeGreaterThan(3);
  expect(pages.every((page) => page.length <= 2)).toBe(true);
  const ofBeta = documented(answers.shipmentPage, await call('GET', '/shipments', { token: TOKEN.BETA }));
  expect(ofBeta.shipments.map(({ orderId }) => orderId)).toEqual(['B-1']);
  const delivered = documented(
    answers.shipmentPage,
    await call('GET', '/shipments?phase=settled&state=ended&kind=ltl&needsAttention=false'),
  );
  expect(delivered.shipments.length).toBeGreaterThan(1);
  const { next } = documented(answers.shipmentPage, await call('GET', '/shipments?limit=1'));
  for (const cursor of [`${next}&phase=booked`, `x${next}`, `${'A'.repeat(20)}.${'0'.repeat(16)}`])
    expect(await call('GET', `/shipments?cursor=${cursor}`)).toMatchObject({
      ...{ status: 400, body: { code: 'invalidInput' } },
    });
});

test('events that no shipment takes are listed for the accounts of the token', async () => {
  const event = {
    specversion: '1.0',
    id: 'e-1',
    source: '/test',
    type: 'Listing.Booked/v1',
    time: new Date().toISOString(),
    data: { listingId: 987654 },
  };
  const sent = await fetch(`${harness.receiverUrl}/webhooks/acme`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/cloudevents+json' },
    body: JSON.stringify(event),
  });
  expect(sent.status).toBe(200);
  const listed = async (token: string, query = '') =>
    documented(answers.eventPage, await call('GET', `/events${query}`, { token })).events.map(
      ({ account, listingId }) => `${account}/${listingId}`,
    );
  await until(async () => (await listed(TOKEN.DESK)).includes('acme/987654'));
  expect(await listed(TOKEN.DESK, '?account=acme&kind=unrouted')).toEqual(['acme/987654']);
  expect(await listed(TOKEN.BETA)).toEqual([]);
  const late = await call('GET', '/shipments/acme/API-1/late-events');
  expect(documented(answers.lateEventList, late).events).toEqual([]);
  expect(await call('POST', '/shipments/acme/API-1/acknowledge', { body: { reason: 'seen' } })).toMatchObject(
    {
      ...{ status: 409, body: { code: 'nothingToAcknowledge' } },
    },
  );
  expect(await call('POST', '/accounts/acme/retry', { body: { reason: 'the key is new' } })).toMatchObject({
    ...{ status: 200, body: { outcome: 'doneBefore' } },
  });
});

test('an account whose key is refused is paused in words, and a retry lets its order go on, by HTTP', async () => {
  const { orderId, place } = anOrder();
  const acme = async () =>
    documented(answers.accountList, await call('GET', '/accounts?shipments=1')).accounts[0]?.paused;
  harness.sandbox.trouble({ when: 'createListing', what: { kind: 'status', status: 401 } });
  await call('PUT', place, { body: { ...sofa, orderId } });
  await paused(harness, [placed(orderId)]);
  expect(await acme()).toMatch(/401/);
  harness.sandbox.clearTroubles();
  const retried = await call('POST', '/accounts/acme/retry', { body: { reason: 'the key is new' } });
  expect(documented(answers.receipt, retried)).toEqual({ outcome: 'accepted' });
  expect((await harness.ended(placed(orderId))).status).toBe('COMPLETED');
  expect(harness.ledgerOf(placed(orderId))).toMatchObject({ created: 1, liveBookings: 1 });
  await until(async () => (await acme()) === null);
});

test('the event of a listing finds its order again, and one after the end is acknowledged, by HTTP', async () => {
  const { orderId, place, document } = anOrder();
  await call('PUT', place, { body: document });
  const listingId = (await harness.ended(placed(orderId))).state?.listing?.listingId ?? '';
  const replayed = await call('POST', `/accounts/acme/listings/${listingId}/replay`);
  expect(documented(answers.replayedEvent, replayed).workflowId).toBe(`shipment/acme/${orderId}`);
  harness.sandbox.controls.adjustPrice(listingId, { amount: 75 });
  const asks = async () =>
    documented(answers.lateEventList, await call('GET', `${place}/late-events`)).events.filter(
      ({ needsAttention }) => needsAttention,
    );
  await until(async () => (await asks()).length > 0);
  expect(await asks()).toMatchObject([{ listingId, says: expect.stringMatching(/acknowledge/) }]);
  const body = { reason: 'the customer was informed' };
  const other = await call('POST', `${place}/acknowledge`, { body: { ...body, listingId: '1' } });
  expect(other).toMatchObject({ status: 409, body: { code: 'nothingToAcknowledge' } });
  const handled = await call('POST', `${place}/acknowledge`, { body: { ...body, listingId } });
  expect(documented(answers.receipt, handled)).toEqual({ outcome: 'accepted' });
  await until(async () => (await asks()).length === 0);
});

test('notifications of an order are listed, sent again and tried again, and endpoints are tested, by HTTP', async () => {
  const { orderId, place, document } = anOrder(LOW);
  await call('PUT', place, { body: document });
  await until(async () => await Promise.resolve(erp.kindsOf(orderId).includes('questionOpened')));
  const log = async () =>
    documented(answers.notificationLog, await call('GET', `${place}/notifications`, { token: TOKEN.FEED }));
  await until(async () => (await log()).deliveries.length > 0);
  const { deliveries, waiting, notifications } = await log();
  expect(deliveries).toMatchObject([
    { kind: 'questionOpened', endpoint: 'erp', outcome: 'delivered', status: 204 },
  ]);
  expect([waiting, notifications.map(({ order }) => order.orderId)]).toEqual([[], [orderId]]);

  // A token that may not decide changes nothing.
  const replay = `${place}/notifications/replay`;
  expect((await call('POST', replay, { token: TOKEN.FEED })).status).toBe(403);
  const replayed = await call('POST', `${replay}?from=${deliveries[0]?.id}`);
  expect(documented(answers.replayedNotifications, replayed)).toEqual({ count: 1 });
  await until(async () => await Promise.resolve(erp.kindsOf(orderId).length === 2));
  const [first, second] = erp.deliveries.filter((one) => one.orderId === orderId);
  expect(second?.event.id).toBe(first?.event.id);
  expect(await call('POST', `${replay}?from=none.1`)).toMatchObject({
    status: 400,
    body: { code: 'invalidInput' },
  });
  expect(await call('GET', '/shipments/acme/API-none/notifications')).toMatchObject({
    ...{ status: 404, body: { code: 'notFound' } },
  });

  const retried = await call('POST', '/accounts/acme/notifications/retry?endpoint=erp');
  expect(documented(answers.retriedNotifications, retried)).toEqual({ orders: 0 });
  const tested = await call('POST', '/accounts/acme/notifications/test');
  expect(documented(answers.testedNotifications, tested).endpoints).toMatchObject([
    { endpoint: 'erp', isAccepted: true, answer: { kind: 'answered', status: 204 } },
  ]);
  expect(erp.deliveries.at(-1)?.event.type).toBe('consign.test');
  erp.react(() => 500);
  const refused = await call('POST', '/accounts/acme/notifications/test?endpoint=erp');
  expect(documented(answers.testedNotifications, refused).endpoints).toMatchObject([{ isAccepted: false }]);
  erp.react(() => 204);
  for (const action of ['retry', 'test'])
    expect((await call('POST', `/accounts/beta/notifications/${action}`)).status).toBe(403);
  await call('POST', `${place}/cancel`, { body: { reason: 'a test' } });
});

test('events come in pages, and the loss of events is measured at as many shipments as asked for', async () => {
  harness.sandbox.trouble({ what: { kind: 'foreignListings', count: 3, eventsEach: 1 } });
  const page = async (query: string) => documented(answers.eventPage, await call('GET', `/events?${query}`));
  await until(async () => (await page('kind=foreign')).events.length >= 3);
  const whole = (await page('kind=foreign')).events.map(({ listingId }) => listingId);
  const found: (string | null)[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const part: Awaited<ReturnType<typeof page>> = await page(
      `kind=foreign&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    expect(part.events.length).toBeLessThanOrEqual(1);
    found.push(...part.events.map(({ listingId }) => listingId));
    cursor = part.next;
  }
  expect(found).toEqual(whole);
  const { next } = await page('kind=foreign&limit=1');
  expect(await call('GET', `/events?kind=late&limit=1&cursor=${next}`)).toMatchObject({
    ...{ status: 400, body: { code: 'invalidInput' } },
  });

  for (const measured of [1, 2]) {
    const { accounts } = documented(
      answers.accountList,
      await call('GET', `/accounts?shipments=${measured}`),
    );
    expect(accounts[0]?.events.shipments).toBe(measured);
  }
  for (const wrong of ['0', '1001', 'all'])
    expect(await call('GET', `/accounts?shipments=${wrong}`)).toMatchObject({
      ...{ status: 400, body: { errors: [{ path: 'query.shipments' }] } },
    });
});

test('a stream has heartbeats, is one of a few, and ends when the process stops', async () => {
  const { orderId, place, document } = anOrder(LOW);
  await call('PUT', place, { body: document });
  await harness.asked(placed(orderId), 'priceApproval');
  const { text } = await eventsOf(place, { isEnough: (sent) => sent.split(': heartbeat\n\n').length > 3 });
  expect(idsIn(text).length).toBeGreaterThan(0);

  const other = await startApi();
  const before = url;
  ({ url } = other);
  const open = async (): Promise<Response> =>
    await fetch(`${url}${place}/events`, { headers: { authorization: `Bearer ${TOKEN.FEED}` } });
  const streams = [await open(), await open(), await open()];
  const fourth = await open();
  expect([fourth.status, await fourth.json()]).toEqual([
    429,
    expect.objectContaining({ code: 'tooManyRequests' }),
  ]);
  const closing = other.api.close();
  for (const stream of streams) expect(await stream.text()).toContain('event: shipment');
  await closing;
  url = before;
  await call('POST', `${place}/cancel`, { body: { reason: 'a test' } });
});
