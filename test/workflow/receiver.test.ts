import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { DEFAULT_POLICY } from '../../src/domain/default-policy';
import { EVENT_TYPES } from '../../src/domain/marketplace-event';
import { marketplaceQueue, SHIPMENTS_QUEUE, UNROUTED_EVENTS_QUEUE } from '../../src/contract/task-queue';
import { shipmentWorkflowId, unroutedEventWorkflowId } from '../../src/domain/workflow-id';
import { createLog } from '../../src/platform/log';
import { ShipmentClient } from '../../src/starter/client/shipment-client';
import type { Integration } from '../../src/webhooks/integration';
import { createReceiver } from '../../src/webhooks/receiver';
import { createEventRouter, type RouterOptions } from '../../src/webhooks/router';
import { aFurnitureShipment, aListing } from '../support/builders';
import { endSignal } from '../support/scripted-shipments';
import {
  bundleScriptedShipments,
  signalsOf,
  startTestTemporal,
  until,
  untilEnded,
  type TestTemporal,
  type WorkflowBundle,
} from '../support/temporal';

const SECRET = 'correct horse battery staple';
const LONG_SECRET = 'x'.repeat(256);
const SIGNAL = 'marketplaceEventReceived';
const EVENT = 'Listing.Booked/v1';

const pin = (name: string) => ({ name, environment: 'sandbox' as const });
const BOLT_SECRET = 'bolt from the blue';
const INTEGRATIONS: readonly Integration[] = [
  { name: 'acme', secret: async () => SECRET, accounts: [pin('acme')] },
  { name: 'bolt', secret: async () => BOLT_SECRET, accounts: [pin('bolt')] },
  { name: 'both', secret: async () => LONG_SECRET, accounts: [pin('acme'), pin('globex')] },
];

interface Receiver {
  readonly server: FastifyInstance;
  readonly url: string;
}

async function startReceiver({ client }: TestTemporal, options: RouterOptions = {}): Promise<Receiver> {
  const server = createReceiver({
    integrations: INTEGRATIONS,
    router: createEventRouter(client, options),
    isTemporalUp: async () => true,
    log: createLog('test', 'silent'),
  });
  return { server, url: await server.listen({ host: '127.0.0.1', port: 0 }) };
}

let temporal: TestTemporal;
let bundle: WorkflowBundle;
let shipments: ShipmentClient;
let receiver: Receiver;

beforeAll(async () => {
  temporal = await startTestTemporal();
  bundle = await bundleScriptedShipments();
  shipments = new ShipmentClient(temporal.client);
});

// A new one for each test, so that no test lives on what the receiver has learned in another.
beforeEach(async () => {
  await receiver?.server.close();
  receiver = await startReceiver(temporal);
});

afterAll(async () => {
  await receiver.server.close();
  await temporal.close();
});

let numbers = 0;
const aNumber = (): number => (numbers += 1);
const aListingId = (): string => String(400_000_000 + aNumber());

/** An order that runs, without a worker. */
async function startOrder(account = 'acme', client = shipments): Promise<string> {
  const orderId = `SO-${aNumber()}`;
  await client.start({
    shipment: aFurnitureShipment({ account, orderId }),
    account: pin(account),
    policy: DEFAULT_POLICY,
    documentHash: 'a'.repeat(64),
  });
  return orderId;
}

const reference = (account: string, orderId: string) => ({
  number: `${account}/${orderId}`,
  type: { value: 'ThirdPartyOrderNumber', label: 'Third party order number', shortLabel: '3PO' },
  referenceNumberLabel: null,
});
const dataOf = (orderId: string, account = 'acme') => ({ referenceNumbers: [reference(account, orderId)] });

const anEvent = (data: object, over: object = {}) => ({
  specversion: '1.0',
  id: randomUUID(),
  source: 'urn:marketplace',
  time: '2035-03-01T12:00:00.1234567Z',
  type: EVENT,
  data,
  ...over,
});

