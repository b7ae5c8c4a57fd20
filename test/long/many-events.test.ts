import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import { createEventRouter, type EventRouter, type Routed } from '../../src/webhooks/router';
import { aFurnitureShipment, anLtlShipment } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';

const ACME = { name: 'acme', accounts: [{ name: 'acme', environment: 'sandbox' }] } as const;
const EVENTS = 200;

let harness: Harness;
/** In which no shipment goes on in new runs: each of those reads the listing again by itself. */
let steady: Harness;

beforeAll(async () => {
  const dynamicConfig = { 'limit.historyCount.suggestContinueAsNew': 30 };
  // The marketplace's own events would be counted too.
  const options = { clock: { speed: 40 }, hasWebhooks: false };
  [harness, steady] = await Promise.all([
    startHarness({ ...options, embedded: { dynamicConfig } }),
    startHarness(options),
  ]);
}, 60_000);
afterAll(async () => {
  await harness?.close();
  await steady?.close();
});

const routerOf = ({ temporal }: Harness): EventRouter => createEventRouter(temporal.client);

interface Sent {
  readonly id: string;
  readonly attachmentIds?: readonly string[];
}

/** An event that names no listing, as one does that comes before the listing id is known. */
async function send(
  router: EventRouter,
  { orderId }: Shipment,
  { id, attachmentIds = [] }: Sent,
): Promise<Routed> {
  const event = {
    ...{ id, type: 'Shipment.TransitStatusChanged/v1', time: '2035-03-01T12:00:00Z' },
    ...{ listingIds: [], attachmentIds },
  };
  const clues = { orders: [{ account: 'acme', orderId }], listingIds: [], attachmentIds };
  return await router.route(ACME, { ...event, digest: 'a'.repeat(64) }, clues);
}

/** As the marketplace does: what is answered with 503 is sent again. */
async function deliver(router: EventRouter, shipment: Shipment, event: Sent): Promise<Routed> {
  for (;;) {
    const outcome = await send(router, shipment, event);
    if (outcome !== 'unavailable') return outcome;
    await delay(100);
  }
}

/** Twenty every tenth of a second. @returns the ids of each outcome */
async function sendAll(router: EventRouter, shipment: Shipment): Promise<Partial<Record<Routed, string[]>>> {
  const ids: Partial<Record<Routed, string[]>> = {};
  const sent: Promise<void>[] = [];
  for (let number = 0; number < EVENTS; number += 1) {
    const id = `e-${number}`;
    sent.push(deliver(router, shipment, { id }).then((outcome) => void (ids[outcome] ??= []).push(id)));
    if (number % 20 === 19) await delay(90);
  }
  await Promise.all(sent);
  return ids;
}

const GROUP = 10;
const HOUR = { initialMs: 3_600_000, maximumMs: 3_600_000 };

/** Files at the marketplace that no event has told of as yet. @returns their ids */
function addFiles(listingId: string): string[] {
  const { controls } = steady.sandbox;
  const before = steady.sandbox.events().length;
  for (let number = 0; number < EVENTS / GROUP; number += 1)
    controls.addAttachment(listingId, { fileName: `photo-${number}.pdf` });
  return steady.sandbox
    .events()
    .slice(before)
    .map(({ envelope }) => String(Object(envelope.data).attachmentId));
}

interface Outcomes {
  readonly signalled: Sent[];
  readonly completed: Sent[];
  /** When the last of the signalled ones was sent; ISO instant. */
  lastSignalledAt: string;
}

/**
 * Groups whose gaps grow, until the shipment has completed in one of them and all are sent: while events keep coming the
 * end is put off. One event of each group names a file.
 */
async function sendUntilOver(shipment: Shipment, files: readonly string[]): Promise<Outcomes> {
  const router = routerOf(steady);
  const outcomes: Outcomes = { signalled: [], completed: [], lastSignalledAt: '' };
  for (let group = 0; group * GROUP < EVENTS || outcomes.completed.length === 0; group += 1) {
    if (group === 50) throw new Error('the shipment did not complete');
    const sentAt = new Date().toISOString();
    const sending = Array.from({ length: GROUP }, async (_, index) => {
      const file = index === 0 ? files[group] : undefined;
      const event = { id: `e-${group}-${index}`, attachmentIds: file === undefined ? [] : [file] };
      const outcome = await deliver(router, shipment, event);
      if (outcome !== 'signalled' && outcome !== 'completed') throw new Error(`an event was ${outcome}`);
      outcomes[outcome].push(event);
      if (outcome === 'signalled') outcomes.lastSignalledAt = sentAt;
    });
    await Promise.all(sending);
    if (outcomes.completed.length === 0) await delay(20 * group);
  }
  return outcomes;
}

