import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import type { ShipmentState } from '../../src/domain/shipment-state';
import type { SentEvent } from '../../sandbox';
import { numberedOrders } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';
import { until } from '../support/temporal';

let harness: Harness;
const { furniture } = numberedOrders('R');
const HOUR = { initialMs: 3_600_000, maximumMs: 3_600_000 };

beforeAll(async () => {
  // The events are made, and held back.
  harness = await startHarness({
    clock: { speed: 20 },
    switches: { webhooks: 'off', carrierAnswer: 'silent' },
  });
}, 60_000);
afterAll(async () => await harness?.close());

function* permutations<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries()) {
    const others = [...items.slice(0, index), ...items.slice(index + 1)];
    for (const rest of permutations(others)) yield [item, ...rest];
  }
}

const EVENTS = ['booked', 'pickedUp', 'delivered', 'proofOfDelivery'] as const;
type EventName = (typeof EVENTS)[number];

function nameOf({ envelope: { type, data } }: SentEvent): EventName | null {
  const text = JSON.stringify(data);
  if (type === 'Listing.Booked/v1') return 'booked';
  if (type === 'Listing.Attachment.AttachmentAdded/v1' && text.includes('ProofOfDelivery'))
    return 'proofOfDelivery';
  const status: unknown = Object(Object(data).transitStatus).value;
  if (type !== 'Shipment.TransitStatusChanged/v1') return null;
  if (status === 'PickedUp') return 'pickedUp';
  return status === 'Delivered' ? 'delivered' : null;
}

const eventsOf = (listingId: number): readonly SentEvent[] =>
  harness.sandbox.events().filter((event) => event.listingId === listingId);

async function listed(shipment: Shipment): Promise<number> {
  // Nobody looks again within the test, so that only the events can tell; all of them come before the price is settled.
  await harness.start(shipment, { sweepPace: HOUR, trackingPace: HOUR, settlementWindowMs: 15_000 });
  await harness.until(
    shipment,
    ({ state }) => state?.at.phase === 'awaitingBooking' && state.listing?.status === 'Active',
  );
  return harness.ledgerOf(shipment).listings[0]?.listingId ?? 0;
}

/** The listing is delivered at the marketplace, of which the shipment knows nothing. */
async function deliverUnseen(listingId: number): Promise<void> {
  harness.sandbox.controls.advance(listingId, { to: 'Booked', kind: 'status' });
  await until(async () => {
    const names = eventsOf(listingId).map(nameOf);
    return await Promise.resolve(EVENTS.every((name) => names.includes(name)));
  });
}

/** One after the other: the next is sent once the one before was answered. */
async function sendInOrder(listingId: number, names: readonly EventName[]): Promise<void> {
  for (const name of names) {
    const event = eventsOf(listingId).find((sent) => nameOf(sent) === name);
    if (event === undefined) throw new Error(`listing ${listingId} has no event ${name}`);
    harness.sandbox.controls.sendEvent({ resend: String(event.envelope['id']) });
    await until(async () => await Promise.resolve(event.attempts.length === 1));
    expect(event.attempts.map(({ outcome }) => outcome)).toEqual([200]);
  }
}

/** What two orders never share: identifiers, instants, and what the sandbox draws by lot. */
const OWN = new Set([
  ...['orderId', 'phaseSince', 'timeline', 'seenEventIds', 'seenDigests', 'seenFingerprint', 'contacts'],
  ...[
    'listingId',
    'candidates',
    'attachmentId',
    'billOfLadingNumber',
    'sha256',
    'sizeInBytes',
    'fileName',
    'url',
  ],
  ...['number', 'carrier', 'checksum', 'cancellationLink', 'tracking', 'lastSeen', 'priceCorrelationId'],
]);
const isInstant = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);

const withoutOwn = (state: ShipmentState): object =>
  JSON.parse(
    JSON.stringify(state, (key, value: unknown) => (OWN.has(key) || isInstant(value) ? undefined : value)),
  ) as object;

test('each of the 24 orders of booking, pickup, delivery and proof of delivery ends in the same state', async () => {
  const orders = [...permutations(EVENTS)].map((names) => ({ names, shipment: furniture() }));
  expect(orders).toHaveLength(24);
  const listingIds = await Promise.all(orders.map(async ({ shipment }) => await listed(shipment)));
  await Promise.all(listingIds.map(deliverUnseen));
  await Promise.all(orders.map(async ({ names }, index) => await sendInOrder(listingIds[index] ?? 0, names)));
  const ends = await Promise.all(orders.map(async ({ shipment }) => await harness.ended(shipment)));
  const states = ends.flatMap(({ state }) => (state === null ? [] : [state]));
  expect(ends.map(({ status }) => status)).toEqual(orders.map(() => 'COMPLETED'));
  expect(states[0]).toMatchObject({
    ...{
      at: { phase: 'settled' },
      events: { taken: 4, doubled: 0, quarantined: 0 },
      repairs: 0,
      notices: [],
    },
    ...{ question: null, questionsAsked: 0, wantedAttachments: [] },
    listing: { transitStatus: 'Delivered' },
    attachments: [{ attachmentType: 'ProofOfDelivery' }],
  });
  for (const [index, state] of states.entries()) {
    expect([orders[index]?.names, withoutOwn(state)]).toEqual([
      orders[index]?.names,
      withoutOwn(states[0] ?? state),
    ]);
    expect(state.listing?.listingId).toBe(String(listingIds[index]));
    expect(state.candidates).toMatchObject([
      { listingId: String(listingIds[index]), isOwn: true, isUnread: false },
    ]);
    expect(state.seenEventIds).toHaveLength(4);
  }
  for (const { shipment } of orders)
    expect(harness.ledgerOf(shipment)).toMatchObject({
      ...{ created: 1, booked: 1, mostLiveBookings: 1, liveBookings: 1, delivered: 1 },
    });
});