interface Sending {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function post(body: string | Uint8Array, sending: Sending = {}, to = receiver): Promise<Response> {
  const { path = '/webhooks/acme', headers = {} } = sending;
  return await fetch(`${to.url}${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-webhook-secret': SECRET, ...headers },
  });
}

const send = async (event: object, sending: Sending = {}, to = receiver): Promise<number> =>
  (await post(JSON.stringify(event), sending, to)).status;

/** What the receiver did with events, and why it refused requests. */
async function counts(): Promise<Record<string, number>> {
  const health = await (await fetch(`${receiver.url}/health`)).json();
  const { events, refused } = health as Record<'events' | 'refused', Record<string, number>>;
  return Object.fromEntries(Object.entries({ ...events, ...refused }).filter(([, count]) => count > 0));
}

const orderSignals = async (orderId: string, account = 'acme', client = temporal.client): Promise<string[]> =>
  await signalsOf(client, shipmentWorkflowId(account, orderId));

/** Workers of everything, with a marketplace that knows `listings`: their ids, and the references they carry. */
async function withWorkers(
  listings: Readonly<Record<string, string>>,
  use: () => Promise<void>,
): Promise<void> {
  const getListing = async ({ listingId }: { listingId: string }) => {
    const number = listings[listingId];
    const type = 'ThirdPartyOrderNumber';
    return aListing({
      listingId,
      referenceNumbers: number === undefined ? [] : [{ type, number, label: null }],
    });
  };
  const queues = {
    [SHIPMENTS_QUEUE]: {},
    [UNROUTED_EVENTS_QUEUE]: {},
    [marketplaceQueue('acme')]: { getListing },
  };
  await temporal.withWorkers(bundle, queues, use);
}

const lookUpId = (listingId: string, account = 'acme') => unroutedEventWorkflowId(account, listingId);

async function complete(orderId: string): Promise<void> {
  const workflowId = shipmentWorkflowId('acme', orderId);
  await temporal.client.workflow.getHandle(workflowId).signal(endSignal, 'complete');
  await withWorkers({}, async () => await untilEnded(temporal.client, workflowId));
}

test.each(EVENT_TYPES)(
  "an event %s with the order's reference is signalled to the shipment",
  async (type) => {
    const orderId = await startOrder();
    const response = await post(JSON.stringify(anEvent(dataOf(orderId), { type })));
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
    expect(await orderSignals(orderId)).toEqual([SIGNAL]);
    expect(await counts()).toEqual({ signalled: 1 });
  },
);

test("the signal carries the event's clues and a digest of its data, and nothing else", async () => {
  const orderId = await startOrder();
  const event = anEvent({ ...dataOf(orderId), listingId: 273679133, driver: { phone: '+1 512 555 0100' } });
  await send(event);
  const { events } = await temporal.client.workflow
    .getHandle(shipmentWorkflowId('acme', orderId))
    .fetchHistory();
  const signal = events
    ?.map((one) => one.workflowExecutionSignaledEventAttributes)
    .find((one) => one != null);
  const { id, type, time } = event;
  expect(JSON.parse(Buffer.from(signal?.input?.payloads?.[0]?.data ?? []).toString('utf8'))).toEqual({
    ...{ id, type, time },
    listingIds: ['273679133'],
    attachmentIds: [],
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    key: expect.stringMatching(/^[0-9a-f]{32}$/),
    says: 'bookedEvent',
  });
});

test('an event of an unknown type is still signalled, and counted', async () => {
  const orderId = await startOrder();
  expect(await send(anEvent(dataOf(orderId), { type: 'Listing.Repainted/v9' }))).toBe(200);
  expect(await orderSignals(orderId)).toEqual([SIGNAL]);
  expect(await counts()).toEqual({ signalled: 1, unknownType: 1 });
});

test('extra attributes of the envelope do no harm', async () => {
  const orderId = await startOrder();
  const extra = { datacontenttype: 'application/json', subject: 'x', traceparent: '00-1', constructor: 1 };
  expect(await send(anEvent(dataOf(orderId), extra))).toBe(200);
  expect(await orderSignals(orderId)).toEqual([SIGNAL]);
});

test.each([
  ['application/json'],
  ['application/cloudevents+json'],
  ['application/cloudevents+json; charset=utf-8'],
  ['text/plain'],
  ['application/octet-stream'],
])('a body of content type %s is read by its content', async (contentType) => {
  const orderId = await startOrder();
  const headers = { 'content-type': contentType };
  expect(await send(anEvent(dataOf(orderId)), { headers })).toBe(200);
  expect(await orderSignals(orderId)).toEqual([SIGNAL]);
});

test('a body without a content type is still read', async () => {
  const orderId = await startOrder();
  const response = await fetch(`${receiver.url}/webhooks/acme/${encodeURIComponent(SECRET)}`, {
    method: 'POST',
    body: Buffer.from(JSON.stringify(anEvent(dataOf(orderId)))),
  });
  expect(response.status).toBe(200);
  expect(await orderSignals(orderId)).toEqual([SIGNAL]);
});

test('doubled events of an order are all passed on: the shipment drops them', async () => {
  const orderId = await startOrder();
  const event = anEvent(dataOf(orderId));
  expect([await send(event), await send(event)]).toEqual([200, 200]);
  expect(await orderSignals(orderId)).toEqual([SIGNAL, SIGNAL]);
});

test('repeated events with only a listing id start one look-up of that listing, which gets them all', async () => {
  const listingId = aListingId();
  const events = Array.from({ length: 8 }, () => anEvent({ listingId: Number(listingId) }));
  expect(await Promise.all(events.map(async (event) => await send(event)))).toEqual(Array(8).fill(200));
  const found = await temporal.client.workflow.getHandle(lookUpId(listingId)).describe();
  expect(found).toMatchObject({ type: 'unroutedEvent', taskQueue: UNROUTED_EVENTS_QUEUE });
  expect(await signalsOf(temporal.client, lookUpId(listingId))).toEqual(Array(8).fill(SIGNAL));
  expect(await counts()).toEqual({ unrouted: 8 });
});

test.each([
  ['a nested URI', (id: string) => anEvent({ links: { self: `https://api.example/v2/listings/${id}` } })],
  ['its source', (id: string) => anEvent({}, { source: `https://api.example/listings/${id}` })],
])('an event that names the listing only in %s starts a look-up', async (_where, eventOf) => {
  const listingId = aListingId();
  expect(await send(eventOf(listingId))).toBe(200);
  expect(await signalsOf(temporal.client, lookUpId(listingId))).toEqual([SIGNAL]);
});

test('the look-up passes the event on to the shipment that the listing names', async () => {
  const [orderId, listingId] = [await startOrder(), aListingId()];
  expect(await send(anEvent({ listingId }))).toBe(200);
  await withWorkers({ [listingId]: `acme/${orderId}` }, async () => {
    await untilEnded(temporal.client, lookUpId(listingId));
  });
  expect(await orderSignals(orderId)).toEqual([SIGNAL]);
});

test('once a listing is looked up, its further events go straight to the shipment', async () => {
  const [orderId, listingId] = [await startOrder(), aListingId()];
  await send(anEvent({ listingId }));
  await withWorkers({ [listingId]: `acme/${orderId}` }, async () => {
    await untilEnded(temporal.client, lookUpId(listingId));
  });
  expect([await send(anEvent({ listingId })), await send(anEvent({ listingId }))]).toEqual([200, 200]);
  expect(await orderSignals(orderId)).toEqual([SIGNAL, SIGNAL, SIGNAL]);
  expect(await counts()).toEqual({ unrouted: 1, signalled: 2 });
});

test("a listing that came with the order's reference is not the order's until a read proves it", async () => {
  const [orderId, listingId] = [await startOrder(), aListingId()];
  await send(anEvent({ ...dataOf(orderId), listingId }));
  expect(await send(anEvent({ listingId }))).toBe(200);
  expect(await counts()).toEqual({ signalled: 1, unrouted: 1 });
});

/** With bolt's secret alone. */
const BOLT: Sending = { path: '/webhooks/bolt', headers: { 'x-webhook-secret': BOLT_SECRET } };

test.each<[string, (acme: string, bolt: string) => object]>([
  ['the listing alone', () => ({})],
  ['the listing and the order of acme', (acme) => dataOf(acme)],
  ['the listing and an order of its own', (_acme, bolt) => dataOf(bolt, 'bolt')],
])("with bolt's secret nothing reaches acme's shipment: %s", async (_what, claimsOf) => {
  const [acme, bolt, listingId] = [await startOrder(), await startOrder('bolt'), aListingId()];
  await send(anEvent({ listingId }));
  await withWorkers({ [listingId]: `acme/${acme}` }, async () => {
    await untilEnded(temporal.client, lookUpId(listingId));
  });
  // The receiver knows by now whose the listing is.
  expect(await send(anEvent({ listingId }))).toBe(200);
  const attachmentId = 'pod-1';
  const event = anEvent({ listingId, attachmentId, ...claimsOf(acme, bolt) }, { id: 'att-1' });
  expect(await send(event, BOLT)).toBe(200);
  expect(await orderSignals(acme)).toEqual([SIGNAL, SIGNAL]);

  // The identifier is as good as before, and the event goes where it belongs.
  expect(await send(anEvent({ listingId, attachmentId, ...dataOf(acme) }, { id: 'att-1' }))).toBe(200);
  expect(await send(anEvent({ listingId }))).toBe(200);
  expect(await orderSignals(acme)).toEqual([SIGNAL, SIGNAL, SIGNAL, SIGNAL]);
  expect((await orderSignals(bolt, 'bolt')).length).toBeLessThanOrEqual(1);
});

test("an event from bolt about an unread listing does not route acme's events to bolt", async () => {
  const [acme, bolt, listingId] = [await startOrder(), await startOrder('bolt'), aListingId()];
  expect(await send(anEvent({ listingId, ...dataOf(bolt, 'bolt') }), BOLT)).toBe(200);
  expect(await send(anEvent({ listingId }))).toBe(200);
  await withWorkers({ [listingId]: `acme/${acme}` }, async () => {
    await untilEnded(temporal.client, lookUpId(listingId));
  });
  expect(await send(anEvent({ listingId }))).toBe(200);
  expect(await orderSignals(acme)).toEqual([SIGNAL, SIGNAL]);
  expect(await orderSignals(bolt, 'bolt')).toEqual([SIGNAL]);
});

test('once one account of a URL is known to own a listing, the others no longer read it', async () => {
  const both = { path: '/webhooks/both', headers: { 'x-webhook-secret': LONG_SECRET } };
  const [orderId, listingId] = [await startOrder(), aListingId()];
  await send(anEvent({ listingId }));
  await withWorkers({ [listingId]: `acme/${orderId}` }, async () => {
    await untilEnded(temporal.client, lookUpId(listingId));
  });
  expect(await send(anEvent({ listingId }), both)).toBe(200);
  expect(await orderSignals(orderId)).toEqual([SIGNAL, SIGNAL]);
  await expect(temporal.client.workflow.getHandle(lookUpId(listingId, 'globex')).describe()).rejects.toThrow(
    /not found/i,
  );
});

/** As fast as they can be sent, each of a listing that nobody knows. @returns how many were answered so */
async function flood(size: number, eventOf: () => object, sending: Sending = {}) {
  const answers = { taken: 0, again: 0 };
  const unexpected: number[] = [];
  const sendSome = async (): Promise<void> => {
    while (answers.taken + answers.again < size) {
      answers.again += 1;
      const response = await post(JSON.stringify(eventOf()), sending);
      if (response.status === 200) {
        answers.again -= 1;
        answers.taken += 1;
      } else if (response.status !== 503) unexpected.push(response.status);
      // Not over its budget, but in want of an answer from Temporal: it is sent again.
      else if (response.headers.get('retry-after') !== '30') answers.again -= 1;
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: 20 }, sendSome));
  expect(unexpected).toEqual([]);
  return { ...answers, seconds: (performance.now() - startedAt) / 1_000 };
}

