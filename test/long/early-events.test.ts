import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import type { SwitchChanges, TroubleInput } from '../../sandbox';
import type { ShipmentView } from '../../src/starter/client/get-shipment';
import { numberedOrders } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';
import { Person } from '../support/person';

let harness: Harness;
const person = new Person(() => harness);
const { furniture, ltl } = numberedOrders('E');

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 } });
}, 60_000);
afterAll(async () => await harness?.close());

/** What is left of the answer to a write that had its effect. */
const LOST: readonly TroubleInput['what'][] = [
  'hangUpAfter',
  { kind: 'statusAfter', status: 502 },
  'noLocation',
];

/** Nobody is asked within a test, so that only the events can tell. */
async function startWithLostAnswers(
  endpoint: 'createListing' | 'acceptRate',
  order: () => Shipment,
  ways: typeof LOST = LOST,
): Promise<readonly Shipment[]> {
  const orders: Shipment[] = [];
  for (const lost of ways) {
    const shipment = order();
    const reference = `${shipment.account}/${shipment.orderId}`;
    harness.sandbox.trouble({ when: endpoint, whom: reference, what: lost, times: 1 });
    orders.push(shipment);
  }
  await Promise.all(orders.map(async (shipment) => await harness.start(shipment, { doubtWaitMs: 30_000 })));
  return orders;
}

/** It was in doubt, and took the listing that the event had named. */
function expectAdoptedOnce(shipment: Shipment, { status, state }: ShipmentView): void {
  const [listingId] = person.listingIdsOf(shipment);
  expect({ status, questionsAsked: state?.questionsAsked }).toEqual({
    status: 'COMPLETED',
    questionsAsked: 0,
  });
  const story = state?.timeline.map(({ what }) => what) ?? [];
  expect(story).toContainEqual(expect.stringContaining('is in doubt: '));
  expect(story).toContainEqual(`settled: listing ${listingId} is this order's`);
  expect(harness.ledgerOf(shipment)).toMatchObject({
    ...{
      created: 1,
      booked: 1,
      liveBookings: 1,
      mostLiveBookings: 1,
      openListings: 0,
      pendingAcceptances: 0,
    },
  });
}

test.each<readonly [string, SwitchChanges, typeof LOST]>([
  ['name the order', { webhookReferences: true }, LOST],
  ['name only the listing', { webhookReferences: false }, LOST.slice(0, 1)],
])('bookings whose events arrive before the lost answer, and %s, are adopted', async (_, switches, ways) => {
  harness.sandbox.setSwitches({ webhookEarly: 'booked', ...switches });
  const [sofas, pallets] = await Promise.all([
    startWithLostAnswers('createListing', furniture, ways),
    startWithLostAnswers('acceptRate', ltl, ways),
  ]);
  for (const shipment of [...sofas, ...pallets]) expectAdoptedOnce(shipment, await harness.ended(shipment));
  expect(sofas.map((shipment) => person.postsOf(shipment))).toEqual(ways.map(() => 1));
  expect(pallets.map((shipment) => harness.ledgerOf(shipment).acceptances.length)).toEqual(ways.map(() => 1));
});

test('listings whose event arrives before the lost answer are adopted before they are booked', async () => {
  harness.sandbox.setSwitches({ webhookEarly: 'created', carrierAnswer: 'silent', webhookReferences: true });
  const orders = await startWithLostAnswers('createListing', furniture);
  for (const shipment of orders) {
    const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'awaitingBooking');
    const [listingId = ''] = person.listingIdsOf(shipment);
    expect(state).toMatchObject({ at: { listingId, unverified: null } });
    harness.sandbox.controls.advance(listingId, { to: 'Booked', kind: 'status' });
  }
  for (const shipment of orders) expectAdoptedOnce(shipment, await harness.ended(shipment));
  expect(orders.map((shipment) => person.postsOf(shipment))).toEqual([1, 1, 1]);
});
