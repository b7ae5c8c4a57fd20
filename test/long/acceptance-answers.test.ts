import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import { orderReference } from '../../src/domain/workflow-id';
import type { OrderSwitches } from '../../sandbox/model/switches';
import { numberedOrders, noneBeside } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';
import { Person } from '../support/person';

let harness: Harness;
const person = new Person(() => harness);
const { ltl } = numberedOrders('AA');

const LISTING_LESS: OrderSwitches = { acceptanceBookedAnswer: 'statusCode201WithoutListing' };
/** The answers that say nothing but that it failed. */
const refused = (['empty', 'null', 'notJson'] as const).map((response) => ({ response, shipment: ltl() }));
const [adopted, told] = [ltl(), ltl()];

const referenceOf = ({ account, orderId }: Shipment): string => orderReference(account, orderId);

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 } });
  const refusing = refused.map(({ response, shipment }): [string, OrderSwitches] => [
    referenceOf(shipment),
    { acceptanceFailureResponse: response },
  ]);
  for (const { shipment } of refused)
    harness.sandbox.trouble({ when: 'acceptRate', whom: referenceOf(shipment), what: 'failed', times: 1 });
  harness.sandbox.setSwitches({
    webhooks: 'off',
    orders: Object.fromEntries([
      ...refusing,
      [referenceOf(adopted), LISTING_LESS],
      [referenceOf(told), LISTING_LESS],
    ]),
  });
  const orders = [...refused.map(({ shipment }) => shipment), adopted];
  await Promise.all(orders.map(async (shipment) => await harness.start(shipment)));
}, 60_000);
afterAll(async () => await harness?.close());

/** A busy machine may settle the price before it has read the bill of lading. */
const UNREAD_BILL = 'the bill of lading did not become ready';

async function endedWithoutNotice(shipment: Shipment) {
  const { status, state } = await harness.ended(shipment);
  expect(state?.notices.filter((notice) => notice !== UNREAD_BILL)).toEqual([]);
  return { status, state };
}

const WITHOUT_LISTING = 'accepting the rate is in doubt: the acceptance ended with 201 and names no listing';
const BOOKED_ONCE = {
  ...{ created: 1, booked: 1, liveBookings: 1, mostLiveBookings: 1, delivered: 1, rateRequests: [{}] },
};

test('an acceptance that says booked and names no listing asks, and completes with the adopted listing', async () => {
  const questionId = await harness.asked(adopted, 'inDoubt');
  const { state } = await harness.until(adopted, (view) => view.state !== null);
  expect(state?.question?.answers).toContain('adopt');
  expect(await person.timeline(adopted)).toContain(WITHOUT_LISTING);
  const [listingId = ''] = person.listingIdsOf(adopted);
  await person.decide(adopted, questionId, { kind: 'adopt', listingId });
  expect(await endedWithoutNotice(adopted)).toMatchObject({
    status: 'COMPLETED',
    state: {
      at: { listingId },
      questionsAsked: 1,
      excludedRateIds: [],
      candidates: noneBeside(),
    },
  });
  expect(harness.ledgerOf(adopted)).toMatchObject({ ...BOOKED_ONCE, acceptances: [{ outcome: 'booked' }] });
});

test.each(refused)(
  'an acceptance that failed for a reason that its $response answer does not give costs only that rate',
  async ({ shipment }) => {
    const { status, state } = await endedWithoutNotice(shipment);
    expect({ status, state }).toMatchObject({
      status: 'COMPLETED',
      state: { questionsAsked: 0, candidates: noneBeside() },
    });
    const { acceptances, ...ledger } = harness.ledgerOf(shipment);
    expect(ledger).toMatchObject(BOOKED_ONCE);
    expect(acceptances.map(({ outcome }) => outcome)).toEqual(['failed', 'booked']);
    const [first, second] = acceptances;
    expect(state?.excludedRateIds).toEqual([first?.rateId]);
    expect(second?.rateId).not.toBe(first?.rateId);
    const refusal = (await person.timeline(shipment)).find((what) => what.includes('was not booked'));
    const ids = `rate ${first?.rateId}, execution ${first?.executionId}`;
    expect(refusal).toMatch(new RegExp(`\\(${ids}\\) was not booked: the acceptance ended with 409$`, 'u'));
  },
);

test.each([
  ['address', { listing: { href: '/v2/listings/999999999' } }],
  ['id', { listingId: 999_999_999 }],
])('a failed acceptance is reported with the listing that its answer names by %s', async (_, named) => {
  const shipment = ltl();
  harness.sandbox.trouble({
    when: 'getAcceptanceStatus',
    whom: referenceOf(shipment),
    what: {
      kind: 'status',
      status: 200,
      body: { response: JSON.stringify({ reason: 'taken back', ...named }), statusCode: 409 },
    },
    times: 1,
  });
  await harness.start(shipment);
  const { state } = await harness.until(shipment, (view) => view.state?.lastRefusal != null);
  const [first] = harness.ledgerOf(shipment).acceptances;
  expect(state?.lastRefusal).toContain(
    `(rate ${first?.rateId}, execution ${first?.executionId}) was not booked: the acceptance ended with 409, and names listing 999999999`,
  );
  await harness.handleOf(shipment).terminate('the test is over');
});

test('an acceptance that says booked and names no listing is settled by the event of its listing', async () => {
  // The status is read before the event comes: else nothing would be in doubt.
  harness.sandbox.setSwitches({ webhooks: 'on' });
  harness.sandbox.trouble({ when: { event: '*' }, what: { kind: 'late', delayMs: 2_500 } });
  await harness.start(told, { doubtWaitMs: 30_000 });
  await person.noted(told, WITHOUT_LISTING);
  expect(await endedWithoutNotice(told)).toMatchObject({
    status: 'COMPLETED',
    state: { questionsAsked: 0, excludedRateIds: [], candidates: noneBeside() },
  });
  const [listingId = ''] = person.listingIdsOf(told);
  expect(await person.timeline(told)).toContain(`settled: listing ${listingId} is this order's`);
  expect(harness.ledgerOf(told)).toMatchObject({ ...BOOKED_ONCE, acceptances: [{ outcome: 'booked' }] });
});