test.each<[string, number, () => object]>([
  ['a listing each', 150, () => anEvent({ listingId: aListingId() })],
  ['a listing each, by its URI', 40, () => anEvent({ uri: `https://x.example/listings/${aListingId()}` })],
  [
    'one listing whose references change',
    40,
    () => anEvent({ listingId: 999_999_999 }, { type: 'Listing.ReferenceNumberAdded/v1' }),
  ],
])('events of unknown listings exhaust their budget: %s, %i in all', async (_which, size, eventOf) => {
  await receiver.server.close();
  const [burst, perSecond] = [20, 1];
  receiver = await startReceiver(temporal, { lookUpBudget: { burst, perSecond } });
  const { taken, again, seconds } = await flood(size, eventOf);
  expect(taken + again).toBe(size);
  expect(taken).toBeGreaterThanOrEqual(burst);
  expect(taken).toBeLessThanOrEqual(burst + perSecond * seconds + 1);
  expect(await counts()).toMatchObject({ unrouted: taken, overBudget: again });

  // Neither another integration nor a shipment of the same one waits for that.
  const [orderId, listingId] = [await startOrder(), aListingId()];
  expect(await send(anEvent({ listingId }), BOLT)).toBe(200);
  expect(await send(anEvent(dataOf(orderId)))).toBe(200);
  expect(await orderSignals(orderId)).toEqual([SIGNAL]);
});

