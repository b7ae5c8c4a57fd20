import { duplicateListings } from '../../src/domain/candidates';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ShipmentPolicy } from '../../src/domain/policy';
import { LATE_OUTCOME_SIGNAL, type LateOutcome } from '../../src/domain/send-outcome';
import type { FurnitureShipment } from '../../src/domain/shipment';
import type { OrderSwitches, TroubleInput } from '../../sandbox';
import * as messages from '../../src/contract/messages';
import { numberedOrders } from '../support/builders';
import { BY, FAST_POLICY, startHarness, type Harness } from '../support/harness';
import { Person } from '../support/person';

const { furniture, ltl } = numberedOrders('UB');
const person = new Person(() => harness);
const orders: Record<string, OrderSwitches> = {};
const troubles: TroubleInput[] = [];
let harness: Harness;

const nameless = furniture();
orders[`acme/${nameless.orderId}`] = { referenceForm: 'none', transit: 'manual' };
const PAGE = '<html><body>404 page not found</body></html>';
const unsaid = [
  { what: 'a 404 in HTML', status: 404, body: PAGE },
  { what: 'an inner 500', status: 200, body: { response: '{"reason":"try later"}', statusCode: 500 } },
  { what: 'an inner 503 with a page', status: 200, body: { response: PAGE, statusCode: 503 } },
  { what: 'booked without a listing', status: 200, body: { response: null, statusCode: 201 } },
].map((answer) => ({ ...answer, shipment: ltl() }));
for (const { shipment } of unsaid)
  troubles.push({ when: 'acceptRate', whom: `acme/${shipment.orderId}`, what: 'failed', times: 1 });
const unknown = furniture();
orders[`acme/${unknown.orderId}`] = { statusForm: 'unknown', carrierAnswer: 'silent' };

beforeAll(async () => {
  const clock = { speed: 10 };
  harness = await startHarness({ hasWebhooks: false, clock, switches: { orders }, troubles });
}, 60_000);
afterAll(async () => await harness?.close());

const WINDOW_MS = 6_000;
const policy: Partial<ShipmentPolicy> = {
  acceptance: { ...FAST_POLICY.acceptance, failureWaitMs: 50, windowMs: WINDOW_MS },
  documentWindowMs: 1_500,
};

/** One that is booked, and moves by hand only. */
async function bookedShipment() {
  const shipment = furniture();
  orders[`acme/${shipment.orderId}`] = { transit: 'manual' };
  harness.sandbox.setSwitches({ orders });
  await harness.start(shipment, policy);
  await harness.until(shipment, ({ state }) => state?.at.phase === 'booked');
  return shipment;
}

/** One whose listing was read, and which no carrier takes. */
async function openListing(over: Partial<ShipmentPolicy>) {
  const shipment = furniture();
  orders[`acme/${shipment.orderId}`] = { carrierAnswer: 'silent' };
  harness.sandbox.setSwitches({ orders });
  await harness.start(shipment, over);
  await harness.until(
    shipment,
    ({ state }) => state?.at.phase === 'awaitingBooking' && state.listing !== null,
  );
  const [listingId = ''] = person.listingIdsOf(shipment);
  return { shipment, listingId };
}

async function makeBlue(shipment: FurnitureShipment, over: Partial<ShipmentPolicy>): Promise<void> {
  const changed = { ...shipment, title: 'Blue sofa' };
  await harness.handleOf(shipment).executeUpdate(messages.amendListingUpdate, {
    args: [{ ...BY, shipment: changed, policy: { ...FAST_POLICY, ...over }, documentHash: 'changed' }],
  });
}

test.concurrent(
  'another listing that answers 503 for ever does not stop a shipment from being followed',
  async () => {
    harness.sandbox.trouble({
      when: { request: 'getListing', match: '888888881' },
      what: { kind: 'status', status: 503 },
    });
    const shipment = await bookedShipment();
    await person.signal(shipment, '888888881');
    const [listingId = ''] = person.listingIdsOf(shipment);
    harness.sandbox.controls.advance(listingId, { to: 'Delivered', kind: 'transit' });
    expect((await harness.ended(shipment)).status).toBe('COMPLETED');
  },
  60_000,
);

