import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import { notificationsWorkflowId } from '../../src/domain/workflow-id';
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

/** Something that dies, and lives again. */
type Kill = (world: World) => Promise<void>;
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
/** The endpoint stays away for as long as another process takes. */
const endpointAwayDuring =
  (kill: Kill): Kill =>
  async (world) => {
    await erp.kill();
    await kill(world);
    await erp.restart();
  };

/** After how many requests each of them dies. */
const KILLS: readonly (readonly [number, Kill])[] = [
  [5, worker],
  [15, endpoint],
  [25, worker],
  [40, endpointAwayDuring(worker)],
  [55, server],
  [70, worker],
  [85, endpointAwayDuring(server)],
  [95, worker],
];

test('kills of the worker, the endpoint and the server lose no notification of 20 orders, and keep their order', async () => {
  const options = {
    ...{ hasWebhooks: true, isPersistent: true, notifies: true },
    accounts: accounts(erp.url),
    workerEnvironment: { ERP_SECRET: SECRET },
  };
  // Every seventh request is processed, and its answer is lost.
  let requests = 0;
  erp.react(() => ((requests += 1) % 7 === 0 ? 'break' : 204));
  await withWorld(options, async (world) => {
    const shipments: Shipment[] = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0 ? furniture() : ltl(),
    );
    for (const shipment of shipments) await world.start(shipment, {});
    for (const [after, kill] of KILLS) {
      await world.reach(() => erp.deliveries.length >= after);
      await kill(world);
    }
    for (const shipment of shipments) {
      await world.until(shipment, ({ status }) => status === 'COMPLETED');
      await world.reach(async () => {
        const { status } = await world.client.workflow
          .getHandle(notificationsWorkflowId(shipment))
          .describe();
        return status.name === 'COMPLETED';
      });
      const own = erp.deliveries.filter(({ orderId }) => orderId === shipment.orderId);
      const first = own.filter(
        ({ event }, index) => own.findIndex((one) => one.event.id === event.id) === index,
      );
      // None lost, and in order: the numbers of the shipment's events, from the first to the end.
      expect(first.map(({ event }) => Number(event.sequence))).toEqual(first.map((_, index) => index + 1));
      expect(first.at(-1)?.kind).toBe('ended');
      expect(first.at(-1)?.event.data).toMatchObject({ outcome: 'delivered' });
      const steps = first
        .map(({ kind }) => kind)
        .filter((kind) => /^(booked|pickedUp|delivered)$/.test(kind));
      expect(steps).toEqual(['booked', 'pickedUp', 'delivered']);
      // A repeated event is the same event, by the same id.
      for (const { event, body } of own)
        expect(body).toBe(first.find((one) => one.event.id === event.id)?.body);
      expect(new Set(own.map(({ event }) => event.sequence)).size).toBe(first.length);
      expect(world.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
    }
    expect(erp.deliveries.length).toBeGreaterThan(95);
    for (const delivery of erp.deliveries) expect(verified(delivery)).toEqual(delivery.event);
  });
}, 600_000);

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