test('a repeated event of a running or finished look-up costs no budget', async () => {
  await receiver.server.close();
  receiver = await startReceiver(temporal, { lookUpBudget: { burst: 2, perSecond: 0 } });
  const [orderId, listingId] = [await startOrder(), aListingId()];
  const naming = () => anEvent({ listingId });
  expect(await flood(10, naming)).toMatchObject({ taken: 10 });
  await withWorkers({ [listingId]: `acme/${orderId}` }, async () => {
    await untilEnded(temporal.client, lookUpId(listingId));
  });
  expect(await flood(10, naming)).toMatchObject({ taken: 10 });
  const other = aListingId();
  expect(await send(anEvent({ listingId: other }))).toBe(200);
  expect(await send(anEvent({ listingId: aListingId() }))).toBe(503);
  expect(await send(anEvent({ listingId: other }))).toBe(200);
  expect(await counts()).toEqual({ unrouted: 12, signalled: 10, overBudget: 1 });
});

test('events of a foreign listing are counted as foreign', async () => {
  const listingId = aListingId();
  await send(anEvent({ listingId }));
  await withWorkers({}, async () => await untilEnded(temporal.client, lookUpId(listingId)));
  expect([await send(anEvent({ listingId })), await send(anEvent({ listingId }))]).toEqual([200, 200]);
  expect(await counts()).toEqual({ unrouted: 1, foreign: 2 });
});

