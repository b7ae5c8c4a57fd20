import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as messages from '../../src/contract/messages';
import { endOfDay } from '../../src/domain/calendar';
import { DEFAULT_POLICY } from '../../src/domain/default-policy';
import type { ShipmentPolicy } from '../../src/domain/policy';
import type { Shipment } from '../../src/domain/shipment';
import { numberedOrders } from '../support/builders';
import { BY, startHarness, type Harness } from '../support/harness';

let harness: Harness;
const { furniture, ltl } = numberedOrders('L');

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 }, switches: { transit: 'manual' } });
}, 60_000);
afterAll(async () => await harness?.close());

const lateness = (given: Partial<ShipmentPolicy['lateness']>) => ({
  lateness: { ...DEFAULT_POLICY.lateness, ...given },
});

/** How long before the end of its last pickup day the order is late, so that it is late this soon. */
const lateIn = (ms: number, { pickup, origin }: Shipment): number =>
  Date.parse(endOfDay(pickup.latest, origin.timeZone)) - Date.now() - ms;

async function retried(shipment: Shipment, questionId: string): Promise<void> {
  await harness.handleOf(shipment).executeUpdate(messages.retryNowUpdate, { args: [{ questionId, ...BY }] });
}

test('a listing that nobody books asks when its last pickup day ends, once, and goes on when it is booked', async () => {
  harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
  const shipment = furniture();
  await harness.start(shipment, lateness({ unbookedMs: lateIn(3_000, shipment) }));
  const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'awaitingBooking');
  expect(state?.question).toBeNull();
  const questionId = await harness.asked(shipment, 'late');
  const { waitingFor } = await harness.until(shipment, () => true);
  expect(waitingFor).toContain('no carrier has booked the listing, and the last pickup day is ending');
  await retried(shipment, questionId);
  await harness.until(shipment, (view) => view.state?.question === null);
  const listingId = state !== null && 'listingId' in state.at ? state.at.listingId : '';
  harness.sandbox.controls.advance(listingId, { to: 'Delivered' });
  const end = await harness.ended(shipment);
  expect(end).toMatchObject({ status: 'COMPLETED', state: { questionsAsked: 1, late: null } });
}, 90_000);

test('goods that are not picked up ask, and the question closes by itself when the truck comes', async () => {
  harness.sandbox.setSwitches({ carrierAnswer: 'accepts' });
  const shipment = ltl();
  await harness.start(shipment, lateness({ pickupMs: -lateIn(2_000, shipment) }));
  await harness.asked(shipment, 'late');
  const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'booked');
  expect(state?.question?.text).toContain('the goods are not picked up');
  const listingId = state !== null && 'listingId' in state.at ? state.at.listingId : '';
  harness.sandbox.controls.advance(listingId, { to: 'PickedUp' });
  await harness.until(shipment, (view) => view.state?.question === null);
  harness.sandbox.controls.advance(listingId, { to: 'Delivered' });
  expect((await harness.ended(shipment)).status).toBe('COMPLETED');
}, 90_000);

test('a silent truck adds a notice, and asks nothing', async () => {
  harness.sandbox.setSwitches({ carrierAnswer: 'accepts' });
  const shipment = ltl();
  await harness.start(shipment, lateness({ silenceMs: 1_000 }));
  const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'booked');
  const listingId = state !== null && 'listingId' in state.at ? state.at.listingId : '';
  harness.sandbox.controls.advance(listingId, { to: 'PickedUp' });
  const told = await harness.until(shipment, (view) => view.state?.late?.kind === 'silent');
  expect(told.state?.notices).toContainEqual(expect.stringContaining('nothing was heard of the truck'));
  expect(told.state?.question).toBeNull();
  harness.sandbox.controls.advance(listingId, { to: 'Delivered' });
  expect((await harness.ended(shipment)).status).toBe('COMPLETED');
}, 90_000);
