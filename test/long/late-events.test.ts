import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure, defaultPayloadConverter } from '@temporalio/common';
import { Worker, type NativeConnection } from '@temporalio/worker';
import { createOrderEndActivities } from '../../src/activities/order-ends';
import { DEFAULT_EVENT_POLICY, type EventPolicy } from '../../src/domain/event-policy';
import { DEFAULT_POLICY } from '../../src/domain/default-policy';
import type { LateEventState } from '../../src/domain/late-event';
import type { ListingRecord } from '../../src/domain/listing';
import type { MarketplaceEvent } from '../../src/domain/marketplace-event';
import type { DeliveredResult } from '../../src/domain/shipment-result';
import { marketplaceQueue, SHIPMENTS_QUEUE, UNROUTED_EVENTS_QUEUE } from '../../src/contract/task-queue';
import {
  lateEventWorkflowId,
  shipmentWorkflowId,
  unroutedEventWorkflowId,
} from '../../src/domain/workflow-id';
import type { FileStore } from '../../src/platform/file-store';
import { createLog } from '../../src/platform/log';
import { EventClient, type EventKind } from '../../src/starter/client/event-client';
import { ShipmentClient } from '../../src/starter/client/shipment-client';
import { readEnvelope } from '../../src/webhooks/envelope';
import { createReceiver } from '../../src/webhooks/receiver';
import { createEventRouter, type EventRouter } from '../../src/webhooks/router';
import { reserveFreePort } from '../../src/temporal/dev-server/free-port';
import { readClusterState } from '../../src/worker/cluster-state';
import { lateEventStateQuery } from '../../src/contract/messages';
import { aFurnitureShipment, aListing } from '../support/builders';
import { isOfFlood, measureFlood } from '../support/flood';
import { endSignal } from '../support/scripted-shipments';
import { valueOf } from '../support/metrics-text';
import {
  bundleScriptedShipments,
  connectWorkers,
  signalsOf,
  startTestTemporal,
  until,
  untilEnded,
  type TestTemporal,
} from '../support/temporal';
import { NO_ENDPOINTS } from '../support/notifications';

/** `npm run bench:flood` sends 10,000, and looks at the slowest event. */
const FLOOD = 100;
const ACME = { name: 'acme', environment: 'sandbox' } as const;
const SENDER = { name: 'acme', accounts: [ACME] };
const FAST: EventPolicy = {
  ...DEFAULT_EVENT_POLICY,
  notFoundMs: 600,
  notFoundPace: { initialMs: 100, maximumMs: 200 },
  unreadablePace: { initialMs: 300, maximumMs: 60_000 },
  latePace: { initialMs: 150, maximumMs: 300 },
};
const BOOKED = 'Listing.Booked/v1';
const PRICE = 'Listing.PriceDetailsUpdated/v1';
const LINK = 'https://marketplace.example/cancel';

/** Readings that wait until the test lets them, by listing. */
const heldReadings = new Map<string, Promise<void>>();
/** What the marketplace knows; a failure is thrown, a listing that is not here is not found. */
const listings = new Map<string, ListingRecord | Error>();
let temporal: TestTemporal;
let metricsPort: number;
let native: NativeConnection;
let workers: Worker[] = [];
let running: Promise<void>[] = [];
let router: EventRouter;
let shipments: ShipmentClient;
let people: EventClient;

async function getListing({ listingId }: { readonly listingId: string }): Promise<ListingRecord> {
  await heldReadings.get(listingId);
  if (isOfFlood(listingId)) return aListing({ listingId, referenceNumbers: [] });
  const found = listings.get(listingId) ?? ApplicationFailure.nonRetryable('no such listing', 'NotFound');
  if (found instanceof Error) throw found;
  return found;
}

