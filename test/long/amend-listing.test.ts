import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { AmendmentReport } from '../../src/domain/amendment';
import type { FurnitureShipment } from '../../src/domain/shipment';
import type { TroubleInput } from '../../sandbox';
import * as messages from '../../src/contract/messages';
import { aStop, numberedOrders } from '../support/builders';
import { BY, FAST_POLICY, startHarness, type Harness } from '../support/harness';

const SLOW = { initialMs: 600_000, maximumMs: 600_000 };
let harness: Harness;
const { furniture } = numberedOrders('AM');

beforeAll(async () => {
  harness = await startHarness({ clock: { steps: { booking: 3_600_000 } } });
}, 60_000);
beforeEach(() => {
  harness.sandbox.clearTroubles();
  harness.sandbox.setSwitches({ webhooks: 'on' });
});
afterAll(async () => await harness?.close());

async function listed(over: Partial<FurnitureShipment> = {}) {
  const shipment = furniture({ description: 'Wrapped', ...over });
  // A sweep must not be faster than the change.
  await harness.start(shipment, { sweepPace: SLOW });
  const { state } = await harness.until(
    shipment,
    (view) => view.state?.at.phase === 'awaitingBooking' && view.state.listing !== null,
  );
  return { shipment, listingId: Number(state?.listing?.listingId) };
}

const amend = async (shipment: FurnitureShipment, over: Partial<FurnitureShipment>): Promise<void> =>
  await harness.handleOf(shipment).executeUpdate(messages.amendListingUpdate, {
    args: [
      {
        ...BY,
        shipment: { ...shipment, ...over },
        policy: { ...FAST_POLICY, sweepPace: SLOW },
        documentHash: 'changed',
      },
    ],
  });

async function amended(shipment: FurnitureShipment): Promise<AmendmentReport> {
  const { state } = await harness.until(
    shipment,
    (view) => view.state?.amendment != null && view.state.amendment.status !== 'underWay',
  );
  const report = state?.amendment ?? null;
  if (report === null) throw new TypeError('nothing was reported');
  return report;
}

const hashOf = async (shipment: FurnitureShipment) =>
  (await harness.handleOf(shipment).describe()).memo?.['documentHash'];
const end = async (shipment: FurnitureShipment) =>
  await harness.handleOf(shipment).terminate('the test is over');
const putsOf = (listingId: number) =>
  harness.sandbox.requests('updateListing').filter(({ path }) => path.endsWith(`/${listingId}`));

test('a changed description is written to the one listing', async () => {
  const { shipment, listingId } = await listed();
  await amend(shipment, { description: 'Boxed' });
  expect(await amended(shipment)).toMatchObject({
    status: 'done',
    what: `listing ${listingId} was changed (description)`,
  });
  expect(putsOf(listingId).map(({ body }) => body)).toEqual([
    { checksum: expect.any(String), description: 'Boxed' },
  ]);
  expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, openListings: 1 });
  expect(await hashOf(shipment)).toBe('changed');
  await expect(amend(shipment, { description: 'Boxed' })).rejects.toMatchObject({
    cause: { message: expect.stringContaining('already is') },
  });
  await end(shipment);
});

test('a changed route gets a new price, and an event about the old route still finds the order', async () => {
  const { shipment, listingId } = await listed();
  const before = (await harness.shipments.get('acme', shipment.orderId)).state?.fixedPrice;
  const destination = aStop({
    address: { ...aStop().address, street: '1 Main St', city: 'Houston', postalCode: '77002' },
  });
  await amend(shipment, { destination });
  const { status, what } = await amended(shipment);
  expect([status, what]).toEqual(['done', expect.stringContaining('(destination); fixed price USD')]);
  const { state } = await harness.shipments.get('acme', shipment.orderId);
  expect(state?.fixedPrice?.listPrice).not.toEqual(before?.listPrice);
  expect(state?.earlierLoads).toEqual([expect.objectContaining({ postalCodes: ['75207', '78703'] })]);
  const [listing] = harness.ledgerOf(shipment).listings;
  expect(listing?.price).toBe((state?.fixedPrice?.listPrice.minorUnits ?? 0) / 100);
  const numbers = listing?.referenceNumbers.map(({ number }) => number);
  expect(numbers).toEqual(
    expect.arrayContaining([`acme/${shipment.orderId}`, state?.fixedPrice?.priceCorrelationId]),
  );
  expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, openListings: 1 });
  harness.sandbox.controls.advance(listingId, { to: 'Booked' });
  await harness.until(shipment, (view) => view.state?.at.phase === 'booked');
  await end(shipment);
});

