import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import * as messages from '../../src/contract/messages';
import { numberedOrders } from '../support/builders';
import { BY, startHarness, type Harness } from '../support/harness';
import { Person } from '../support/person';

let harness: Harness;
const person = new Person(() => harness);
const { furniture, ltl } = numberedOrders('F');

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 }, hasWebhooks: false });
}, 60_000);
afterAll(async () => await harness?.close());
beforeEach(() => {
  harness.sandbox.clearTroubles();
  harness.sandbox.setSwitches({ referenceForm: 'trio', acceptanceBookedAnswer: 'created' });
});

/** How each ended: its status, the questions asked, and the listings and live bookings in the ledger. */
async function endsOf(...orders: readonly Shipment[]) {
  for (const order of orders) await harness.start(order);
  return await Promise.all(
    orders.map(async (order) => {
      const { status, state } = await harness.ended(order);
      const { created, mostLiveBookings } = harness.ledgerOf(order);
      return [status, state?.questionsAsked, created, mostLiveBookings];
    }),
  );
}
const ONCE_UNASKED = ['COMPLETED', 0, 1, 1];

test.each(['name', 'number', 'untyped', 'renamed', 'none'] as const)(
  'orders whose listings show references as %s are followed by their own Location',
  async (referenceForm) => {
    harness.sandbox.setSwitches({ referenceForm });
    expect(await endsOf(furniture(), ltl())).toEqual([ONCE_UNASKED, ONCE_UNASKED]);
  },
);

test.each(['statusCode200ListingId', 'statusCode200Href'] as const)(
  'an acceptance whose status never says 201 but names its listing (%s) is followed after reading that listing',
  async (acceptanceBookedAnswer) => {
    harness.sandbox.setSwitches({ acceptanceBookedAnswer });
    expect(await endsOf(ltl())).toEqual([ONCE_UNASKED]);
  },
);

test.each(['number', 'renamed', 'untyped'] as const)(
  'a listing whose reference has its type as %s is adopted without a question',
  async (referenceForm) => {
    const { shipment, questionId, listingId } = await doubted(referenceForm);
    await person.decide(shipment, questionId, { kind: 'adopt', listingId });
    expect(await harness.ended(shipment)).toMatchObject({ status: 'COMPLETED' });
  },
);

test('a listing without references is adopted once a person says what they checked', async () => {
  const { shipment, questionId, listingId } = await doubted('none');
  await person.decide(shipment, questionId, { kind: 'adopt', listingId });
  const again = await harness.asked(shipment, 'inDoubt', questionId);
  const { state } = await harness.until(shipment, () => true);
  expect(state?.question?.text).toContain(
    `consign answer acme/${shipment.orderId} adopt --listing ID --checked `,
  );
  const checked = 'the title and both addresses are this order’s';
  const decision = { kind: 'adopt', listingId } as const;
  await harness.handleOf(shipment).executeUpdate(messages.resolveInDoubtUpdate, {
    args: [{ questionId: again, ...BY, checked, decision }],
  });
  expect(await harness.ended(shipment)).toMatchObject({ status: 'COMPLETED' });
});

async function doubted(referenceForm: 'number' | 'renamed' | 'untyped' | 'none') {
  harness.sandbox.setSwitches({ referenceForm });
  harness.sandbox.trouble({ when: 'createListing', what: 'hangUpAfter', times: 1 });
  const shipment = furniture();
  await harness.start(shipment);
  const questionId = await harness.asked(shipment, 'inDoubt');
  const [listingId = ''] = person.listingIdsOf(shipment);
  return { shipment, questionId, listingId };
}