beforeAll(async () => {
  metricsPort = await reserveFreePort();
  temporal = await startTestTemporal();
  native = await connectWorkers(temporal.open, metricsPort);
  const { client, open } = temporal;
  router = createEventRouter(client, { policy: FAST });
  shipments = new ShipmentClient(client);
  people = new EventClient(client, FAST);
  const marketplaceOf = (): never => {
    throw new Error('this activity asks Temporal only');
  };
  const dependencies = { client, files: {} as FileStore, marketplaceOf, notifications: NO_ENDPOINTS };
  const activities = { getListing, getOrderEnd: createOrderEndActivities(dependencies).getOrderEnd };
  const common = {
    connection: native,
    namespace: open.namespace,
    workflowBundle: await bundleScriptedShipments(),
  };
  const queues = [
    { taskQueue: SHIPMENTS_QUEUE },
    { taskQueue: UNROUTED_EVENTS_QUEUE },
    { taskQueue: marketplaceQueue('acme'), activities },
  ];
  workers = await Promise.all(queues.map(async (queue) => await Worker.create({ ...common, ...queue })));
  running = workers.map(async (worker) => await worker.run());
}, 60_000);

afterAll(async () => {
  for (const worker of workers) worker.shutdown();
  await Promise.all(running);
  await native.close();
  await temporal.close();
});

let numbers = 0;
const aNumber = (): number => (numbers += 1);

interface Order {
  readonly orderId: string;
  readonly listingId: string;
  readonly handle: WorkflowHandle;
}

async function startOrder(): Promise<Order> {
  const number = aNumber();
  const orderId = `SO-${number}`;
  await shipments.start({
    shipment: aFurnitureShipment({ orderId }),
    account: ACME,
    policy: DEFAULT_POLICY,
    documentHash: 'a'.repeat(64),
  });
  const handle = temporal.client.workflow.getHandle(shipmentWorkflowId('acme', orderId));
  return { orderId, listingId: String(500_000_000 + number), handle };
}

type End = 'fail' | 'cancel' | 'terminate' | DeliveredResult;

async function anEndedOrder(end: End): Promise<Order> {
  const order = await startOrder();
  if (end === 'terminate') await order.handle.terminate('a test');
  else if (end === 'cancel') await order.handle.cancel();
  else if (end === 'fail') await order.handle.signal(endSignal, 'fail');
  else await order.handle.signal(endSignal, 'complete', end);
  if (end !== 'terminate') await untilEnded(temporal.client, order.handle.workflowId);
  return order;
}

const aResult = (over: Partial<DeliveredResult> = {}): DeliveredResult => ({
  kind: 'delivered',
  ...{
    listingId: '1',
    billOfLadingNumber: null,
    proNumber: null,
    carrier: null,
    transitStatus: 'Delivered',
    notices: [],
  },
  price: { minorUnits: 50_000, currency: 'USD' },
  customerPrice: null,
  ...over,
});

const ours = (orderId: string) => [
  { type: 'ThirdPartyOrderNumber', number: `acme/${orderId}`, label: null } as const,
];

function knowListing({ orderId, listingId }: Order, over: Partial<ListingRecord> = {}): void {
  const record = { listingId, referenceNumbers: ours(orderId), cancellationLink: LINK };
  listings.set(listingId, aListing({ ...record, ...over }));
}

const anEnvelope = (type: string, data: object): string =>
  JSON.stringify({
    ...{ specversion: '1.0', id: randomUUID(), source: 'urn:x', time: '2035-03-01T12:00:00Z' },
    ...{ type, data },
  });

async function send(type: string, data: object): Promise<string> {
  const verdict = readEnvelope(JSON.parse(anEnvelope(type, data)), 'acme');
  if (verdict.kind !== 'event') throw new Error(verdict.reason);
  return await router.route(SENDER, verdict.event, verdict.clues);
}

const naming = ({ orderId, listingId }: Order) => ({
  listingId,
  referenceNumbers: [{ number: `acme/${orderId}`, type: 'ThirdPartyOrderNumber' }],
});

const lateOf = ({ orderId, listingId }: Order) =>
  temporal.client.workflow.getHandle(lateEventWorkflowId('acme', orderId, listingId));

async function untilAsked(order: Order): Promise<LateEventState> {
  await until(async () => (await lateOf(order).query(lateEventStateQuery)).asks !== null);
  return await lateOf(order).query(lateEventStateQuery);
}

const acknowledge = async ({ orderId, listingId }: Order): Promise<void> =>
  await people.acknowledge({ account: 'acme', orderId, listingId }, { by: 'Pat', reason: 'seen' });

async function statusOf(handle: WorkflowHandle): Promise<string> {
  return (await handle.describe()).status.name;
}

