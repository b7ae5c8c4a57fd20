import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import type { SwitchChanges } from '../../sandbox';
import { numberedOrders } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';

let harness: Harness;
const { furniture, ltl } = numberedOrders('EF', 'EL');
const usual = {
  webhookListingId: 'uris',
  webhookReferences: true,
  webhookContentType: 'application/json',
  webhookMode: 'structured',
  webhookCoding: 'identity',
  webhookData: 'object',
} as const;
const HOUR = { initialMs: 3_600_000, maximumMs: 3_600_000 };

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 20 }, switches: { transit: 'manual' } });
}, 60_000);
afterAll(async () => await harness?.close());

/** An order that is booked, has its papers and then waits for an hour until it reads again: only events move it. */
async function bookAndWait(shipment: Shipment): Promise<number> {
  await harness.start(shipment, { sweepPace: HOUR, trackingPace: HOUR });
  const { state } = await harness.until(
    shipment,
    (view) => view.state?.listing?.status === 'Booked' && view.state.billOfLading !== null,
  );
  return Number(state?.listing?.listingId);
}

async function moveTo(shipment: Shipment, listingId: number, to: string): Promise<void> {
  harness.sandbox.controls.advance(listingId, { to });
  await harness.until(shipment, ({ state }) => state?.listing?.transitStatus === to);
}

const answers = (listingId: number) =>
  harness.sandbox
    .events()
    .filter((event) => event.listingId === listingId)
    .map(({ attempts }) => attempts.at(-1)?.outcome);

test.each<readonly ['furniture' | 'ltl', SwitchChanges]>([
  ['furniture', { webhookListingId: 'uris', webhookReferences: false }],
  ['furniture', { webhookListingId: 'listingId', webhookReferences: false }],
  ['furniture', { webhookListingId: 'source', webhookReferences: false }],
  ['furniture', { webhookListingId: 'nowhere', webhookReferences: true }],
  ['furniture', { webhookContentType: 'application/cloudevents+json; charset=utf-8' }],
  ['furniture', { webhookContentType: 'text/plain' }],
  ['furniture', { webhookContentType: 'application/octet-stream' }],
  ['furniture', { webhookMode: 'batched', webhookContentType: 'application/cloudevents-batch+json' }],
  ['furniture', { webhookMode: 'binary', webhookListingId: 'source', webhookReferences: false }],
  ['ltl', { webhookMode: 'binary', webhookData: 'text' }],
  ['ltl', { webhookCoding: 'gzip', webhookData: 'text' }],
  ['ltl', { webhookListingId: 'uris', webhookReferences: false }],
  ['ltl', { webhookListingId: 'nowhere', webhookReferences: true }],
])('events alone bring a %s shipment to its delivery under %j', async (kind, switches) => {
  harness.sandbox.setSwitches({ ...usual, ...switches });
  const shipment = kind === 'ltl' ? ltl() : furniture();
  const listingId = await bookAndWait(shipment);
  const { state: booked } = await harness.until(shipment, () => true);
  await moveTo(shipment, listingId, 'Dispatched');
  await moveTo(shipment, listingId, 'PickedUp');
  await moveTo(shipment, listingId, 'Delivered');
  const { status, state } = await harness.ended(shipment);
  expect(status).toBe('COMPLETED');
  expect(state?.events.taken).toBeGreaterThanOrEqual((booked?.events.taken ?? 0) + 3);
  expect(new Set(answers(listingId))).toEqual(new Set([200]));
  expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1, delivered: 1 });
});

test('events that name neither order nor listing are accepted, and readings make up for them', async () => {
  harness.sandbox.setSwitches({ ...usual, webhookListingId: 'nowhere', webhookReferences: false });
  const shipment = furniture();
  await harness.start(shipment);
  const { state } = await harness.until(shipment, (view) => view.state?.listing?.status === 'Booked');
  const listingId = Number(state?.listing?.listingId);
  await moveTo(shipment, listingId, 'PickedUp');
  await moveTo(shipment, listingId, 'Delivered');
  const view = await harness.ended(shipment);
  expect(view.status).toBe('COMPLETED');
  expect(new Set(answers(listingId))).toEqual(new Set([200]));
});
