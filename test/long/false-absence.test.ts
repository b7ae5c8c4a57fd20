import { isLeft } from '../../src/domain/candidates';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { DEFAULT_EVENT_POLICY } from '../../src/domain/event-policy';
import type { LateEventState } from '../../src/domain/late-event';
import { hintOf } from '../../src/domain/marketplace-event';
import type { Shipment } from '../../src/domain/shipment';
import { lateEventWorkflowId } from '../../src/domain/workflow-id';
import { startLateEvent } from '../../src/temporal/late-event';
import { createMarketplace } from '../../src/marketplace/create-marketplace';
import { defaultAccount } from '../../sandbox/model/accounts';
import * as messages from '../../src/contract/messages';
import { numberedOrders } from '../support/builders';
import { BY, FAST_POLICY, marketplaceAccount, startHarness, type Harness } from '../support/harness';
import { Person } from '../support/person';
import { until } from '../support/temporal';

let harness: Harness;
const person = new Person(() => harness);
const { furniture, ltl } = numberedOrders('A');
let key = 'sandbox-key';

beforeAll(async () => {
  harness = await startHarness({
    clock: { speed: 10 },
    accounts: [defaultAccount, { name: 'other', apiKeys: ['other-key'] }],
    account: { auth: { kind: 'apiKey', key: async () => await Promise.resolve(key) } },
  });
}, 60_000);
afterAll(async () => await harness?.close());
beforeEach(() => {
  key = 'sandbox-key';
  harness.sandbox.clearTroubles();
  harness.sandbox.setSwitches({ carrierAnswer: 'accepts', transit: 'normal' });
  harness.sandbox.setSwitches({ referenceForm: 'trio' });
});

const PAGE = '<!DOCTYPE html><html><body><h1>404 Not Found</h1></body></html>';
const reference = ({ account, orderId }: Shipment): string => `${account}/${orderId}`;

test.each([
  ['an HTML page', { headers: { 'content-type': 'text/html' }, body: PAGE }],
  ['the usual error body', {}],
  ['no body', { body: '' }],
])('a 404 with %s to a DELETE proves no deletion: one truck comes', async (_what, answer) => {
  harness.sandbox.trouble({ when: 'acceptRate', what: 'failedLeavingListing', times: 1 });
  harness.sandbox.trouble({
    when: 'deleteListing',
    what: { kind: 'status', status: 404, ...answer },
    times: 1,
  });
  const shipment = ltl();
  await harness.start(shipment);
  expect(await harness.ended(shipment)).toMatchObject({ status: 'COMPLETED', state: { questionsAsked: 0 } });
  const once = { liveBookings: 1, mostLiveBookings: 1, openListings: 0 };
  expect(harness.ledgerOf(shipment)).toMatchObject(once);
});

test('an order is not withdrawn while its listing answers 404 to the DELETE and can be read', async () => {
  harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
  const shipment = furniture();
  await harness.start(shipment, { notSentPace: { initialMs: 20, maximumMs: 50 } });
  await harness.until(
    shipment,
    ({ state }) => state?.at.phase === 'awaitingBooking' && state.listing !== null,
  );
  harness.sandbox.trouble({ when: 'deleteListing', what: { kind: 'status', status: 404, body: PAGE } });
  await person.cancel(shipment);
  await harness.asked(shipment, 'unexpectedFailure');
  expect(harness.ledgerOf(shipment).openListings).toBe(1);
  // Nobody answers: the order looks again by itself.
  harness.sandbox.clearTroubles();
  await harness.ended(shipment);
  expect(harness.ledgerOf(shipment)).toMatchObject({ openListings: 0, liveBookings: 0 });
});

