import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { renderShipment } from '../../src/starter/cli/show';
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
  'a %s order is delivered and settled by readings alone, without any webhook, and they are counted',
  async (_, shipment) => {
    await harness.start(shipment);
    const { status, state } = await harness.ended(shipment);
    expect(status).toBe('COMPLETED');
    expect(state?.listing?.transitStatus).toBe('Delivered');
    expect(state?.events.taken).toBe(0);
    expect(state?.repairs).toBeGreaterThanOrEqual(1);
    expect(state?.unknownValues).toEqual([]);
    expect(state?.listing?.extras.createdOn).toMatch(/Z$/);
    expect(state?.tracking?.carrierContact).toMatchObject({ phoneNumber: expect.any(String) });
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
    await harness.record(shipment, `${shipment.kind}-without-webhooks`);
  },
);

test('a reading notices a carrier that asks to book, and the wait names it until it has booked', async () => {
  harness.sandbox.setSwitches({ carrierAnswer: 'acceptsLater' });
  harness.sandbox.setClock({ steps: { carrierAnswer: 10_000 } });
  const shipment = aFurnitureShipment({ orderId: 'SO-asked' });
  await harness.start(shipment);
  const asked = await harness.until(
    shipment,
    ({ state }) => state?.at.phase === 'awaitingBooking' && state.listing?.hasPendingBookingRequest === true,
  );
  expect(asked.state?.listing?.status).toBe('Active');
  await harness.until(
    shipment,
    ({ waitingFor }) => waitingFor?.includes('a carrier asked to book it') === true,
  );
  const booked = await harness.until(shipment, ({ state }) => state?.at.phase === 'booked');
  expect(booked.state?.listing?.hasPendingBookingRequest).toBe(false);
  await harness.until(shipment, ({ waitingFor }) => waitingFor?.includes('asked to book') === false);
});

test('an unknown transit status is counted, of the record and of the tracking, and stops nothing', async () => {
  harness.sandbox.setSwitches({ carrierAnswer: 'accepts', transit: 'manual' });
  const shipment = aFurnitureShipment({ orderId: 'SO-odd' });
  await harness.start(shipment);
  const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'booked');
  const listingId = state?.listing?.listingId ?? '';
  const advance = (to: string) => harness.sandbox.controls.advance(listingId, { to, kind: 'transit' });
  advance('PickedUp');
  await harness.until(shipment, (view) => view.state?.at.phase === 'inTransit');
  advance('Teleported');
  await harness.until(shipment, (view) => {
    const values = view.state?.unknownValues.map(({ value }) => value) ?? [];
    return values.includes('transit status Teleported') && values.includes('tracking status Teleported');
  });
  advance('Delivered');
  expect((await harness.ended(shipment)).status).toBe('COMPLETED');
});

test('a delivery that the carrier moves is noted and shown', async () => {
  harness.sandbox.setSwitches({ carrierAnswer: 'accepts', transit: 'manual' });
  const shipment = aFurnitureShipment({ orderId: 'SO-moved' });
  await harness.start(shipment);
  const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'booked');
  const listingId = state?.listing?.listingId ?? '';
  harness.sandbox.controls.changeDeliveryTimeFrame(listingId, {
    ...{ earliestArrival: '2099/01/02', latestArrival: '2099/01/05', timeFrameType: 'between' },
  });
  const what = 'the delivery is between 2099-01-02 and 2099-01-05 now';
  const moved = await harness.until(
    shipment,
    (view) => view.state?.timeline.some((line) => line.what === what) === true,
  );
  expect(renderShipment(moved)).toMatch(/Delivery.* between 2099-01-02 and 2099-01-05/);
  harness.sandbox.controls.advance(listingId, { to: 'Delivered', kind: 'transit' });
  const { state: end } = await harness.ended(shipment);
  expect(end?.timeline.filter((line) => line.what.includes('the delivery is'))).toHaveLength(1);
});