test('a look-up that somebody ended without a result starts again with the next event', async () => {
  const listingId = aListingId();
  await send(anEvent({ listingId }));
  const handle = temporal.client.workflow.getHandle(lookUpId(listingId));
  const first = (await handle.describe()).runId;
  await handle.terminate();
  expect(await send(anEvent({ listingId }))).toBe(200);
  expect((await handle.describe()).runId).not.toBe(first);
  expect(await counts()).toEqual({ unrouted: 2 });
});

test('events of a completed shipment are answered with 200 and counted', async () => {
  const orderId = await startOrder();
  await complete(orderId);
  expect(await send(anEvent(dataOf(orderId)))).toBe(200);
  expect(await counts()).toEqual({ completed: 1 });
});

test('an event for an order that was never started is routed by its listing id', async () => {
  const listingId = aListingId();
  expect(await send(anEvent({ ...dataOf('SO-never'), listingId }))).toBe(200);
  expect(await signalsOf(temporal.client, lookUpId(listingId))).toEqual([SIGNAL]);
});

test('an event for an order that was never started is foreign without a listing id', async () => {
  expect(await send(anEvent(dataOf('SO-never')))).toBe(200);
  expect(await counts()).toEqual({ foreign: 1 });
});

test('an event that names nothing is answered with 200 and counted', async () => {
  expect(await send(anEvent({}))).toBe(200);
  expect(await send({ ...anEvent({}), data: undefined })).toBe(200);
  expect(await counts()).toEqual({ withoutClue: 2 });
});