test.concurrent(
  "nor does it stop a person's answer",
  async () => {
    const shipment = { ...furniture(), priceLimit: { minorUnits: 100, currency: 'USD' } };
    harness.sandbox.trouble({
      when: { request: 'getListing', match: '888888882' },
      what: { kind: 'status', status: 503 },
    });
    await harness.start(shipment, policy);
    const questionId = await harness.asked(shipment, 'priceApproval');
    await person.signal(shipment, '888888882');
    await person.answer(shipment, questionId, messages.retryNowUpdate);
    expect(await harness.asked(shipment, 'priceApproval', questionId)).not.toBe(questionId);
    await harness.handleOf(shipment).terminate('the test is over');
  },
  60_000,
);

test.concurrent(
  'a second listing that answers 503 reopens its question with the reason, and the first is still followed',
  async () => {
    const shipment = await bookedShipment();
    const [first = ''] = person.listingIdsOf(shipment);
    const second = await person.listByHand(shipment);
    await person.signal(shipment, second);
    const questionId = await harness.asked(shipment, 'possibleDoubleBooking');
    harness.sandbox.trouble({
      when: { request: 'getListing', match: second },
      what: { kind: 'status', status: 503 },
    });
    await person.answer(shipment, questionId, messages.retryNowUpdate);
    harness.sandbox.controls.advance(first, { to: 'PickedUp', kind: 'transit' });
    const again = await harness.asked(shipment, 'possibleDoubleBooking', questionId);
    const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'inTransit');
    expect(state?.question).toMatchObject({
      id: again,
      text: expect.stringContaining(
        `The last answer changed nothing (GET /v2/listings/${second} answered 503`,
      ),
    });
    await harness.handleOf(shipment).terminate('the test is over');
  },
  60_000,
);

test.concurrent(
  'an adopted listing that answers 503 is reported, and a missing one is followed again once it can be read',
  async () => {
    const shipment = await bookedShipment();
    const what = { kind: 'status', status: 404, body: PAGE } as const;
    const fault = harness.sandbox.trouble({ when: 'getListing', whom: `acme/${shipment.orderId}`, what });
    harness.sandbox.trouble({
      when: { request: 'getListing', match: '888888883' },
      what: { kind: 'status', status: 503 },
    });
    const questionId = await harness.asked(shipment, 'listingMissing');
    await person.decide(shipment, questionId, { kind: 'adopt', listingId: '888888883' });
    await harness.asked(shipment, 'listingMissing', questionId);
    const { state } = await harness.until(shipment, () => true);
    expect(state?.question?.text).toMatch(
      /^The last answer changed nothing \(not adopted: listing 888888883 cannot be read/u,
    );
    fault.times = fault.hits;
    await harness.until(shipment, (view) => view.state?.question === null && view.state.unreadable === null);
    await harness.handleOf(shipment).terminate('the test is over');
  },
  60_000,
);

test.concurrent(
  'an open listing that answers 503 delays its change with the reason, and the change is made once it can be read',
  async () => {
    const { shipment, listingId } = await openListing(policy);
    const fault = harness.sandbox.trouble({
      when: { request: 'getListing', match: listingId },
      what: { kind: 'status', status: 503 },
    });
    await makeBlue(shipment, policy);
    const { state } = await harness.until(
      shipment,
      (view) => view.state?.amendment?.what.includes('is not changed yet') === true,
    );
    expect(state?.amendment).toMatchObject({
      status: 'underWay',
      what: expect.stringContaining('answered 503'),
    });
    // It is followed all the same: a second listing is seen.
    const second = await person.listByHand(shipment);
    await person.signal(shipment, second);
    await harness.until(shipment, ({ state }) => state !== null && duplicateListings(state).length === 1);
    fault.times = fault.hits;
    await harness.until(
      shipment,
      (view) => view.state?.amendment?.status === 'done' && view.state.listing?.title === 'Blue sofa',
    );
    await harness.handleOf(shipment).terminate('the test is over');
  },
  60_000,
);

test.concurrent.each([
  { status: 503, answer: {}, ends: 'underWay', asks: null },
  { status: 404, answer: { body: PAGE }, ends: 'refused', asks: 'listingMissing' as const },
  { status: 404, answer: {}, ends: 'refused', asks: 'listingMissing' as const },
])(
  'an open listing that answers $status for too long is reported, although a person wants it changed: $ends',
  async ({ status, answer, ends, asks }) => {
    const sweepPace = { initialMs: 500, maximumMs: 1_000 };
    const impatient = { ...policy, unreadableAfterMs: 4_000, sweepPace };
    const { shipment, listingId } = await openListing(impatient);
    harness.sandbox.trouble({
      when: { request: 'getListing', match: listingId },
      what: { kind: 'status', status, ...answer },
    });
    await makeBlue(shipment, impatient);
    const { state } = await harness.until(shipment, (view) => view.state?.unreadable != null);
    expect(state?.amendment?.status).toBe(ends);
    if (asks !== null) await harness.asked(shipment, asks);
    expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, openListings: 1 });
    await harness.handleOf(shipment).terminate('the test is over');
  },
  60_000,
);

