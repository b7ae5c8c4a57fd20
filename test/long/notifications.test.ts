import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import { notificationsWorkflowId, orderReference } from '../../src/domain/workflow-id';
import { closingAll, type OnClose } from '../../src/platform/closing';
import { reserveFreePort } from '../../src/temporal/dev-server/free-port';
import { numberedOrders } from '../support/builders';
import {
  anEndpointAt,
  SECRET,
  startEndpoint,
  verified,
  type EndpointServer,
} from '../support/endpoint-server';
import { startHarness } from '../support/harness';
import { withWorld, type World } from '../support/worker-world';
import { startProgram, type WorldProgram } from '../support/world-processes';

const { furniture, ltl } = numberedOrders('NK');
const EXAMPLE = readFileSync(path.join(__dirname, '..', '..', 'examples', 'accounts.yaml'), 'utf8');

let erp: EndpointServer;
beforeAll(async () => {
  erp = await startEndpoint();
});
afterAll(async () => await erp?.kill());

const accounts = (url: string): string =>
  EXAMPLE.replace(
    'source: acme',
    `source: acme\n    notifications: [{ name: erp, url: '${url}', secrets: [{ env: ERP_SECRET }] }]`,
  );

/** The receiver and the API, as programs. */
interface Servers {
  readonly receiver: WorldProgram;
  readonly api: WorldProgram;
  readonly receiverUrl: string;
  readonly apiUrl: string;
}
type ServedWorld = World & Servers;

/** Something that dies, and lives again. */
type Kill = (world: ServedWorld) => Promise<void>;
const worker: Kill = async (world) => {
  await world.killWorker();
  await world.startWorker();
};
const endpoint: Kill = async () => {
  await erp.kill();
  await erp.restart();
};
const server: Kill = async (world) => {
  await world.temporal.kill();
  await world.temporal.restart();
};
/** The marketplace sends its events again while the receiver is away. */
const receiver: Kill = async (world) => {
  await world.receiver.kill();
  await world.receiver.start();
  await isUp(world, world.receiverUrl);
};

const isUp = async ({ reach }: World, url: string): Promise<void> =>
  await reach(async () => (await fetch(`${url}/health`).catch(() => null))?.ok === true);

/** Both are programs of the build, at addresses that stay. */
async function serve(world: World, onClose: OnClose): Promise<ServedWorld> {
  const [receiverPort, apiPort] = [await reserveFreePort(), await reserveFreePort()];
  const env = { ...world.env, WEBHOOK_PORT: String(receiverPort), API_PORT: String(apiPort) };
  const served = {
    receiver: await startProgram('webhooks/main.js', { env }, onClose),
    api: await startProgram('starter/api/main.js', { env }, onClose),
    receiverUrl: `http://127.0.0.1:${receiverPort}`,
    apiUrl: `http://127.0.0.1:${apiPort}`,
  };
  for (const url of [served.receiverUrl, served.apiUrl]) await isUp(world, url);
  world.sandbox.addWebhook({ url: `${served.receiverUrl}/webhooks/acme/demo-webhook-secret` });
  return { ...world, ...served };
}

/** Approves the price through the API, which dies before it can say that this is done; then once more. */
const apiAnswering =
  (shipment: Shipment): Kill =>
  async (world) => {
    const { apiUrl, api, line } = world;
    const { state } = await world.until(shipment, (view) => view.state?.question?.kind === 'priceApproval');
    const questionId = state?.question?.id ?? '';
    const answer = async (): Promise<Response> =>
      await fetch(`${apiUrl}/shipments/${orderReference(shipment.account, shipment.orderId)}/answer`, {
        method: 'POST',
        headers: { authorization: 'Bearer demo-api-token', 'content-type': 'application/json' },
        body: JSON.stringify({ kind: 'approve', reason: 'the customer agrees', questionId }),
      });
    const held = line.hold({ method: 'UpdateWorkflowExecution', texts: [shipment.orderId], what: 'answer' });
    const first = answer();
    await world.reach(() => held.count() === 1);
    await api.kill();
    await expect(first).rejects.toThrow('fetch failed');
    held.release();
    await api.start();
    await isUp(world, apiUrl);
    const again = await answer();
    expect([again.status, await again.json()]).toEqual([200, { outcome: 'accepted' }]);
  };
/** The endpoint stays away for as long as another process takes. */
const endpointAwayDuring =
  (kill: Kill): Kill =>
  async (world) => {
    await erp.kill();
    await kill(world);
    await erp.restart();
  };

/** After how many requests each of them dies. @param asking the order whose question is answered */
const killsOf = (asking: Shipment): readonly (readonly [number, Kill])[] => [
  [5, worker],
  [10, receiver],
  [15, endpoint],
  [25, worker],
  [32, apiAnswering(asking)],
  [40, endpointAwayDuring(worker)],
  [48, receiver],
  [55, server],
  [62, endpointAwayDuring(receiver)],
  [70, worker],
  [85, endpointAwayDuring(server)],
  [95, worker],
];

