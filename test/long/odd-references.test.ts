import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import * as messages from '../../src/workflows/messages';
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
  harness.sandbox.clearFaults();
  harness.sandbox.setSwitches({ referenceForm: 'trio', acceptanceBookedAnswer: 'created' });
});

async function expectDeliveredUnasked(...orders: readonly Shipment[]): Promise<void> {
  for (const order of orders) await harness.start(order);
  for (const order of orders) {
    expect(await harness.ended(order)).toMatchObject({ status: 'COMPLETED', state: { questionsAsked: 0 } });
    expect(harness.ledgerOf(order)).toMatchObject({ created: 1, mostLiveBookings: 1 });
  }
}

test.each(['name', 'number', 'untyped', 'renamed', 'none'] as const)(
  'orders whose listings show references as %s are followed by their own Location',
  async (referenceForm) => {
    harness.sandbox.setSwitches({ referenceForm });
    await expectDeliveredUnasked(furniture(), ltl());
  },
);

test.each(['statusCode200ListingId', 'statusCode200Href'] as const)(
  'an acceptance whose status never says 201 but names its listing (%s) is followed by reading that',
  async (acceptanceBookedAnswer) => {
    harness.sandbox.setSwitches({ acceptanceBookedAnswer });
    await expectDeliveredUnasked(ltl());
  },
);

test.each(['number', 'renamed', 'untyped'] as const)(
  'a listing whose reference has its type as %s is adopted without more',
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
  expect(state?.question?.text).toMatch(/say what you checked \(--checked\)/u);
  const checked = 'the title and both addresses are this order’s';
  const decision = { kind: 'adopt', listingId } as const;
  await harness.handleOf(shipment).executeUpdate(messages.resolveInDoubtUpdate, {
    args: [{ questionId: again, ...BY, checked, decision }],
  });
  expect(await harness.ended(shipment)).toMatchObject({ status: 'COMPLETED' });
});

async function doubted(referenceForm: 'number' | 'renamed' | 'untyped' | 'none') {
  harness.sandbox.setSwitches({ referenceForm });
  harness.sandbox.addFault({ endpoint: 'createListing', kind: 'hangUpAfter', times: 1 });
  const shipment = furniture();
  await harness.start(shipment);
  const questionId = await harness.asked(shipment, 'inDoubt');
  const [listingId = ''] = person.listingIdsOf(shipment);
  return { shipment, questionId, listingId };
}
