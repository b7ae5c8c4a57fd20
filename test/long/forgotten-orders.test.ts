import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FailureType } from '../../src/domain/failure-type';
import type { Shipment } from '../../src/domain/shipment';
import { notificationsWorkflowId, shipmentWorkflowId } from '../../src/domain/workflow-id';
import { ShipmentNotFoundError } from '../../src/starter/client/errors';
import { EventClient } from '../../src/starter/client/event-client';
import { aFurnitureShipment, anLtlShipment } from '../support/builders';
import { consign } from '../support/consign';
import { anEndpointAt, startEndpoint, type EndpointServer } from '../support/endpoint-server';
import { FAST_POLICY, startHarness, type Harness } from '../support/harness';
import { until } from '../support/temporal';
import { temporaryFolder } from '../support/temporary-folder';
import { runTemporalCli } from '../support/temporal-cli';

let harness: Harness;
let endpoint: EndpointServer;

beforeAll(async () => {
  // Else the server waits a while before it forgets.
  const dynamicConfig = {
    'history.transferProcessorEnsureCloseBeforeDelete': false,
    'history.visibilityProcessorEnsureCloseBeforeDelete': false,
  };
  endpoint = await startEndpoint();
  const endpoints = [anEndpointAt(endpoint)];
  harness = await startHarness({ clock: { speed: 20 }, embedded: { dynamicConfig }, endpoints });
}, 60_000);
afterAll(async () => {
  await harness?.close();
  await endpoint?.kill();
});

const ENDED = "ExecutionStatus != 'Running'";

/** What retention does to a run that was closed long ago. */
async function forget({ account, orderId }: Shipment): Promise<void> {
  await harness.temporal.client.workflowService.deleteWorkflowExecution({
    namespace: harness.temporal.open.namespace,
    workflowExecution: { workflowId: shipmentWorkflowId(account, orderId) },
  });
  await until(
    async () =>
      await harness.shipments.get(account, orderId).then(
        () => false,
        (error: unknown) => error instanceof ShipmentNotFoundError,
      ),
  );
}

/** The days have passed since: the same document, read when its pickup is over. */
const furniture = aFurnitureShipment({ orderId: 'OLD-1' });
const ltl = anLtlShipment({ orderId: 'OLD-2' });
const PAST = { earliest: '2025-03-04', latest: '2025-03-07' };
const oldFurniture: Shipment = { ...furniture, pickup: { ...furniture.pickup, ...PAST } };
const oldLtl: Shipment = { ...ltl, pickup: { ...ltl.pickup, ...PAST } };

test.each([
  ['furniture', furniture, oldFurniture, 'the last pickup day is past'],
  ['LTL', ltl, oldLtl, 'the pickup day is past'],
] as const)(
  'an old %s order whose run Temporal no longer retains fails by its dates, without a marketplace call',
  async (_, shipment, old, why) => {
    await harness.start(shipment);
    expect((await harness.ended(shipment)).status).toBe('COMPLETED');
    const booked = harness.ledgerOf(shipment);
    expect(booked).toMatchObject({ liveBookings: 1 });
    await forget(shipment);
    const requests = harness.sandbox.requests().length;

    await harness.start(old);
    const again = await harness.ended(old);
    expect(again).toMatchObject({ status: 'FAILED', failure: why });
    await expect(harness.handleOf(old).result()).rejects.toMatchObject({
      cause: { type: FailureType.FailedBeforeBooking },
    });
    expect(harness.sandbox.requests().slice(requests)).toEqual([]);
    expect(harness.ledgerOf(old)).toEqual(booked);
  },
);

test.each(['furniture-sofa.json', 'ltl-tiles.json'])(
  'the CLI refuses the old document of %s, and no shipment starts',
  async (name) => {
    const folder = temporaryFolder();
    const file = path.join(folder, name);
    const document = JSON.parse(await readFile(path.join('examples', name), 'utf8')) as {
      orderId: string;
      pickup: object;
    };
    const pickup = 'on' in document.pickup ? { on: PAST.latest } : { between: [PAST.earliest, PAST.latest] };
    await writeFile(file, JSON.stringify({ ...document, pickup, images: undefined }));
    process.env.TEMPORAL_ADDRESS = harness.temporal.open.address;
    const { code, out, err } = await consign('start', file);
    delete process.env.TEMPORAL_ADDRESS;
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('$.pickup');
    expect(err).toMatch(/2025-03-07 (is past|is too soon)|past/);
    expect(err).toContain('No orders were started');
    await expect(harness.shipments.get('acme', document.orderId)).rejects.toThrow(ShipmentNotFoundError);
  },
);

test('the command of docs/personal-data.md deletes an order that has ended with all that is about it, and no running one', async () => {
  const { address } = harness.temporal.open;
  const { client } = harness.temporal;
  const ended = anLtlShipment({ orderId: 'GONE-1' });
  const running = aFurnitureShipment({ orderId: 'GONE-2', priceLimit: { minorUnits: 1, currency: 'USD' } });
  await harness.start(running);
  await harness.asked(running, 'priceApproval');
  await harness.start(ended);
  expect((await harness.ended(ended)).status).toBe('COMPLETED');
  const listingId = String(harness.ledgerOf(ended).listings[0]?.listingId);
  await new EventClient(client).replay({ name: 'acme', environment: 'sandbox' }, listingId);
  await harness.shipments.quote({
    ...{ shipment: ended, account: { name: 'acme', environment: 'sandbox' } },
    ...{ policy: FAST_POLICY, documentHash: 'test' },
  });
  const page = await readFile('docs/personal-data.md', 'utf8');
  const [, example = ''] = /workflow delete --query \\\n +"([^"]+)"/.exec(page) ?? [];
  const queryOf = ({ orderId }: Shipment): string =>
    example
      .replaceAll(/\\\n */g, '')
      .replaceAll('SO-10482', orderId)
      .replaceAll('683137438', listingId);
  const notifications = `WorkflowId = '${notificationsWorkflowId(ended)}'`;
  const [, parts = ''] = /^\((.+)\) AND ExecutionStatus/.exec(queryOf(ended)) ?? [];
  const all = [...parts.split(' OR '), notifications];
  expect(all).toHaveLength(4);
  const countOf = async (query: string): Promise<number> => (await client.workflow.count(query)).count;
  for (const part of all) await until(async () => (await countOf(`${part} AND ${ENDED}`)) > 0);
  for (const shipment of [running, ended]) {
    const query = queryOf(shipment);
    const args = ['workflow', 'delete', '--yes', '--query', query, '--address', address];
    // The server runs one batch at a time.
    await until(
      async () =>
        await runTemporalCli(...args).then(
          () => true,
          (error: unknown) => {
            if (String(error).includes('Max concurrent batch operations')) return false;
            throw error;
          },
        ),
    );
  }
  for (const part of all) await until(async () => (await countOf(part)) === 0);
  await expect(harness.shipments.get('acme', ended.orderId)).rejects.toThrow(ShipmentNotFoundError);
  await harness.asked(running, 'priceApproval');
  await harness.handleOf(running).terminate('the test is over');
});