test.each([
  ['fail' as const, 'failed'],
  ['terminate' as const, 'was terminated'],
])(
  'a Booked event after the end %s asks a person until the booking is gone, names the listing, and shows its link only in `show`',
  async (end, said) => {
    const order = await anEndedOrder(end);
    knowListing(order, { status: 'Booked', carrier: { userId: '1', displayName: 'Blue Line' } });
    expect(await send(BOOKED, naming(order))).toBe('late');
    const { asks } = await untilAsked(order);
    expect(asks?.matter).toBe('bookedAfterEnd');
    for (const part of [order.listingId, `acme/${order.orderId}`, said, 'Blue Line', 'has the link'])
      expect(asks?.text).toContain(part);
    expect(asks?.cancellationLink).toBe(LINK);
    const { memo } = await lateOf(order).describe();
    expect(JSON.stringify([asks?.text, memo])).not.toContain(LINK);
    await until(async () => {
      const found = await shipments.list({ query: `NeedsAttention = true AND OrderId = '${order.orderId}'` });
      return found.length === 1 && found[0]?.phase === 'lateEvent' && found[0].listingId === order.listingId;
    });
    knowListing(order, { status: 'Cancelled' });
    await untilEnded(temporal.client, lateOf(order).workflowId);
    const { searchAttributes } = await lateOf(order).describe();
    expect(searchAttributes).toMatchObject({ NeedsAttention: [false], Account: ['acme'] });
  },
);

test('the receiver answers 200 to an event of a finished order, however the order ended', async () => {
  const server = createReceiver({
    integrations: [{ name: 'acme', secret: async () => await Promise.resolve('secret'), accounts: [ACME] }],
    router,
    isTemporalUp: async () => await Promise.resolve(true),
    log: createLog('test', 'silent'),
  });
  const answerTo = async (order: Order, type: string): Promise<number> => {
    const payload = anEnvelope(type, naming(order));
    const headers = { 'content-type': 'application/json' };
    return (await server.inject({ method: 'POST', url: '/webhooks/acme/secret', payload, headers }))
      .statusCode;
  };
  const statuses: string[] = [];
  for (const end of [aResult(), 'fail', 'cancel', 'terminate'] as const) {
    const order = await anEndedOrder(end);
    statuses.push(await statusOf(order.handle));
    knowListing(order, { status: 'Cancelled' });
    for (const type of [BOOKED, PRICE, 'Listing.StatusChanged/v1'])
      expect([end, type, await answerTo(order, type)]).toEqual([end, type, 200]);
  }
  expect(statuses).toEqual(['COMPLETED', 'FAILED', 'CANCELLED', 'TERMINATED']);
  const { events } = (await server.inject('/health')).json<{ events: Record<string, number> }>();
  expect(events).toMatchObject({ completed: 2, late: 10, unavailable: 0, foreign: 0 });
  await server.close();
});

test('the look for an event ends by itself when nothing is wrong', async () => {
  const order = await anEndedOrder('fail');
  knowListing(order, { status: 'Cancelled' });
  expect(await send('Listing.StatusChanged/v1', naming(order))).toBe('late');
  expect(await lateOf(order).result()).toMatchObject({ events: 1, outcome: 'the listing is Cancelled' });
});

test("a listing without the order's reference is ignored, whatever the event says", async () => {
  const order = await anEndedOrder('fail');
  knowListing(order, { status: 'Booked', referenceNumbers: ours('another') });
  await send(BOOKED, naming(order));
  expect(await lateOf(order).result()).toMatchObject({ outcome: expect.stringContaining('does not carry') });
});

test('an acknowledged question is asked again only when something changes', async () => {
  const order = await anEndedOrder('fail');
  knowListing(order, { status: 'Active' });
  await send('Listing.StatusChanged/v1', naming(order));
  expect((await untilAsked(order)).asks?.matter).toBe('openAfterEnd');
  await acknowledge(order);
  await expect(acknowledge(order)).rejects.toMatchObject({
    cause: { message: 'there is nothing to acknowledge' },
  });
  await until(async () => (await lateOf(order).describe()).searchAttributes.NeedsAttention?.[0] === false);
  knowListing(order, { status: 'Booked' });
  await send(BOOKED, naming(order));
  await until(async () => (await lateOf(order).describe()).searchAttributes.NeedsAttention?.[0] === true);
  expect((await untilAsked(order)).asks?.matter).toBe('bookedAfterEnd');
  await until(async () => (await readClusterState(temporal.client)).questions.has('bookedAfterEnd'));
  const page = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  for (const matter of ['openAfterEnd', 'bookedAfterEnd'])
    expect(valueOf(page, 'consign_late_questions_total', { matter })).toBeGreaterThan(0);
});

