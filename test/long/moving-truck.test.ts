import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ShipmentPolicy } from '../../src/domain/policy';
import type { Shipment } from '../../src/domain/shipment';
import { aFurnitureShipment, anLtlShipment } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';

/** An hour of the road, in milliseconds of the test: three days pass in eighteen seconds. */
const HOUR = 250;
const TRANSIT_HOURS = 72;

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 1, steps: { delivered: TRANSIT_HOURS * HOUR } } });
}, 60_000);
afterAll(async () => await harness?.close());

/** The events in a shipment's history that are of a reading of the tracking. */
async function trackingEventsOf(shipment: Shipment): Promise<number> {
  const { events } = await harness.handleOf(shipment).fetchHistory();
  const scheduled = new Set(
    (events ?? [])
      .filter(({ activityTaskScheduledEventAttributes: begun }) =>
        ['getTracking', 'watchTracking'].includes(begun?.activityType?.name ?? ''),
      )
      .map(({ eventId }) => String(eventId)),
  );
  const isOfTracking = (attributes: { scheduledEventId?: unknown } | null | undefined): boolean =>
    attributes != null && scheduled.has(String(attributes.scheduledEventId));
  const others = (events ?? []).filter(
    (event) =>
      isOfTracking(event.activityTaskStartedEventAttributes) ||
      isOfTracking(event.activityTaskCompletedEventAttributes) ||
      isOfTracking(event.activityTaskCancelRequestedEventAttributes) ||
      isOfTracking(event.activityTaskCanceledEventAttributes),
  );
  return scheduled.size + others.length;
}

const readingsOf = (shipment: Shipment): number => {
  const [listing] = harness.ledgerOf(shipment).listings;
  return harness.sandbox
    .requests('getTracking')
    .filter(({ path }) => path.includes(`/${String(listing?.listingId)}/`)).length;
};

const hourly = { initialMs: HOUR, maximumMs: HOUR };
/** The defaults, by the clock of this test. */
const scaled: Partial<ShipmentPolicy> = {
  ...{ trackingPace: { initialMs: HOUR / 4, maximumMs: 2 * HOUR }, trackingPositionMs: 6 * HOUR },
  settlementWindowMs: 200,
};

test('a truck that moves for three days costs few events, however often it is read', async () => {
  const orders: readonly [Shipment, Partial<ShipmentPolicy>][] = [
    [aFurnitureShipment({ orderId: 'T-1' }), scaled],
    [anLtlShipment({ orderId: 'T-2' }), scaled],
    [aFurnitureShipment({ orderId: 'T-3' }), { ...scaled, trackingPace: hourly }],
  ];
  for (const [shipment, policy] of orders) await harness.start(shipment, policy);
  for (const [shipment] of orders) {
    const { status, state } = await harness.ended(shipment);
    expect(status).toBe('COMPLETED');
    expect(await trackingEventsOf(shipment)).toBeLessThan(60);
    expect(readingsOf(shipment)).toBeGreaterThan(12);
    expect(state?.timeline.filter(({ what }) => what.startsWith('last seen in')).length).toBeGreaterThan(0);
  }
});

test('every position is recorded where the policy wants every one', async () => {
  harness.sandbox.setClock({ steps: { delivered: 24 * HOUR } });
  const shipment = aFurnitureShipment({ orderId: 'T-4' });
  await harness.start(shipment, { ...scaled, trackingPace: hourly, trackingPositionMs: 0 });
  expect((await harness.ended(shipment)).status).toBe('COMPLETED');
  expect(await trackingEventsOf(shipment)).toBeGreaterThan(2 * readingsOf(shipment));
});
