import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import * as messages from '../../src/workflows/messages';
import { numberedOrders } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';
import { Person } from '../support/person';

let harness: Harness;
const person = new Person(() => harness);
const { furniture } = numberedOrders('GL');

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 }, switches: { transit: 'manual' } });
}, 60_000);
afterAll(async () => await harness?.close());

/** The next reading of the listing, and of no other, is no JSON, however often it is tried; then an event has it read. */
async function garbleOneReading(shipment: Shipment, listingId: string): Promise<void> {
  const before = hitsOf(shipment);
  harness.sandbox.addFault({ endpoint: 'getListing', kind: 'garbage', times: 3, match: listingId });
  person.tell(listingId);
  await harness.until(shipment, () => hitsOf(shipment) > before);
}

const hitsOf = (shipment: Shipment): number =>
  harness.ledgerOf(shipment).faults.filter(({ kind }) => kind === 'garbage').length;

async function isBooked(shipment: Shipment): Promise<string> {
  await harness.start(shipment);
  const { state } = await harness.until(shipment, (view) => view.state?.phase === 'booked');
  return state?.listing?.listingId ?? '';
}

test.concurrent(
  'a garbled reading while an ended listing is asked about asks again, and its answer books anew',
  async () => {
    const shipment = furniture();
    const first = await isBooked(shipment);
    harness.sandbox.controls.advance(first, { to: 'Cancelled', kind: 'status' });
    const before = await harness.asked(shipment, 'listingEnded');
    await garbleOneReading(shipment, first);
    // What failed was asked about in its place.
    const questionId = await harness.asked(shipment, 'listingEnded', before);
    await person.answer(shipment, questionId, messages.rebookUpdate);
    const { state } = await harness.until(
      shipment,
      (view) => view.state?.phase === 'booked' && view.state.listing?.listingId !== first,
    );
    harness.sandbox.controls.advance(state?.listing?.listingId ?? '', { to: 'Delivered', kind: 'transit' });
    expect((await harness.ended(shipment)).status).toBe('COMPLETED');
    expect(harness.ledgerOf(shipment)).toMatchObject({ created: 2, mostLiveBookings: 1, liveBookings: 1 });
  },
);

test.concurrent(
  'a garbled reading while a possible double booking is asked about asks again, and its answer ends it',
  async () => {
    const shipment = furniture();
    const first = await isBooked(shipment);
    const second = await person.listByHand(shipment);
    const before = await harness.asked(shipment, 'possibleDoubleBooking');
    await garbleOneReading(shipment, first);
    // What failed was asked about in its place.
    const questionId = await harness.asked(shipment, 'possibleDoubleBooking', before);
    harness.sandbox.controls.advance(second, { to: 'Cancelled', kind: 'status' });
    await person.answer(shipment, questionId, messages.retryNowUpdate);
    await harness.until(shipment, ({ state }) => state?.question === null && state.strays.length === 0);
    harness.sandbox.controls.advance(first, { to: 'Delivered', kind: 'transit' });
    const { status, state } = await harness.ended(shipment);
    expect({ status, listingId: state?.listing?.listingId }).toEqual({
      status: 'COMPLETED',
      listingId: first,
    });
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1, openListings: 0 });
  },
);
