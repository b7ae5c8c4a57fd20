import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { Shipment } from '../../src/domain/shipment';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import { aFurnitureShipment, anLtlShipment } from '../support/builders';
import { layLine, type CuttableLine } from '../support/cuttable-line';
import { startHarness, type Harness } from '../support/harness';
import { until } from '../support/temporal';

let harness: Harness;
let line: CuttableLine;
let connection: Connection;
let orders = 0;
const WRITE_TIMEOUT_MS = 2_000;
/** Nobody is asked within a test: what settles a doubt must come by itself. */
const PATIENT = { writeTimeoutMs: WRITE_TIMEOUT_MS, doubtWaitMs: 60_000 };

beforeAll(async () => {
  // Without events, so that nothing but the write itself can tell what became of it.
  harness = await startHarness({
    clock: { speed: 10 },
    hasWebhooks: false,
    activityClient: async ({ open }) => {
      line = await layLine(open.clientConnection.address ?? '');
      connection = await Connection.connect({ address: line.address });
      return new Client({ connection, namespace: open.namespace });
    },
  });
}, 60_000);
beforeEach(() => {
  line.mend();
  harness.sandbox.clearTroubles();
});
afterAll(async () => {
  line?.mend();
  await harness?.close();
  await connection?.close();
  await line?.close();
});

async function timesOf(shipment: Shipment, what: 'activityTaskTimedOutEventAttributes'): Promise<number> {
  const id = shipmentWorkflowId(shipment.account, shipment.orderId);
  const { events } = await harness.temporal.client.workflow.getHandle(id).fetchHistory();
  return (events ?? []).filter((event) => event[what] != null).length;
}

const story = async (shipment: Shipment): Promise<string> =>
  (await harness.ended(shipment)).state?.timeline.map(({ what }) => what).join('\n') ?? '';

test.each([
  ['a listing', 'createListing', () => aFurnitureShipment({ orderId: `W-${++orders}` })],
  ['an acceptance', 'acceptRate', () => anLtlShipment({ orderId: `W-${++orders}` })],
] as const)(
  'the outcome of %s reaches the shipment although Temporal was away for longer than the write may take',
  async (_, endpoint, order) => {
    const shipment = order();
    harness.sandbox.trouble({ when: endpoint, what: { kind: 'delay', delayMs: 300 }, times: 1 });
    await harness.start(shipment, PATIENT);
    await until(async () => await Promise.resolve(harness.sandbox.requests(endpoint).length > 0));
    line.cut();
    await until(async () => (await timesOf(shipment, 'activityTaskTimedOutEventAttributes')) > 0);
    line.mend();
    expect(await story(shipment)).toContain('the worker reported how');
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
    expect(harness.ledgerOf(shipment).listings).toHaveLength(1);
  },
);

test('a write whose mark Temporal does not accept is not sent, and is sent once the connection is back', async () => {
  const shipment = aFurnitureShipment({ orderId: `W-${++orders}` });
  harness.sandbox.trouble({ when: 'getFixedPrice', what: { kind: 'delay', delayMs: 500 }, times: 1 });
  const count = (endpoint: string): number => harness.sandbox.requests(endpoint).length;
  const [prices, listings] = [count('getFixedPrice'), count('createListing')];
  await harness.start(shipment, PATIENT);
  await until(async () => await Promise.resolve(count('getFixedPrice') > prices));
  line.cut();
  await harness.until(
    shipment,
    ({ state }) => state?.timeline.some(({ what }) => what.includes('was not sent')) === true,
  );
  expect(count('createListing')).toBe(listings);
  line.mend();
  expect(await story(shipment)).toContain('was not sent');
  expect(await story(shipment)).not.toContain('in doubt');
  expect(harness.ledgerOf(shipment).listings).toHaveLength(1);
});