test("with another user's key every listing seems to be gone, and a person is asked", async () => {
  harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
  const shipment = furniture();
  await harness.start(shipment, { unreadableAfterMs: 60_000 });
  await harness.until(
    shipment,
    ({ state }) => state?.at.phase === 'awaitingBooking' && state.listing !== null,
  );
  key = 'other-key';
  await person.cancel(shipment);
  await harness.asked(shipment, 'unexpectedFailure');
  const { state } = await harness.until(shipment, () => true);
  expect(state?.question?.text).toMatch(/key is good; the listing may exist/u);
  expect(harness.ledgerOf(shipment).openListings).toBe(1);
  // Nobody answers: with the right key, the order looks again by itself.
  key = 'sandbox-key';
  await harness.ended(shipment);
  expect(harness.ledgerOf(shipment).openListings).toBe(0);
});

/** An open listing, read by the account's own key. */
async function listed(): Promise<{ readonly shipment: ReturnType<typeof furniture>; listingId: string }> {
  harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
  const shipment = furniture();
  await harness.start(shipment, { unreadableAfterMs: 60_000 });
  const { state } = await harness.until(
    shipment,
    (view) => view.state?.at.phase === 'awaitingBooking' && view.state.listing !== null,
  );
  return { shipment, listingId: state?.listing?.listingId ?? '' };
}

/** From now on the account has another user's key, by which an order of its own is listed. */
async function swapKey(): Promise<Shipment> {
  key = 'other-key';
  return (await listed()).shipment;
}

type Leaving = (shipment: ReturnType<typeof furniture>) => Promise<void>;
const withdraw: Leaving = async (shipment) => await person.cancel(shipment);

test.each<[string, Leaving]>([
  ['withdrawn', withdraw],
  [
    'withdrawn after a restart of the workers',
    async (shipment) => {
      await harness.withoutWorkers(async () => await Promise.resolve());
      await withdraw(shipment);
    },
  ],
])("an order is not %s by the 404 to another user's key that has listed an order", async (_how, leave) => {
  const { shipment } = await listed();
  const others = await swapKey();
  await leave(shipment);
  await harness.asked(shipment, 'unexpectedFailure');
  const { state } = await harness.until(shipment, () => true);
  expect(state?.question?.text).toMatch(/key is good; the listing may exist/u);
  expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, openListings: 1 });
  await person.cancel(others);
  await harness.ended(others);
  // Nobody answers: with the right key, the order looks again by itself.
  key = 'sandbox-key';
  await harness.ended(shipment);
  expect(harness.ledgerOf(shipment)).toMatchObject({ openListings: 0, liveBookings: 0 });
});

test("an order is not listed again, when its driver notes change, by the 404 to another user's key that has listed an order", async () => {
  const { shipment } = await listed();
  const others = await swapKey();
  const change = { shipment: { ...shipment, driverNotes: 'Gate 4411' }, policy: FAST_POLICY };
  await harness
    .handleOf(shipment)
    .executeUpdate(messages.amendListingUpdate, { args: [{ ...BY, ...change, documentHash: 'new' }] });
  const { state } = await harness.until(shipment, (view) => view.state?.amendment?.status === 'refused');
  expect(state?.amendment?.what).toMatch(/key is good; the listing may exist/u);
  expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, openListings: 1 });
  await person.cancel(others);
  await harness.ended(others);
  key = 'sandbox-key';
  await person.cancel(shipment);
  await harness.ended(shipment);
  expect(harness.ledgerOf(shipment)).toMatchObject({ openListings: 0, liveBookings: 0 });
});

test('a listing that somebody deletes during a restart is gone once the key that read it gets a 404', async () => {
  const { shipment, listingId } = await listed();
  await harness.withoutWorkers(async () => {
    const marketplace = createMarketplace(marketplaceAccount(harness.sandbox.url));
    await marketplace.deleteListing(listingId);
    await marketplace.close();
  });
  await person.cancel(shipment);
  expect(await harness.ended(shipment)).toMatchObject({
    state: { questionsAsked: 0, at: { phase: 'cancelled' } },
  });
});

