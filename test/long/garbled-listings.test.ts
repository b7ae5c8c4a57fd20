import { duplicateListings } from '../../src/domain/candidates';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import * as messages from '../../src/contract/messages';
import { numberedOrders } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';
import { Person } from '../support/person';
import { until } from '../support/temporal';

let harness: Harness;
const person = new Person(() => harness);
const { furniture } = numberedOrders('GL');
/** How often one reading is tried. */
const GARBLED = 3;

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 }, switches: { transit: 'manual' } });
}, 60_000);
afterAll(async () => await harness?.close());

/** The next reading of the listing is no JSON, however often it is tried. An event has it read, and after that the watch. */
async function garbleOneReading(listingId: string): Promise<void> {
  const before = readingsOf(listingId);
  harness.sandbox.trouble({
    when: { request: 'getListing', match: listingId },
    what: 'garbage',
    times: GARBLED,
  });
  person.tell(listingId);
  await until(async () => await Promise.resolve(readingsOf(listingId) > before + GARBLED));
}

const readingsOf = (listingId: string): number =>
  harness.sandbox.requests('getListing').filter(({ path }) => path.includes(listingId)).length;

const garbledOf = (shipment: Shipment): number =>
  harness.ledgerOf(shipment).troubles.filter(({ kind }) => kind === 'garbage').length;

async function isBooked(shipment: Shipment): Promise<string> {
  await harness.start(shipment);
  const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'booked');
  return state?.listing?.listingId ?? '';
}

test.concurrent(
  'a garbled reading leaves the question about an ended listing open, and its answer books again',
  async () => {
    const shipment = furniture();
    const first = await isBooked(shipment);
    harness.sandbox.controls.advance(first, { to: 'Cancelled', kind: 'status' });
    const questionId = await harness.asked(shipment, 'listingEnded');
    await garbleOneReading(first);
    await person.answer(shipment, questionId, messages.rebookUpdate);
    const { state } = await harness.until(
      shipment,
      (view) => view.state?.at.phase === 'booked' && view.state.listing?.listingId !== first,
    );
    harness.sandbox.controls.advance(state?.listing?.listingId ?? '', { to: 'Delivered', kind: 'transit' });
    const end = await harness.ended(shipment);
    expect(end).toMatchObject({ status: 'COMPLETED', state: { questionsAsked: 1 } });
    expect(garbledOf(shipment)).toBe(GARBLED);
    expect(harness.ledgerOf(shipment)).toMatchObject({ created: 2, mostLiveBookings: 1, liveBookings: 1 });
  },
);

test.concurrent(
  'a garbled reading leaves the question about a possible double booking open, and its answer settles it',
  async () => {
    const shipment = furniture();
    const first = await isBooked(shipment);
    const second = await person.listByHand(shipment);
    const questionId = await harness.asked(shipment, 'possibleDoubleBooking');
    await garbleOneReading(first);
    harness.sandbox.controls.advance(second, { to: 'Cancelled', kind: 'status' });
    await person.answer(shipment, questionId, messages.retryNowUpdate);
    await harness.until(
      shipment,
      ({ state }) => state?.question === null && duplicateListings(state).length === 0,
    );
    harness.sandbox.controls.advance(first, { to: 'Delivered', kind: 'transit' });
    const { status, state } = await harness.ended(shipment);
    expect({ status, listingId: state?.listing?.listingId, asked: state?.questionsAsked }).toEqual({
      ...{ status: 'COMPLETED', listingId: first, asked: 1 },
    });
    expect(garbledOf(shipment)).toBe(GARBLED);
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1, openListings: 0 });
  },
);