test('none of 200 events within a second is lost, from before the listing exists and over continue-as-new', async () => {
  const shipment = aFurnitureShipment({ orderId: 'M-1' });
  // However slow the machine, the order does not complete before all are sent.
  harness.sandbox.trouble({ when: 'getListing', what: { kind: 'status', status: 503 } });
  await harness.start(shipment);
  const { runId } = await harness.until(shipment, () => true);
  const { signalled = [] } = await sendAll(routerOf(harness), shipment);
  harness.sandbox.clearTroubles();
  expect(signalled).toHaveLength(EVENTS);
  const end = await harness.ended(shipment);
  expect(end).toMatchObject({ status: 'COMPLETED', state: { events: { taken: EVENTS } } });
  expect([...(end.state?.seenEventIds ?? [])].sort()).toEqual(signalled.sort());
  expect(end.runId).not.toBe(runId);
  expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1, openListings: 0 });
});

test('each accepted one of 200 events around the completion of the workflow has its effect', async () => {
  const shipment = aFurnitureShipment({ orderId: 'M-2' });
  // Nothing but events has the listing read.
  await steady.start(shipment, { settlementWindowMs: 300, sweepPace: HOUR });
  const router = routerOf(steady);
  let hints = 0;
  const { state } = await steady.until(shipment, (view) => {
    void send(router, shipment, { id: `hint-${(hints += 1)}` });
    return view.state?.at.phase === 'delivered';
  });
  const listingId = state?.listing?.listingId ?? '';
  const { signalled, completed, lastSignalledAt } = await sendUntilOver(shipment, addFiles(listingId));
  expect(signalled).not.toEqual([]);
  expect(completed).not.toEqual([]);
  expect(signalled.length + completed.length).toBeGreaterThanOrEqual(EVENTS);
  const end = await steady.ended(shipment);
  expect(end).toMatchObject({ status: 'COMPLETED', state: { wantedAttachments: [], notices: [] } });
  // A shipment keeps the newest 500 identifiers, which are more than these.
  const taken = end.state?.seenEventIds.filter((id) => id.startsWith('e-')) ?? [];
  expect(taken.sort()).toEqual(signalled.map(({ id }) => id).sort());
  const named = (events: readonly Sent[]): string[] =>
    events.flatMap(({ attachmentIds = [] }) => attachmentIds).sort();
  const stored = end.state?.attachments.map(({ attachmentId }) => attachmentId) ?? [];
  expect(named(signalled)).not.toEqual([]);
  expect([...stored].sort()).toEqual(named(signalled));
  const readings = steady.sandbox.requests('getListing').filter(({ path }) => path.endsWith(`/${listingId}`));
  expect((readings.at(-1)?.at ?? '') >= lastSignalledAt).toBe(true);
});

test('events during an outage of all workers are taken once a worker is back; doubled and quarantined ones are distinguished', async () => {
  const shipment = aFurnitureShipment({ orderId: 'M-3' });
  const router = routerOf(harness);
  await harness.withoutWorkers(async () => {
    await harness.start(shipment);
    for (const id of ['1', '2', '1', '3', '2'])
      expect(await send(router, shipment, { id })).toBe('signalled');
    const clues = { orders: [{ account: 'acme', orderId: 'M-3' }], listingIds: [], attachmentIds: [] };
    const other = { id: '3', type: 'Listing.Booked/v1', time: '2035-03-01T12:00:00Z', listingIds: [] };
    const named = { ...other, attachmentIds: ['pod-1'], digest: 'b'.repeat(64) };
    expect(await router.route(ACME, named, clues)).toBe('signalled');
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

test.each([
  ['a shipment', aFurnitureShipment({ orderId: 'M-4' })],
  ['an LTL shipment', anLtlShipment({ orderId: 'M-5' })],
])(
  'an event that arrives while the position of %s is read causes a reading of the listing',
  async (_, shipment) => {
    const { sandbox } = steady;
    sandbox.setSwitches({ orders: { [`acme/${shipment.orderId}`]: { transit: 'manual' } } });
    // Nothing but events has the listing read.
    await steady.start(shipment, { sweepPace: HOUR, trackingPace: HOUR });
    const router = routerOf(steady);
    let hints = 0;
    const hint = async (): Promise<Routed> => await deliver(router, shipment, { id: `hint-${(hints += 1)}` });
    await steady.until(shipment, ({ state }) => {
      void hint();
      return state?.at.phase === 'booked';
    });
    const [listing] = steady.ledgerOf(shipment).listings;
    const moveTo = (to: string) => sandbox.controls.advance(listing?.listingId ?? 0, { to, kind: 'transit' });
    const asking = sandbox.trouble({
      when: 'getTracking',
      what: { kind: 'delay', delayMs: 3_000 },
      times: 1,
    });
    moveTo('PickedUp');
    await hint();
    await steady.until(shipment, ({ state }) => state?.at.phase === 'inTransit');
    moveTo('Delivered');
    await hint();
    await steady.until(shipment, ({ state }) => state?.at.phase === 'delivered');
    expect(asking.hits).toBe(1);
    await steady.handleOf(shipment).terminate('the test is over');
  },
);
