import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import { createEventRouter, type EventRouter, type Routed } from '../../src/webhooks/router';
import { aFurnitureShipment } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';

const ACME = { name: 'acme', environment: 'sandbox' } as const;
const EVENTS = 200;

let harness: Harness;
let router: EventRouter;

beforeAll(async () => {
  const dynamicConfig = { 'limit.historyCount.suggestContinueAsNew': 30 };
  // The marketplace's own events would be counted too.
  harness = await startHarness({ clock: { speed: 40 }, embedded: { dynamicConfig }, hasWebhooks: false });
  router = createEventRouter(harness.temporal.client);
}, 60_000);
afterAll(async () => await harness?.close());

/** An event that names the order only, as one does that comes before the listing id is known. */
async function send({ orderId }: Shipment, id: string): Promise<Routed> {
  const event = {
    id,
    type: 'Shipment.TransitStatusChanged/v1',
    time: '2035-03-01T12:00:00Z',
    listingIds: [],
  };
  const clues = { orders: [{ account: 'acme', orderId }], listingIds: [], attachmentIds: [] };
  return await router.route([ACME], { ...event, digest: 'a'.repeat(64) }, clues);
}

/** As the marketplace does: what is answered with 503 is sent again. */
async function deliver(shipment: Shipment, id: string): Promise<Routed> {
  for (;;) {
    const outcome = await send(shipment, id);
    if (outcome !== 'unavailable') return outcome;
    await delay(100);
  }
}

/** Twenty every tenth of a second. @returns the ids of each outcome */
async function sendAll(shipment: Shipment): Promise<Partial<Record<Routed, string[]>>> {
  const ids: Partial<Record<Routed, string[]>> = {};
  const sent: Promise<void>[] = [];
  for (let number = 0; number < EVENTS; number += 1) {
    const id = `e-${number}`;
    sent.push(deliver(shipment, id).then((outcome) => void (ids[outcome] ??= []).push(id)));
    if (number % 20 === 19) await delay(90);
  }
  await Promise.all(sent);
  return ids;
}

test('of 200 events in a second, while the workflow goes on in new runs and has no listing yet, none is lost', async () => {
  const shipment = aFurnitureShipment({ orderId: 'M-1' });
  await harness.start(shipment);
  const { runId } = await harness.until(shipment, () => true);
  const { signalled = [] } = await sendAll(shipment);
  expect(signalled).toHaveLength(EVENTS);
  const end = await harness.ended(shipment);
  expect(end).toMatchObject({ status: 'COMPLETED', state: { events: { taken: EVENTS } } });
  expect([...(end.state?.seenEventIds ?? [])].sort()).toEqual(signalled.sort());
  expect(end.runId).not.toBe(runId);
  expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1, openListings: 0 });
});

test('of 200 events in the second in which the workflow completes, none that was taken is lost', async () => {
  const shipment = aFurnitureShipment({ orderId: 'M-2' });
  await harness.start(shipment, { settlementWindowMs: 300 });
  await harness.until(shipment, ({ state }) => state?.phase === 'delivered');
  const { signalled = [], completed = [] } = await sendAll(shipment);
  expect(signalled.length + completed.length).toBe(EVENTS);
  expect(signalled).not.toEqual([]);
  const end = await harness.ended(shipment);
  expect(end.status).toBe('COMPLETED');
  expect(end.state?.seenEventIds).toEqual(expect.arrayContaining(signalled));
});

test('events during an outage of all workers are taken when one is back, doubled and quarantined ones apart', async () => {
  const shipment = aFurnitureShipment({ orderId: 'M-3' });
  await harness.withoutWorkers(async () => {
    await harness.start(shipment);
    for (const id of ['1', '2', '1', '3', '2']) expect(await send(shipment, id)).toBe('signalled');
    const clues = { orders: [{ account: 'acme', orderId: 'M-3' }], listingIds: [], attachmentIds: [] };
    const other = { id: '3', type: 'Listing.Booked/v1', time: '2035-03-01T12:00:00Z', listingIds: [] };
    const named = { ...other, attachmentIds: ['pod-1'], digest: 'b'.repeat(64) };
    expect(await router.route([ACME], named, clues)).toBe('signalled');
  });
  const end = await harness.ended(shipment);
  expect(end).toMatchObject({
    status: 'COMPLETED',
    state: {
      events: { taken: 3, doubled: 2, quarantined: 1 },
      notices: ['not fetched, because event 3 names them anew: pod-1'],
    },
  });
  expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
});