test('a reference to an account that is not behind the URL reaches no shipment', async () => {
  const orderId = await startOrder('globex');
  expect(await send(anEvent(dataOf(orderId, 'globex')))).toBe(200);
  expect(await orderSignals(orderId, 'globex')).toEqual([]);
  expect(await counts()).toEqual({ foreign: 1 });
});

test('one URL may serve several accounts, each of which looks up a listing', async () => {
  const both = { path: '/webhooks/both', headers: { 'x-webhook-secret': LONG_SECRET } };
  const [orderId, listingId] = [await startOrder('globex'), aListingId()];
  expect(await send(anEvent(dataOf(orderId, 'globex')), both)).toBe(200);
  expect(await orderSignals(orderId, 'globex')).toEqual([SIGNAL]);
  expect(await send(anEvent({ listingId }), both)).toBe(200);
  for (const account of ['acme', 'globex'])
    expect(await signalsOf(temporal.client, lookUpId(listingId, account))).toEqual([SIGNAL]);
});

test.each([
  ['in a header of its own', { headers: { 'x-webhook-secret': SECRET } }],
  ['as a bearer token', { headers: { 'x-webhook-secret': 'x', authorization: `Bearer ${SECRET}` } }],
  [
    'in the path',
    { path: `/webhooks/acme/${encodeURIComponent(SECRET)}`, headers: { 'x-webhook-secret': 'x' } },
  ],
  ['in the path, however long', { path: `/webhooks/both/${LONG_SECRET}` }],
])('the secret is accepted %s', async (_where, sending: Sending) => {
  expect(await send(anEvent({}), sending)).toBe(200);
});

test.each([
  ['a wrong one', { headers: { 'x-webhook-secret': 'wrong' } }],
  ['an empty one', { headers: { 'x-webhook-secret': '' } }],
  ['a wrong one in the path', { path: '/webhooks/acme/wrong' }],
  ['a wrong bearer token', { headers: { authorization: 'Bearer wrong' } }],
  ["another integration's", { headers: { 'x-webhook-secret': LONG_SECRET } }],
])('without the right secret nothing is accepted: %s', async (_which, sending: Sending) => {
  const orderId = await startOrder();
  expect(await send(anEvent(dataOf(orderId)), sending)).toBe(401);
  expect(await orderSignals(orderId)).toEqual([]);
  expect(await counts()).toEqual({ unauthorized: 1 });
});

test('without any secret nothing is accepted', async () => {
  const response = await fetch(`${receiver.url}/webhooks/acme`, { method: 'POST', body: '{}' });
  expect(response.status).toBe(401);
});

test.each([['unknown'], ['toString'], ['__proto__'], ['constructor']])(
  'an unknown integration %s answers 404',
  async (name) => {
    expect(await send(anEvent({}), { path: `/webhooks/${name}` })).toBe(404);
  },
);

test('a body over 256 KiB answers 413, one just below is accepted', async () => {
  expect(await send(anEvent({ filler: 'x'.repeat(256 * 1024) }))).toBe(413);
  expect(await send(anEvent({ filler: 'x'.repeat(255 * 1024) }))).toBe(200);
});

test('an event without an id is refused, never given one', async () => {
  const orderId = await startOrder();
  const response = await post(JSON.stringify(anEvent(dataOf(orderId), { id: undefined })));
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ reason: expect.stringContaining('id: ') });
  expect(await orderSignals(orderId)).toEqual([]);
  expect(await counts()).toEqual({ noEvent: 1 });
});

const wrongValue = fc.constantFrom<unknown>(null, 7, -1e308, true, [], {}, [''], { toString: 1 }, '');
const field = fc.constantFrom('specversion', 'id', 'source', 'type');
const poison = fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty');
const goodText = JSON.stringify(anEvent({ listingId: 1 }));