test.concurrent(
  "a second listing that a late answer to the order's own write names needs no reference to ask a question",
  async () => {
    await harness.start(nameless, policy);
    await harness.until(nameless, ({ state }) => state?.at.phase === 'booked');
    const second = await person.listByHand(nameless);
    const handle = harness.handleOf(nameless);
    const { runId } = await harness.until(nameless, () => true);
    await handle.signal(LATE_OUTCOME_SIGNAL, {
      ...{ runId, activityId: 'given-up', end: { kind: 'done', value: { listingId: second } } },
    } satisfies LateOutcome);
    await harness.asked(nameless, 'possibleDoubleBooking');
    const { state } = await harness.until(nameless, () => true);
    expect(state?.question?.text).toContain(second);
    await handle.terminate('the test is over');
  },
  60_000,
);

test.concurrent(
  "a gateway's page does not prove that a second listing is gone",
  async () => {
    const shipment = await bookedShipment();
    const second = await person.listByHand(shipment);
    await person.signal(shipment, second);
    const questionId = await harness.asked(shipment, 'possibleDoubleBooking');
    harness.sandbox.trouble({
      when: { request: 'getListing', match: second },
      what: { kind: 'status', status: 404, body: PAGE },
    });
    const event = { id: 'again', type: 'hint', time: '', listingIds: [second] };
    await harness.handleOf(shipment).signal(messages.marketplaceEventReceivedSignal, event);
    await person.noted(shipment, 'cannot be read yet');
    const { state } = await harness.until(shipment, () => true);
    expect(state?.question?.id).toBe(questionId);
    expect(state === null ? [] : duplicateListings(state)).toHaveLength(1);
    await harness.handleOf(shipment).terminate('the test is over');
  },
  60_000,
);

test.concurrent.each(unsaid)(
  'no other rate is accepted while the status of an accepted one answers $what and its carrier may still book',
  async ({ shipment, status, body }) => {
    await harness.start(shipment, {
      ...policy,
      acceptance: { ...FAST_POLICY.acceptance, failureWaitMs: 2_000, windowMs: 9_000 },
    });
    await harness.until(shipment, ({ state }) => state?.lastRefusal !== null);
    const [first] = harness.ledgerOf(shipment).acceptances;
    const match = first?.executionId ?? '';
    harness.sandbox.trouble({
      when: { request: 'getAcceptanceStatus', match },
      what: { kind: 'status', status, body },
    });
    await harness.asked(shipment, 'stillConsidered');
    expect(harness.ledgerOf(shipment).acceptances).toHaveLength(1);
    // Beside the booking of the next rate, only a person can say that the first one brings no truck.
    const questionId = await harness.asked(shipment, 'unansweredAcceptance');
    await harness.shipments.answer('acme', shipment.orderId, {
      ...{ kind: 'retry', questionId, checked: 'the carrier sends no truck', ...BY },
    });
    expect((await harness.ended(shipment)).status).toBe('COMPLETED');
    expect(harness.ledgerOf(shipment)).toMatchObject({ mostLiveBookings: 1 });
  },
  60_000,
);

test.concurrent(
  'refused contacts ask nothing while the status of a listing is unknown',
  async () => {
    harness.sandbox.trouble({
      when: 'getListingContacts',
      whom: `acme/${unknown.orderId}`,
      what: { kind: 'status', status: 400 },
    });
    await harness.start(unknown, policy);
    await person.noted(unknown, 'no contacts');
    const { state } = await harness.until(unknown, () => true);
    expect(state?.questionsAsked).toBe(0);
    await harness.handleOf(unknown).terminate('the test is over');
  },
  60_000,
);