/** What becomes of an event that names the listing of an order that is over. */
async function tellLate({ account: name, orderId }: Shipment, listingId: string) {
  const { client } = harness.temporal;
  const account = { name, environment: 'sandbox' } as const;
  const policy = {
    ...DEFAULT_EVENT_POLICY,
    ...{ notFoundMs: 500, notFoundPace: { initialMs: 100, maximumMs: 100 } },
    latePace: { initialMs: 300, maximumMs: 300 },
  };
  const hint = hintOf({ about: listingId, listingId }, new Date().toISOString());
  await startLateEvent(client, { account, orderId, listingId, policy }, hint);
  const handle = client.workflow.getHandle<() => Promise<{ outcome: string }>>(
    lateEventWorkflowId(name, orderId, listingId),
  );
  const asks = async (): Promise<LateEventState['asks']> =>
    (await handle.query(messages.lateEventStateQuery)).asks;
  return { asks, result: async () => await handle.result() };
}

test("a terminated order's listing that answers 404 to another user's key asks a question until it is read", async () => {
  const { shipment, listingId } = await listed();
  await harness.handleOf(shipment).terminate('a test');
  const others = await swapKey();
  const late = await tellLate(shipment, listingId);
  await until(async () => (await late.asks()) !== null);
  expect(await late.asks()).toMatchObject({
    matter: 'unclear',
    text: expect.stringMatching(/key is good; the listing may exist/u),
  });
  await person.cancel(others);
  await harness.ended(others);
  key = 'sandbox-key';
  await until(async () => (await late.asks())?.matter === 'openAfterEnd');
  harness.sandbox.controls.advance(listingId, { to: 'Cancelled', kind: 'status' });
  expect(await late.result()).toMatchObject({ outcome: 'the listing is Cancelled' });
});

test("a terminated order's listing that answers 404 with a page asks a question", async () => {
  const { shipment, listingId } = await listed();
  await harness.handleOf(shipment).terminate('a test');
  harness.sandbox.trouble({ when: 'getListing', what: { kind: 'status', status: 404, body: PAGE } });
  const late = await tellLate(shipment, listingId);
  await until(async () => (await late.asks())?.matter === 'unclear');
  harness.sandbox.clearTroubles();
  await until(async () => (await late.asks())?.matter === 'openAfterEnd');
  const marketplace = createMarketplace(marketplaceAccount(harness.sandbox.url));
  await marketplace.deleteListing(listingId);
  await marketplace.close();
  expect(await late.result()).toMatchObject({ outcome: 'the marketplace knows no such listing' });
});

test.each([
  ["the account's own key", 'sandbox-key'],
  ["another user's key", 'other-key'],
])('a late event of a withdrawn order asks nothing, with %s', async (_whose, now) => {
  const { shipment, listingId } = await listed();
  await person.cancel(shipment);
  await harness.ended(shipment);
  key = now;
  const late = await tellLate(shipment, listingId);
  expect(await late.result()).toMatchObject({ outcome: 'the marketplace knows no such listing' });
});

test('a listing without references that a terminated order knew as its own asks a question', async () => {
  harness.sandbox.setSwitches({ referenceForm: 'none' });
  const { shipment, listingId } = await listed();
  await harness.handleOf(shipment).terminate('a test');
  const late = await tellLate(shipment, listingId);
  await until(async () => (await late.asks())?.matter === 'openAfterEnd');
  harness.sandbox.controls.advance(listingId, { to: 'Booked', kind: 'status' });
  await until(async () => (await late.asks())?.matter === 'bookedAfterEnd');
  expect((await late.asks())?.text).toContain(listingId);
  harness.sandbox.controls.advance(listingId, { to: 'Cancelled', kind: 'status' });
  expect(await late.result()).toMatchObject({ outcome: 'the listing is Cancelled' });
});

