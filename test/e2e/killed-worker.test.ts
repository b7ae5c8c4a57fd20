import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { request } from 'undici';
import { loadAccounts } from '../../src/accounts';
import type { Shipment } from '../../src/domain/shipment';
import { followedListing, type ShipmentState } from '../../src/domain/shipment-state';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import { createFolderStore } from '../../src/platform/file-store';
import { prepareOrder } from '../../src/starter/client/prepare-order';
import { ShipmentClient } from '../../src/starter/client/shipment-client';
import { startProcessStack, type ProcessStack } from '../support/process-stack';
import { temporaryFolder } from '../support/temporary-folder';

let folder: string;
let world: ProcessStack;

beforeAll(async () => {
  folder = temporaryFolder();
  world = await startProcessStack(folder, { CONSIGN_LOG_LEVEL: 'silent', SANDBOX_SPEED: '0.5' });
}, 60_000);
afterAll(async () => await world?.close());

const WRITES = ['createListing', 'uploadListingImage', 'acceptRate'];

/** Whether a write waits or is being sent: a kill would make it a doubt, which other tests are about. */
async function isWriting({ account, orderId }: Shipment): Promise<boolean> {
  const handle = world.temporal.client.workflow.getHandle(shipmentWorkflowId(account, orderId));
  const { pendingActivities } = (await handle.describe()).raw;
  return (pendingActivities ?? []).some(({ activityType }) => WRITES.includes(activityType?.name ?? ''));
}

/** Kills the worker and starts another, unless it is writing. @returns whether it did */
async function killUnlessWriting(order: Shipment): Promise<boolean> {
  const worker = world.stack.partOf('worker');
  // Frozen, it cannot begin a write after the look.
  worker.kill('SIGSTOP');
  const isSafe = !(await isWriting(order));
  worker.kill(isSafe ? 'SIGKILL' : 'SIGCONT');
  if (!isSafe) return false;
  await worker.exited;
  await world.stack.start('worker');
  return true;
}

/** The truck moves only once the worker was killed at the stage before, so that no stage is missed. */
async function moveOn(state: ShipmentState): Promise<void> {
  const listingId = followedListing(state);
  if (listingId === null) return;
  const advance = async (to: string, kind: 'status' | 'transit'): Promise<void> =>
    await world.control(`/listings/${listingId}/advance`, { to, kind });
  if (state.at.phase === 'awaitingBooking' && state.kind === 'furniture') await advance('Booked', 'status');
  if (state.at.phase === 'booked') await advance('PickedUp', 'transit');
  if (state.at.phase === 'inTransit') await advance('Delivered', 'transit');
}

/**
 * In which phases the worker is killed; once booked, both kinds of order run the same code. A furniture order is not seen
 * before Temporal knows of the worker, which may be after its validating.
 */
const KILLED_IN: Readonly<Record<Shipment['kind'], readonly string[]>> = {
  furniture: ['quoting', 'awaitingBooking', 'booked', 'inTransit', 'delivered'],
  ltl: ['validating', 'collectingRates', 'accepting'],
};

/** For each order a reading that lasts long enough for its phase to be seen. */
const SLOW = {
  'examples/furniture-sofa.json': 'getFixedPrice',
  'examples/ltl-tiles.json': 'listPaymentMethods',
} as const;

async function start(shipments: ShipmentClient, file: string): Promise<Shipment> {
  const accounts = loadAccounts('examples/accounts.yaml', world.stack.env);
  const order = await prepareOrder(
    { file },
    { accounts, files: createFolderStore(path.join(folder, 'files')) },
  );
  await shipments.start(order);
  return order.shipment;
}

test('orders whose worker is killed in each phase are booked exactly once and delivered', async () => {
  const { stack, temporal } = world;
  const shipments = new ShipmentClient(temporal.client);
  await world.control('/switches', { transit: 'manual' });
  await world.control('/clock', { steps: { booking: 300_000, ratesLast: 6_000, acceptancePending: 8_000 } });
  const orders: Shipment[] = [];
  const passed = new Set<string>();
  // One after the other: while the worker dies for one of them, the other would pass its phases unseen.
  for (const [file, slow] of Object.entries(SLOW)) {
    await world.control('/troubles', { when: slow, what: { kind: 'delay', delayMs: 4_000 }, times: 1 });
    const order = await start(shipments, file);
    orders.push(order);
    const patience = AbortSignal.timeout(130_000);
    for (let isRunning = true; isRunning;) {
      // A pace for the looking, not a wait: hot queries would starve the processes that are looked at.
      await delay(300);
      const { status, state } = await shipments.get(order.account, order.orderId);
      isRunning = status === 'RUNNING';
      if (patience.aborted) throw new Error(`it stands still: ${JSON.stringify(state)}`);
      // Nobody would answer it.
      expect(state?.question ?? null).toBeNull();
      const moment = `${order.kind} ${state?.at.phase}`;
      if (!isRunning || state === null || passed.has(moment)) continue;
      if (KILLED_IN[order.kind].includes(state.at.phase) && !(await killUnlessWriting(order))) continue;
      passed.add(moment);
      await moveOn(state);
    }
  }
  const killedIn = Object.entries(KILLED_IN).flatMap(([kind, phases]) =>
    phases.map((phase) => `${kind} ${phase}`),
  );
  expect([...passed]).toEqual(expect.arrayContaining(killedIn));
  const ledger = await (await request(`${stack.sandboxUrl}/_sandbox/ledger`)).body.json();
  for (const { account, orderId } of orders) {
    let end = await shipments.get(account, orderId);
    // A worker that has just been started is slow to tell the state.
    while (end.state === null) {
      await delay(150);
      end = await shipments.get(account, orderId);
    }
    expect(end).toMatchObject({ status: 'COMPLETED', failure: null });
    expect(end.state.listing?.transitStatus).toBe('Delivered');
    expect(bookingsOf(ledger, `${account}/${orderId}`)).toBe(1);
  }
}, 300_000);

/** How many live bookings the marketplace's own ledger shows for an order. */
function bookingsOf(ledger: unknown, reference: string): unknown {
  const { orders } = ledger as { orders: Record<string, { liveBookings: number }> };
  return orders[reference]?.liveBookings;
}