test('a price that was corrected after the end asks with both prices; other events are only counted', async () => {
  const order = await anEndedOrder(aResult());
  expect(await send(BOOKED, naming(order))).toBe('completed');
  const corrected = { ...order, listingId: '1' };
  knowListing(corrected, { status: 'Completed', totalCost: { minorUnits: 57_550, currency: 'USD' } });
  expect(await send(PRICE, naming(corrected))).toBe('late');
  const { asks } = await untilAsked(corrected);
  expect(asks).toMatchObject({ matter: 'lateAdjustment' });
  for (const part of ['USD 500.00', 'USD 575.50', '72 business hours']) expect(asks?.text).toContain(part);
});

test('a corrected price that nobody acknowledges is dropped after its window', async () => {
  const order = { ...(await anEndedOrder(aResult({ listingId: '2' }))), listingId: '2' };
  knowListing(order, { status: 'Completed', totalCost: { minorUnits: 1, currency: 'USD' } });
  const { client } = temporal;
  const hasty = createEventRouter(client, { policy: { ...FAST, adjustmentWindowMs: 300 } });
  const event = { id: randomUUID(), type: PRICE, time: '2035-03-01T12:00:00Z', listingIds: ['2'] };
  const clues = {
    orders: [{ account: 'acme', orderId: order.orderId }],
    listingIds: ['2'],
    attachmentIds: [],
  };
  expect(await hasty.route(SENDER, event, clues)).toBe('late');
  expect(await lateOf(order).result()).toMatchObject({ outcome: 'nobody acknowledged it in time' });
});

test('a price event with the price of the result ends by itself', async () => {
  const order = { ...(await anEndedOrder(aResult({ listingId: '3' }))), listingId: '3' };
  knowListing(order, { status: 'Completed', totalCost: { minorUnits: 50_000, currency: 'USD' } });
  expect(await send(PRICE, naming(order))).toBe('late');
  expect(await lateOf(order).result()).toMatchObject({ outcome: 'the price is as it was' });
});

test('an event that names only the listing of a finished order reaches a person too', async () => {
  const order = await anEndedOrder('fail');
  knowListing(order, { status: 'Booked' });
  expect(await send(BOOKED, { listingId: order.listingId })).toBe('unrouted');
  await until(async () => (await statusOf(lateOf(order)).catch(() => '')) === 'RUNNING');
  expect((await untilAsked(order)).asks?.matter).toBe('bookedAfterEnd');
  const lookUp = temporal.client.workflow.getHandle(unroutedEventWorkflowId('acme', order.listingId));
  expect(await lookUp.result()).toEqual({ workflowId: order.handle.workflowId, events: 1 });
  expect(await send(BOOKED, { listingId: order.listingId })).toBe('late');
});

test('events with attachments reach the shipment even when a look-up receives more events than it keeps', async () => {
  const { handle, listingId, orderId } = await startOrder();
  let letGo = (): void => undefined;
  heldReadings.set(listingId, new Promise((resolve) => (letGo = resolve)));
  const ATTACHED = 'Listing.Attachment.AttachmentAdded/v1';
  for (let number = 0; number < 25; number += 1) expect(await send(BOOKED, { listingId })).toBe('unrouted');
  for (const attachmentId of ['bill', 'photo', 'photo', 'pod'])
    expect(await send(ATTACHED, { listingId, attachmentId })).toBe('unrouted');
  knowListing({ orderId, listingId, handle });
  letGo();
  const lookUp = temporal.client.workflow.getHandle(unroutedEventWorkflowId('acme', listingId));
  expect(await lookUp.result()).toEqual({ workflowId: handle.workflowId, events: 29 });
  const passedOnTo = async (): Promise<MarketplaceEvent[]> =>
    ((await handle.fetchHistory()).events ?? []).flatMap(
      ({ workflowExecutionSignaledEventAttributes: signal }) =>
        signal == null
          ? []
          : [defaultPayloadConverter.fromPayload<MarketplaceEvent>(signal.input?.payloads?.[0] ?? {})],
    );
  // What comes while a task is under way is in the history only once that is over.
  await until(async () => (await passedOnTo()).length >= 23);
  const passedOn = await passedOnTo();
  expect(passedOn).toHaveLength(23);
  // They are passed on together, in whatever order.
  expect(passedOn.flatMap(({ attachmentIds = [] }) => attachmentIds).toSorted()).toEqual([
    ...['bill', 'photo', 'pod'],
  ]);
});