test('a price above the limit leaves the listing unchanged, and names the limit to raise', async () => {
  const { shipment, listingId } = await listed();
  const items = shipment.items.map((item) => ({ ...item, quantity: 3 }));
  await amend(shipment, { items, priceLimit: { minorUnits: 100, currency: 'USD' } });
  expect(await amended(shipment)).toMatchObject({
    status: 'refused',
    what: expect.stringContaining('above the limit of USD 1.00'),
  });
  expect(putsOf(listingId)).toEqual([]);
  expect(await hashOf(shipment)).toBe('test');
  await end(shipment);
});

test('changed images delete the listing and list the order again', async () => {
  const { shipment, listingId } = await listed();
  const sha256 = await harness.files.put(Buffer.from([0xff, 0xd8, 0xff, 0xd9]));
  const image = { fileName: 'sofa.jpg', contentType: 'image/jpeg', sizeInBytes: 4, sha256 };
  await amend(shipment, { images: [image] });
  expect(await amended(shipment)).toMatchObject({ status: 'done' });
  await harness.until(
    shipment,
    ({ state }) => state?.at.phase === 'awaitingBooking' && state.imagesTried === 1 && state.listing !== null,
  );
  expect(harness.ledgerOf(shipment)).toMatchObject({
    ...{ created: 2, openListings: 1, images: 1 },
    deletedListings: [listingId],
  });
  await end(shipment);
});

test.each<[string, Omit<TroubleInput, 'when'>]>([
  ['a conflict', { what: { kind: 'status', status: 409 }, times: 2 }],
  ['a failed precondition', { what: { kind: 'status', status: 412 }, times: 1 }],
  ['a lost answer', { what: 'hangUpAfter', times: 1 }],
  ['a lost request', { what: 'hangUpBefore', times: 1 }],
])('a change that meets %s is made once the record shows the state of the listing', async (_, trouble) => {
  const { shipment } = await listed();
  harness.sandbox.trouble({ when: 'updateListing', ...trouble });
  await amend(shipment, { title: 'Blue sofa', description: 'Boxed' });
  expect(await amended(shipment)).toMatchObject({ status: 'done' });
  const { state } = await harness.until(shipment, (view) => view.state?.listing?.title === 'Blue sofa');
  expect(state).toMatchObject({ at: { phase: 'awaitingBooking' }, question: null, notices: [] });
  expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, openListings: 1 });
  await end(shipment);
});

test('a change that could not be made is reported as not done when the order is withdrawn', async () => {
  const { shipment, listingId } = await listed();
  harness.sandbox.trouble({ when: 'updateListing', what: { kind: 'status', status: 404 } });
  await amend(shipment, { description: 'Boxed' });
  await harness.asked(shipment, 'unexpectedFailure');
  await harness.handleOf(shipment).executeUpdate(messages.cancelShipmentUpdate, { args: [BY] });
  const { state } = await harness.ended(shipment);
  expect(state?.amendment).toMatchObject({
    status: 'refused',
    what: `not changed: the order has left listing ${listingId}, which the change was for`,
  });
  expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, openListings: 0 });
});

test.each<[string, Partial<FurnitureShipment>]>([
  ['a description', { description: 'Boxed' }],
  ['a weight', { items: furniture().items.map((item) => ({ ...item, weightInGrams: 70_000 })) }],
  ['driver notes', { driverNotes: 'Gate 4411' }],
])('a carrier that books before %s is changed moves the unchanged order', async (_, over) => {
  const { shipment, listingId } = await listed();
  harness.sandbox.setSwitches({ webhooks: 'off' });
  harness.sandbox.controls.advance(listingId, { to: 'Booked' });
  await amend(shipment, over);
  expect(await amended(shipment)).toMatchObject({
    status: 'refused',
    what: `not changed: a carrier booked listing ${listingId} before it was changed; it moves as ordered before`,
  });
  const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'booked');
  expect(state?.notices).toContainEqual(expect.stringContaining('it moves as ordered before'));
  expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, liveBookings: 1 });
  expect(await hashOf(shipment)).toBe('test');
  await end(shipment);
});
