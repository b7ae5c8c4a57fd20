import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import * as messages from '../../src/contract/messages';
import { numberedOrders } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';
import { Person } from '../support/person';

let harness: Harness;
const person = new Person(() => harness);
const { furniture } = numberedOrders('UE');

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 }, switches: { transit: 'manual' } });
}, 60_000);
afterEach(() => harness.sandbox.clearTroubles());
afterAll(async () => await harness?.close());

/** Delivered, and settled but for a second listing which was posted by hand and cannot be read. */
async function readsOn(documentWindowMs: number): Promise<{ shipment: Shipment; second: string }> {
  const shipment = furniture();
  await harness.start(shipment, { documentWindowMs });
  const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'booked');
  const first = state?.listing?.listingId ?? '';
  // Listings are numbered one after the other.
  const second = String(Number(first) + 1);
  harness.sandbox.trouble({ when: { request: 'getListing', match: `/listings/${second}` }, what: 'garbage' });
  expect(await person.listByHand(shipment)).toBe(second);
  await person.noted(shipment, `listing ${second} cannot be read yet`);
  harness.sandbox.controls.advance(first, { to: 'Delivered', kind: 'transit' });
  const { waitingFor } = await harness.until(
    shipment,
    (view) => view.waitingFor?.startsWith(`listing ${second}`) === true,
  );
  expect(waitingFor).toContain(`listing ${second} to be readable, which an event named since`);
  expect(waitingFor).toContain('second booking of this order');
  return { shipment, second };
}

test('an unreadable listing keeps a settled order open, and asks a question once it is read', async () => {
  const { shipment, second } = await readsOn(8_000);
  harness.sandbox.clearTroubles();
  const questionId = await harness.asked(shipment, 'possibleDoubleBooking');
  harness.sandbox.controls.advance(second, { to: 'Cancelled', kind: 'status' });
  await person.answer(shipment, questionId, messages.retryNowUpdate);
  const { status, state } = await harness.ended(shipment);
  expect(status).toBe('COMPLETED');
  await harness.record(shipment, 'furniture-reads-on');
  expect(state?.notices).not.toContainEqual(expect.stringContaining('could never be read'));
});

test('a listing that can never be read is reported, and the order completes', async () => {
  const { shipment, second } = await readsOn(3_000);
  const { status, state } = await harness.ended(shipment);
  expect(status).toBe('COMPLETED');
  expect(state?.notices).toContain(`listing ${second}, which an event named, could never be read`);
});