test('a reading with a valid key settles the lost answer of a DELETE', async () => {
  harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
  const shipment = furniture();
  await harness.start(shipment);
  await harness.until(shipment, ({ state }) => state?.at.phase === 'awaitingBooking');
  harness.sandbox.trouble({ when: 'deleteListing', what: 'hangUpAfter', times: 1 });
  await person.cancel(shipment);
  expect(await harness.ended(shipment)).toMatchObject({
    state: { questionsAsked: 0, at: { phase: 'cancelled' } },
  });
  expect(harness.ledgerOf(shipment).openListings).toBe(0);
});

test('a booked listing that answers 404 delays nothing else, and asks a question after some time', async () => {
  harness.sandbox.setSwitches({ transit: 'manual', orders: {} });
  const shipment = ltl();
  harness.sandbox.setClock({ steps: { billOfLading: 3_000 } });
  await harness.start(shipment);
  await harness.until(shipment, ({ state }) => state?.at.phase === 'booked');
  const [listingId = ''] = person.listingIdsOf(shipment);
  harness.sandbox.trouble({
    when: 'getListing',
    whom: reference(shipment),
    what: { kind: 'status', status: 404 },
  });
  await harness.asked(shipment, 'listingMissing');
  const { state } = await harness.until(shipment, (view) => view.state?.billOfLading !== null);
  expect(state?.question?.answers).toEqual(['adopt', 'rebook', 'close', 'retry']);
  expect(state?.question?.text).toContain(listingId);
  harness.sandbox.clearTroubles();
  await harness.until(shipment, (view) => view.state?.question === null && view.state.unreadable === null);
  await harness.handleOf(shipment).terminate('the test is over');
});

test('a booked listing that answers 500 for a long time needs attention, and asks nothing', async () => {
  harness.sandbox.setSwitches({ transit: 'manual' });
  const shipment = furniture();
  await harness.start(shipment);
  await harness.until(shipment, ({ state }) => state?.at.phase === 'booked');
  harness.sandbox.trouble({
    when: 'getListing',
    whom: reference(shipment),
    what: { kind: 'status', status: 500 },
  });
  const { state } = await harness.until(shipment, (view) => view.state?.unreadable != null);
  expect(state?.question).toBeNull();
  harness.sandbox.clearTroubles();
  await harness.until(shipment, (view) => view.state?.unreadable === null);
  await harness.handleOf(shipment).terminate('the test is over');
});

test.each(['Archived', 'Closed', 'Expired', 'Cancelled'])(
  'a click does not book picked-up goods again when their listing reads %s',
  async (status) => {
    harness.sandbox.setSwitches({ transit: 'manual' });
    const shipment = furniture();
    await harness.start(shipment);
    await harness.until(shipment, ({ state }) => state?.at.phase === 'booked');
    const [listingId = ''] = person.listingIdsOf(shipment);
    harness.sandbox.controls.advance(listingId, { to: 'PickedUp', kind: 'transit' });
    await harness.until(shipment, ({ state }) => state?.at.phase === 'inTransit');
    harness.sandbox.controls.advance(listingId, { to: status, kind: 'status', keepBooking: true });
    const questionId = await harness.asked(shipment, 'listingEnded');
    const { state } = await harness.until(shipment, () => true);
    expect(state?.question?.text).toMatch(
      new RegExp(`${status}, after its goods were picked up on \\d{4}-`, 'u'),
    );
    const rebook = person.answer(shipment, questionId, messages.rebookUpdate);
    await expect(rebook).rejects.toBeInstanceOf(WorkflowUpdateFailedError);
    expect(harness.ledgerOf(shipment).created).toBe(1);
    await harness.handleOf(shipment).executeUpdate(messages.rebookUpdate, {
      args: [{ questionId, ...BY, checked: 'the truck broke down; the goods are back at the dock' }],
    });
    await harness.until(shipment, ({ state }) => state !== null && isLeft(state, listingId));
    await harness.until(shipment, () => harness.ledgerOf(shipment).created === 2);
    await harness.handleOf(shipment).terminate('the test is over');
  },
);