test('an event of an order that runs again is passed on, and asks nobody any more', async () => {
  const order = await anEndedOrder('fail');
  knowListing(order, { status: 'Booked' });
  await send(BOOKED, naming(order));
  await untilAsked(order);
  await shipments.start({
    shipment: aFurnitureShipment({ orderId: order.orderId }),
    account: ACME,
    policy: DEFAULT_POLICY,
    documentHash: 'a'.repeat(64),
  });
  expect(await lateOf(order).result()).toMatchObject({
    outcome: 'the order runs again and received the event',
  });
  expect(await signalsOf(temporal.client, order.handle.workflowId)).toEqual(['marketplaceEventReceived']);
});

test("a person learns of a failed order's event that names no listing", async () => {
  const order = await anEndedOrder('fail');
  const { referenceNumbers } = naming(order);
  expect(await send(BOOKED, { referenceNumbers })).toBe('late');
  const handle = temporal.client.workflow.getHandle(lateEventWorkflowId('acme', order.orderId, null));
  await until(async () => (await handle.query(lateEventStateQuery)).asks?.matter === 'unclear');
});

const REFUSED = ApplicationFailure.nonRetryable('the key is refused', 'AccountTrouble');

test('account trouble does not prove that a listing is foreign: it is read again, with or without an event', async () => {
  const orders = await Promise.all([startOrder(), startOrder()]);
  const [untold, told] = orders;
  for (const { listingId } of orders) {
    listings.set(listingId, REFUSED);
    expect(await send(BOOKED, { listingId })).toBe('unrouted');
  }
  const lookUpOf = ({ listingId }: { readonly listingId: string }) =>
    temporal.client.workflow.getHandle(unroutedEventWorkflowId('acme', listingId));
  for (const order of orders)
    await until(async () => {
      const { memo } = await lookUpOf(order).describe();
      return String(memo?.waitingFor).includes('cannot be read: the key is refused');
    });
  knowListing(untold, { status: 'Booked' });
  expect(await lookUpOf(untold).result()).toEqual({ workflowId: untold.handle.workflowId, events: 1 });
  knowListing(told, { status: 'Booked' });
  expect(await send(BOOKED, { listingId: told.listingId })).toBe('unrouted');
  expect(await lookUpOf(told).result()).toEqual({ workflowId: told.handle.workflowId, events: 2 });
  for (const { handle } of orders)
    expect(await signalsOf(temporal.client, handle.workflowId)).toContain('marketplaceEventReceived');
});

test('a listing that stays unreadable fails its look-up, and the next event looks again', async () => {
  const order = await startOrder();
  listings.set(order.listingId, REFUSED);
  const hasty = createEventRouter(temporal.client, { policy: { ...FAST, unreadableMs: 0 } });
  const event = { id: randomUUID(), type: BOOKED, time: '', listingIds: [order.listingId] };
  const clues = { orders: [], listingIds: [order.listingId], attachmentIds: [] };
  expect(await hasty.route(SENDER, event, clues)).toBe('unrouted');
  const lookUp = temporal.client.workflow.getHandle(unroutedEventWorkflowId('acme', order.listingId));
  expect(await send(BOOKED, { listingId: order.listingId })).toBe('unrouted');
  await untilEnded(temporal.client, lookUp.workflowId);
  expect(await statusOf(lookUp)).toBe('FAILED');
  knowListing(order, { status: 'Booked' });
  expect(await send(BOOKED, { listingId: order.listingId })).toBe('unrouted');
  expect(await lookUp.result()).toMatchObject({ workflowId: order.handle.workflowId });
  expect(await signalsOf(temporal.client, order.handle.workflowId)).toEqual(['marketplaceEventReceived']);
});