test('kills of every process lose no notification of 21 orders, and keep their order', async () => {
  const options = {
    ...{ hasWebhooks: false, isPersistent: true, notifies: true },
    accounts: accounts(erp.url),
    workerEnvironment: { ERP_SECRET: SECRET },
  };
  // Every seventh request is processed, and its answer is lost.
  let requests = 0;
  erp.react(() => ((requests += 1) % 7 === 0 ? 'break' : 204));
  await closingAll(async (onClose) => {
    await withWorld(options, async (bare) => {
      const world = await serve(bare, onClose);
      const shipments: Shipment[] = Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? furniture() : ltl(),
      );
      const asking = ltl({ priceLimit: { minorUnits: 100, currency: 'USD' } });
      for (const shipment of [asking, ...shipments]) await world.start(shipment, {});
      for (const [after, kill] of killsOf(asking)) {
        await world.reach(() => erp.deliveries.length >= after);
        await kill(world);
      }
      for (const shipment of shipments) await isNotifiedOfAll(world, shipment);
      await isNotifiedOfAll(world, asking);
      const kinds = new Set(erp.kindsOf(asking.orderId));
      expect([...kinds].slice(0, 3)).toEqual(['questionOpened', 'questionClosed', 'booked']);
      expect(world.ledgerOf(asking)).toMatchObject({ mostLiveBookings: 1 });
      // The events came through the receiver: it was not only the reading that found the news.
      const { state } = await world.until(asking, (view) => view.state !== null);
      expect(state?.events.taken).toBeGreaterThan(0);
      expect(erp.deliveries.length).toBeGreaterThan(95);
      for (const delivery of erp.deliveries) expect(verified(delivery)).toEqual(delivery.event);
    });
  });
}, 600_000);

/** Waits until the order is delivered and everything was sent: none lost, in order, duplicates by one id. */
async function isNotifiedOfAll(world: World, shipment: Shipment): Promise<void> {
  await world.until(shipment, ({ status }) => status === 'COMPLETED');
  await world.reach(async () => {
    const { status } = await world.client.workflow.getHandle(notificationsWorkflowId(shipment)).describe();
    return status.name === 'COMPLETED';
  });
  const own = erp.deliveries.filter(({ orderId }) => orderId === shipment.orderId);
  const first = own.filter(({ event }, index) => own.findIndex((one) => one.event.id === event.id) === index);
  // None lost, and in order: the numbers of the shipment's events, from the first to the end.
  expect(first.map(({ event }) => Number(event.sequence))).toEqual(first.map((_, index) => index + 1));
  expect(first.at(-1)?.kind).toBe('ended');
  expect(first.at(-1)?.event.data).toMatchObject({ outcome: 'delivered' });
  const steps = first.map(({ kind }) => kind).filter((kind) => /^(booked|pickedUp|delivered)$/.test(kind));
  expect(steps).toEqual(['booked', 'pickedUp', 'delivered']);
  // A repeated event is the same event, by the same id.
  for (const { event, body } of own) expect(body).toBe(first.find((one) => one.event.id === event.id)?.body);
  expect(new Set(own.map(({ event }) => event.sequence)).size).toBe(first.length);
  expect(world.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
}

test('runs that continue as new lose no notification, repeat none under another id, and keep the order', async () => {
  erp.react((_, earlier) => (earlier === 0 ? 'break' : 204));
  const dynamicConfig = { 'limit.historyCount.suggestContinueAsNew': 30 };
  const harness = await startHarness({
    ...{ clock: { speed: 10 }, embedded: { dynamicConfig }, endpoints: [anEndpointAt(erp)] },
  });
  try {
    const shipments = [furniture(), ltl(), furniture(), ltl()];
    const firstRunIds = new Set<string>();
    for (const shipment of shipments) {
      await harness.start(shipment);
      firstRunIds.add((await harness.until(shipment, () => true)).runId);
    }
    for (const shipment of shipments) {
      const end = await harness.ended(shipment);
      expect(end.status).toBe('COMPLETED');
      expect(firstRunIds).not.toContain(end.runId);
      await harness.temporal.client.workflow.getHandle(notificationsWorkflowId(shipment)).result();
      const own = erp.deliveries.filter(({ orderId }) => orderId === shipment.orderId);
      const ids = [...new Set(own.map(({ event }) => event.id))];
      const sequences = ids.map((id) => own.find(({ event }) => event.id === id)?.event.sequence);
      expect(sequences.map(Number)).toEqual(ids.map((_, index) => index + 1));
      expect(own.at(-1)?.kind).toBe('ended');
    }
  } finally {
    await harness.close();
  }
}, 240_000);