/** Bodies that are no event, each in a way of its own. */
const malformed: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 2_000 }),
  fc.string({ unit: 'binary', maxLength: 500 }),
  fc.json({ maxDepth: 6 }),
  fc.nat({ max: goodText.length - 1 }).map((length) => goodText.slice(0, length)),
  fc
    .tuple(field, wrongValue)
    // Any text is a source.
    .filter(([name, value]) => !(name === 'source' && value === ''))
    .map(([name, value]) => JSON.stringify(anEvent({}, { [name]: value }))),
  fc
    .tuple(fc.constantFrom('[', '{"data":', '{"a":[', '[{"id":'), fc.integer({ min: 1, max: 20_000 }))
    .map(([open, depth]) => open.repeat(depth)),
  fc.integer({ min: 1, max: 60_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc
    .tuple(fc.constantFrom('id', 'source', 'type', 'specversion'), fc.integer({ min: 1, max: 5_000 }))
    .map(([name, digits]) =>
      JSON.stringify(anEvent({}, { [name]: 'HERE' })).replace('"HERE"', `${'9'.repeat(digits)}e9999`),
    ),
  poison.map((key) => `{"${key}":${goodText}}`),
  poison.map((key) => `{"${key}":{"id":"1","specversion":"1.0"},"data":{"${key}":{"listingId":1}}}`),
  fc.string({ minLength: 201, maxLength: 400 }).map((id) => JSON.stringify(anEvent({}, { id }))),
);

test('100 malformed bodies are each refused, and a good event still gets through', async () => {
  const orderId = await startOrder();
  await fc.assert(
    fc.asyncProperty(malformed, async (body) => {
      expect((await post(body)).status).toBe(400);
    }),
    { numRuns: 100 },
  );
  expect(Object.keys(await counts()).sort()).toEqual(['noEvent', 'noJson']);
  expect(({} as Record<string, unknown>).listingId).toBeUndefined();
  expect(await send(anEvent(dataOf(orderId)))).toBe(200);
  expect(await orderSignals(orderId)).toEqual([SIGNAL]);
});

test('200 valid envelopes with any data are accepted: content is a hint', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.oneof(poison, fc.string()), fc.jsonValue()), async (data) => {
      expect(await send(anEvent(data))).toBe(200);
    }),
    { numRuns: 200 },
  );
});

test('deeply nested data is accepted, without a search of its depths', async () => {
  const depth = 30_000;
  const body = JSON.stringify(anEvent({ deep: 'HERE' }));
  expect((await post(body.replace('"HERE"', '['.repeat(depth) + ']'.repeat(depth)))).status).toBe(200);
});

test.each([
  ['POST', '/webhooks/acme/%ZZ', 400],
  ['GET', '/webhooks/acme', 404],
  ['POST', '/webhooks', 404],
  ['POST', '/webhooks/acme/a/b', 404],
])('%s %s answers %i', async (method, path, status) => {
  expect((await fetch(`${receiver.url}${path}`, { method })).status).toBe(status);
});

test('while Temporal is frozen or gone an event answers 503 long before the marketplace gives up, and is accepted once Temporal is back', async () => {
  const fragile = await startTestTemporal();
  const { client, open } = fragile;
  const started = await startReceiver(fragile);
  try {
    const orderId = await startOrder('acme', new ShipmentClient(client));
    const event = anEvent(dataOf(orderId));
    expect(await send(event, {}, started)).toBe(200);

    open.server?.kill('SIGSTOP');
    // A busy machine lets it answer once more before it stands still.
    await until(async () => (await send(event, {}, started)) === 503);
    await expectUnavailable(event, started);
    open.server?.kill('SIGCONT');
    await until(async () => (await send(event, {}, started)) === 200);
    expect((await orderSignals(orderId, 'acme', client)).length).toBeGreaterThanOrEqual(2);

    await open.close();
    await expectUnavailable(event, started);
    await expectUnavailable(anEvent({ listingId: 7 }), started);
  } finally {
    await started.server.close();
    await fragile.close();
  }
});

async function expectUnavailable(event: object, to: Receiver): Promise<void> {
  const startedAt = performance.now();
  const response = await post(JSON.stringify(event), {}, to);
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  // Far below the 21 s that a signal without a deadline waits.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
}