test("an event that arrives before its listing's record waits for it; a listing that never appears fails, and is looked up again", async () => {
  const order = await startOrder();
  const lookUp = temporal.client.workflow.getHandle(unroutedEventWorkflowId('acme', order.listingId));
  await send(BOOKED, { listingId: order.listingId });
  await until(
    async () =>
      (await lookUp.fetchHistory()).events?.some(
        (one) => one.timerStartedEventAttributes?.timerId === '2',
      ) === true,
  );
  knowListing(order, { status: 'Booked' });
  expect(await lookUp.result()).toMatchObject({ workflowId: order.handle.workflowId });

  const absent = temporal.client.workflow.getHandle(unroutedEventWorkflowId('acme', '499999999'));
  await send(BOOKED, { listingId: '499999999' });
  await untilEnded(temporal.client, absent.workflowId);
  const { runId, status } = await absent.describe();
  expect(status.name).toBe('FAILED');
  expect(await send(BOOKED, { listingId: '499999999' })).toBe('unrouted');
  expect((await absent.describe()).runId).not.toBe(runId);
});

test('people see the events that no shipment took, and have a foreign listing looked up again', async () => {
  const order = await startOrder();
  const { listingId } = order;
  listings.set(listingId, aListing({ listingId, referenceNumbers: [] }));
  const account = 'acme';
  const find = async (kind: EventKind) =>
    (await people.list({ kinds: [kind], limit: 1_000 })).filter((one) => one.listingId === listingId);
  expect(await people.replay(ACME, listingId, 5_000)).toEqual({ workflowId: null, events: 1 });
  await until(async () => (await find('foreign')).length === 1);
  expect((await find('foreign'))[0]).toMatchObject({
    kind: 'foreign',
    account,
    orderId: null,
    status: 'COMPLETED',
  });
  expect(await find('late')).toEqual([]);

  listings.set(listingId, ApplicationFailure.nonRetryable('the key is refused', 'AccountTrouble'));
  await expect(people.replay(ACME, listingId, 5_000)).rejects.toThrow('the key is refused');
  await until(async () => (await find('unrouted')).length === 1);
  expect((await find('unrouted'))[0]).toMatchObject({ kind: 'unrouted', status: 'FAILED' });

  knowListing(order);
  const { workflowId } = order.handle;
  expect(await people.replay(ACME, listingId, 5_000)).toEqual({ workflowId, events: 1 });
  expect(await signalsOf(temporal.client, workflowId)).toEqual(['marketplaceEventReceived']);
});

test('an event that adds a reference to a foreign listing starts another look-up', async () => {
  const order = await startOrder();
  const { listingId } = order;
  listings.set(listingId, aListing({ listingId, referenceNumbers: [] }));
  const lookUp = temporal.client.workflow.getHandle(unroutedEventWorkflowId('acme', listingId));
  expect(await send(BOOKED, { listingId })).toBe('unrouted');
  await lookUp.result();
  expect([await send(BOOKED, { listingId }), await send(BOOKED, { listingId })]).toEqual([
    'foreign',
    'foreign',
  ]);
  knowListing(order);
  expect(await send('Listing.ReferenceNumberAdded/v1', { listingId })).toBe('unrouted');
  expect(await lookUp.result()).toMatchObject({ workflowId: order.handle.workflowId });
});

test("a flood of foreign events delays a shipment's event by less than a second, and leaves nothing open", async () => {
  const { orderId } = await startOrder();
  const report = await measureFlood({ client: temporal.client, router, count: FLOOD, atOnce: 20, orderId });
  expect(report.medianMs).toBeLessThan(1_000);
  expect(report.open).toBe(0);
  expect(report.completed).toBeGreaterThanOrEqual(FLOOD);
  const foreign = await people.list({ kinds: ['foreign'], limit: 1_000 });
  expect(foreign.filter(({ listingId }) => isOfFlood(listingId ?? ''))).toHaveLength(FLOOD);
});
