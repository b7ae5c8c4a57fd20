import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aFurnitureShipment, anLtlShipment } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 5 }, hasWebhooks: false });
}, 60_000);
afterAll(async () => await harness?.close());

test.each([
  ['furniture', aFurnitureShipment()],
  ['LTL', anLtlShipment()],
])(
  'a %s order is delivered and settled without any webhook, by reading, which is counted',
  async (_, shipment) => {
    await harness.start(shipment);
    const { status, state } = await harness.ended(shipment);
    expect(status).toBe('COMPLETED');
    expect(state?.listing?.transitStatus).toBe('Delivered');
    expect(state?.events.taken).toBe(0);
    expect(state?.repairs).toBeGreaterThanOrEqual(1);
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
    await harness.record(shipment, `${shipment.kind}-without-webhooks`);
  },
);

test('a carrier that asks to book is noticed by reading, and told until it has booked', async () => {
  harness.sandbox.setSwitches({ carrierAnswer: 'acceptsLater' });
  harness.sandbox.setClock({ steps: { carrierAnswer: 10_000 } });
  const shipment = aFurnitureShipment({ orderId: 'SO-asked' });
  await harness.start(shipment);
  const asked = await harness.until(
    shipment,
    ({ state }) => state?.phase === 'awaitingBooking' && state.listing?.hasPendingBookingRequest === true,
  );
  expect(asked.state?.listing?.status).toBe('Active');
  await harness.until(
    shipment,
    ({ waitingFor }) => waitingFor?.includes('a carrier asked to book it') === true,
  );
  const booked = await harness.until(shipment, ({ state }) => state?.phase === 'booked');
  expect(booked.state?.listing?.hasPendingBookingRequest).toBe(false);
  await harness.until(shipment, ({ waitingFor }) => waitingFor?.includes('asked to book') === false);
});
