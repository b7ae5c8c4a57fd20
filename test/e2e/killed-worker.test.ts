import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { request } from 'undici';
import { loadAccounts } from '../../src/accounts';
import { freePort } from '../../src/demo/ports';
import { startStack, type Stack } from '../../src/demo/stack';
import type { Phase } from '../../src/domain/shipment-state';
import { createFolderStore } from '../../src/file-store';
import { readOrderFile, storeImages } from '../../src/starter/order-files';
import { ShipmentClient } from '../../src/starter/shipment-client';
import { connectTemporal, type TemporalConnection } from '../../src/temporal-connection';

let folder: string;
let stack: Stack;
let temporal: TemporalConnection;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'consign-e2e-'));
  stack = await startStack({
    folder,
    isPersistent: true,
    ports: { sandbox: await freePort(), webhooks: await freePort() },
    env: { ...process.env, CONSIGN_LOG_LEVEL: 'silent' },
    log: () => {},
  });
  temporal = await connectTemporal(stack.env);
}, 60_000);

afterAll(async () => {
  await temporal?.close();
  await stack?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Phases during which nothing is being sent, so that a kill is not a doubt. */
const SAFE: readonly Phase[] = ['awaitingBooking', 'collectingRates', 'booked', 'inTransit', 'delivered'];

test.each([
  ['furniture', 'examples/furniture-sofa.json'],
  ['LTL', 'examples/ltl-tiles.json'],
])(
  'a %s order whose worker is killed in each phase is booked exactly once and delivered',
  async (_, file) => {
    const shipments = new ShipmentClient(temporal.client);
    const read = await readOrderFile(file, loadAccounts('examples/accounts.yaml', stack.env));
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    const order = await storeImages(read, createFolderStore(path.join(folder, 'files')));
    await shipments.start(order);
    const { account, orderId } = order.shipment;
    const killedIn = new Set<Phase>();
    for (;;) {
      const view = await shipments.get(account, orderId);
      if (view.status !== 'RUNNING') break;
      const phase = view.state?.phase;
      if (phase === undefined || killedIn.has(phase) || !SAFE.includes(phase)) continue;
      killedIn.add(phase);
      stack.partOf('worker').kill('SIGKILL');
      await stack.partOf('worker').exited;
      await stack.start('worker');
    }
    const end = await shipments.get(account, orderId);
    expect(end).toMatchObject({ status: 'COMPLETED', failure: null });
    expect(end.state?.listing?.transitStatus).toBe('Delivered');
    expect(killedIn.size).toBeGreaterThanOrEqual(3);
    const ledger = await (await request(`${stack.sandboxUrl}/_sandbox/ledger`)).body.json();
    expect(bookingsOf(ledger, `${account}/${orderId}`)).toBe(1);
  },
  120_000,
);

/** How many live bookings the marketplace's own ledger shows for an order. */
function bookingsOf(ledger: unknown, reference: string): unknown {
  const { orders } = ledger as { orders: Record<string, { liveBookings: number }> };
  return orders[reference]?.liveBookings;
}
