import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ShipmentPolicy } from '../../src/domain/policy';
import { LATE_OUTCOME_SIGNAL, type LateOutcome } from '../../src/domain/send-outcome';
import type { Shipment } from '../../src/domain/shipment';
import * as messages from '../../src/contract/messages';
import { numberedOrders } from '../support/builders';
import { FAST_POLICY, startHarness, type Harness } from '../support/harness';
import { Person } from '../support/person';
import { until } from '../support/temporal';

let harness: Harness;
const person = new Person(() => harness);
const { furniture, ltl } = numberedOrders('T');

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 } });
}, 60_000);
afterAll(async () => await harness?.close());

const CLOCK = { acceptancePending: 3_000, bookedLate: 5_000 };
const window = (over: Partial<ShipmentPolicy['acceptance']>): Partial<ShipmentPolicy> => ({
  acceptance: { ...FAST_POLICY.acceptance, windowMs: 4_000, ...over },
  documentWindowMs: 1_500,
});
const isPast = async (instant: string | undefined): Promise<void> =>
  await until(async () => await Promise.resolve(Date.now() > Date.parse(instant ?? '')));
const acceptancesOf = (shipment: Shipment) => harness.ledgerOf(shipment).acceptances;
const cancelAtMarketplace = (listingId: string): void => {
  harness.sandbox.controls.advance(listingId, { to: 'Cancelled', kind: 'status' });
};

describe('an acceptance', () => {
  beforeEach(() => {
    harness.sandbox.clearTroubles();
    harness.sandbox.setClock({ steps: CLOCK });
    harness.sandbox.setSwitches({
      ...{ carrierAnswer: 'accepts', transit: 'normal', webhooks: 'on' },
    });
  });

  test('that is booked after its status said failed, and before Consign stops waiting, is followed', async () => {
    harness.sandbox.trouble({ when: 'acceptRate', what: 'failedThenBooked', times: 1 });
    const shipment = ltl();
    await harness.start(shipment, window({ failureWaitMs: 10_000 }));
    expect(await harness.ended(shipment)).toMatchObject({
      status: 'COMPLETED',
      state: { questionsAsked: 0 },
    });
    expect(harness.ledgerOf(shipment)).toMatchObject({ mostLiveBookings: 1, pendingAcceptances: 0 });
    expect(acceptancesOf(shipment)).toHaveLength(1);
  });

  test('that is booked while the next one is pending asks a question once that one is booked unseen', async () => {
    harness.sandbox.setClock({ steps: { acceptancePending: 60_000, bookedLate: 40_000 } });
    harness.sandbox.setSwitches({ transit: 'manual' });
    harness.sandbox.trouble({ when: 'acceptRate', what: 'failedThenBooked', times: 1 });
    const shipment = ltl();
    await harness.start(shipment, window({ failureWaitMs: 50, windowMs: 30_000 }));
    await harness.until(shipment, ({ state }) => state?.at.phase === 'booked');
    harness.sandbox.setSwitches({ webhooks: 'off' });
    expect(acceptancesOf(shipment).map(({ outcome }) => outcome)).toEqual(['booked', 'pending']);
    await harness.asked(shipment, 'possibleDoubleBooking');
    const [first = '', second = ''] = person.listingIdsOf(shipment);
    const { state } = await harness.until(shipment, () => true);
    expect(state?.question?.text).toContain(first);
    expect(state?.question?.text).toContain(second);
    await harness.handleOf(shipment).terminate('the test is over');
  });

  test('that is booked after the next one keeps the shipment open until a person has settled it', async () => {
    harness.sandbox.setClock({ steps: { bookedLate: 40_000 } });
    harness.sandbox.trouble({ when: 'acceptRate', what: 'failedThenBooked', times: 1 });
    const shipment = ltl();
    await harness.start(shipment, window({ failureWaitMs: 50, windowMs: 8_000 }));
    // It may be on its way, or delivered, at the first look.
    await harness.until(shipment, ({ state }) => state !== null && 'listingId' in state.at);
    const [followed = ''] = person.listingIdsOf(shipment);
    const questionId = await harness.asked(shipment, 'possibleDoubleBooking');
    const [late = ''] = person.listingIdsOf(shipment).filter((id) => id !== followed);
    const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'delivered');
    expect(state?.question?.text).toContain(`listing ${followed}`);
    expect(state?.question?.text).toContain(`also ${late}`);
    cancelAtMarketplace(late);
    await person.answer(shipment, questionId, messages.retryNowUpdate);
    expect((await harness.ended(shipment)).status).toBe('COMPLETED');
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
  });

  test('in doubt cannot be abandoned while the carrier may still answer, and can be afterwards', async () => {
    harness.sandbox.trouble({ when: 'acceptRate', what: 'pending', times: 1 });
    harness.sandbox.trouble({ when: 'acceptRate', what: 'hangUpAfter', times: 1 });
    const shipment = ltl();
    await harness.start(shipment, window({ windowMs: 3_000 }));
    const questionId = await harness.asked(shipment, 'inDoubt');
    await expect(person.decide(shipment, questionId, { kind: 'abandon' })).rejects.toMatchObject({
      cause: { message: expect.stringContaining('or abandoned, from') },
    });
    const { state } = await harness.until(shipment, () => true);
    await isPast(state?.question?.resendFrom);
    await person.decide(shipment, questionId, { kind: 'abandon' });
    await expect(harness.handleOf(shipment).result()).resolves.toMatchObject({ kind: 'withdrawn' });
    expect(harness.ledgerOf(shipment)).toMatchObject({ created: 0 });
  });

  test('that was sent again and then fails by its status costs that rate, and asks nothing twice', async () => {
    harness.sandbox.trouble({ when: 'acceptRate', what: 'failed', times: 2 });
    harness.sandbox.trouble({ when: 'acceptRate', what: 'hangUpAfter', times: 1 });
    const shipment = ltl();
    await harness.start(shipment, window({ windowMs: 2_000 }));
    const questionId = await harness.asked(shipment, 'inDoubt');
    const { state } = await harness.until(shipment, () => true);
    await isPast(state?.question?.resendFrom);
    const before = harness.sandbox.requests('getAcceptanceStatus').length;
    await person.decide(shipment, questionId, { kind: 'resend' });
    expect(await harness.ended(shipment)).toMatchObject({
      status: 'COMPLETED',
      state: { questionsAsked: 1 },
    });
    expect(harness.ledgerOf(shipment)).toMatchObject({ mostLiveBookings: 1 });
    expect(acceptancesOf(shipment).map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'booked']);
    expect(harness.sandbox.requests('getAcceptanceStatus').length - before).toBeLessThan(25);
  });

  test('that was sent again, got no answer in time, and then fails costs that rate, and asks about the first one only beside a booking', async () => {
    harness.sandbox.setClock({ steps: { acceptancePending: 50_000 } });
    harness.sandbox.trouble({ when: 'acceptRate', what: 'pending', times: 1 });
    harness.sandbox.trouble({ when: 'acceptRate', what: 'failed', times: 1 });
    const shipment = ltl();
    await harness.start(shipment, window({ windowMs: 1_500 }));
    const first = await harness.asked(shipment, 'inDoubt');
    await person.decide(shipment, first, { kind: 'resend' });
    await harness.asked(shipment, 'inDoubt', first);
    harness.sandbox.setClock({ steps: { acceptancePending: 3_000 } });
    await harness.asked(shipment, 'unansweredAcceptance');
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1, pendingAcceptances: 1 });
    harness.sandbox.controls.withdrawAcceptance(acceptancesOf(shipment)[0]?.executionId ?? '');
    const { status, state } = await harness.ended(shipment);
    expect(status).toBe('COMPLETED');
    expect(state?.timeline.map(({ what }) => what)).not.toContainEqual(
      expect.stringContaining('in doubt: the acceptance ended with'),
    );
    expect(harness.ledgerOf(shipment)).toMatchObject({ mostLiveBookings: 1 });
    expect(acceptancesOf(shipment).map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'booked']);
  });

  test('whose polling has ended reports its booking while a person is asked', async () => {
    // However slow the machine is, it is asked before.
    harness.sandbox.setClock({ steps: { acceptancePending: 150_000 } });
    harness.sandbox.setSwitches({ webhooks: 'off' });
    const shipment = ltl();
    await harness.start(shipment, window({ windowMs: 1_500 }));
    await harness.asked(shipment, 'inDoubt');
    expect(harness.ledgerOf(shipment)).toMatchObject({ pendingAcceptances: 1 });
    expect(await harness.ended(shipment)).toMatchObject({
      status: 'COMPLETED',
      state: { questionsAsked: 1, question: null },
    });
    expect(acceptancesOf(shipment)).toHaveLength(1);
    expect(harness.ledgerOf(shipment)).toMatchObject({ mostLiveBookings: 1 });
  });

  test('that is booked silently asks a question, which an event settles in the end', async () => {
    harness.sandbox.setSwitches({ webhooks: 'off' });
    harness.sandbox.trouble({ when: 'acceptRate', what: 'bookedSilently', times: 1 });
    const shipment = ltl();
    await harness.start(shipment, window({ windowMs: 1_500 }));
    await harness.asked(shipment, 'inDoubt');
    const [listingId = ''] = person.listingIdsOf(shipment);
    harness.sandbox.setSwitches({ webhooks: 'on' });
    person.tell(listingId);
    expect(await harness.ended(shipment)).toMatchObject({
      status: 'COMPLETED',
      state: { questionsAsked: 1 },
    });
    expect(acceptancesOf(shipment)).toHaveLength(1);
    expect(harness.ledgerOf(shipment)).toMatchObject({ mostLiveBookings: 1 });
  });

  test("whose answer names another order's listing does not follow it", async () => {
    harness.sandbox.setSwitches({ transit: 'manual' });
    const other = furniture();
    await harness.start(other);
    await harness.until(other, ({ state }) => state?.at.phase === 'booked');
    const [foreign = ''] = person.listingIdsOf(other);
    harness.sandbox.setSwitches({ transit: 'normal' });
    const headers = { location: `${harness.sandbox.url}/v2/listings/${foreign}` };
    const what = { kind: 'status', status: 201, headers, body: '' } as const;
    harness.sandbox.trouble({ when: 'getAcceptanceStatus', what, times: 1 });
    const shipment = ltl();
    await harness.start(shipment, { ...window({}), doubtWaitMs: 30_000 });
    const { status, state } = await harness.ended(shipment);
    expect(status).toBe('COMPLETED');
    expect(state?.timeline.map(({ what }) => what)).toContainEqual(
      expect.stringContaining(`its answer named listing ${foreign}`),
    );
    expect(harness.ledgerOf(shipment)).toMatchObject({ mostLiveBookings: 1 });
    expect(acceptancesOf(shipment)).toHaveLength(1);
    expect(harness.ledgerOf(other)).toMatchObject({ liveBookings: 1 });
    await harness.handleOf(other).terminate('the test is over');
  });

  test('that failed leads to no other while a listing that an event named cannot be read', async () => {
    harness.sandbox.setClock({ steps: { bookedLate: 20_000 } });
    harness.sandbox.trouble({ when: 'acceptRate', what: 'failedThenBooked', times: 1 });
    const shipment = ltl();
    const order = `acme/${shipment.orderId}`;
    harness.sandbox.trouble({
      when: 'getListing',
      whom: order,
      what: { kind: 'status', status: 401 },
      times: 1,
    });
    await harness.start(shipment, window({ failureWaitMs: 10_000 }));
    const end = await harness.ended(shipment);
    expect(end.status).toBe('COMPLETED');
    // The account's pause is soon over, because an acceptance goes on whatever the account is.
    expect(end.state?.timeline.some(({ what }) => what.startsWith('waits for account'))).toBe(true);
    expect(acceptancesOf(shipment)).toHaveLength(1);
    expect(harness.ledgerOf(shipment)).toMatchObject({ mostLiveBookings: 1 });
  });

  test('that may still be booked is checked once for each event while a person is asked, even if that fails', async () => {
    const shipment = ltl();
    const order = `acme/${shipment.orderId}`;
    harness.sandbox.setSwitches({ orders: { [order]: { ratesPerRequest: 1 } } });
    harness.sandbox.trouble({ when: 'acceptRate', whom: order, what: 'failed' });
    await harness.start(shipment, window({ failureWaitMs: 50, windowMs: 60_000 }));
    await harness.asked(shipment, 'rateChoice');
    harness.sandbox.trouble({
      when: 'getAcceptanceStatus',
      whom: order,
      what: { kind: 'status', status: 401 },
    });
    const looks = (): number =>
      harness.ledgerOf(shipment).troubles.filter(({ endpoint }) => endpoint === 'getAcceptanceStatus').length;
    const failures = async (): Promise<number> =>
      (await person.timeline(shipment)).filter((what) => what.includes('could not be handled')).length;
    for (const number of [1, 2]) {
      const event = { id: `e-${number}`, type: 'Listing.StatusChanged/v1', time: '2035-03-01T00:00:00Z' };
      await harness
        .handleOf(shipment)
        .signal(messages.marketplaceEventReceivedSignal, { ...event, listingIds: [] });
      await until(async () => (await failures()) >= number);
    }
    // The marketplace's own events may come late.
    const { state } = await harness.until(shipment, (view) => view.state !== null);
    expect(looks()).toBeLessThanOrEqual(state?.events.taken ?? 0);
    await harness.handleOf(shipment).terminate('the test is over');
  });

  test('whose first answer is a refusal as a duplicate asks a question', async () => {
    harness.sandbox.trouble({ when: 'acceptRate', what: 'duplicate', times: 1 });
    const shipment = ltl();
    await harness.start(shipment, window({ windowMs: 1_500 }));
    const questionId = await harness.asked(shipment, 'inDoubt');
    const { state } = await harness.until(shipment, () => true);
    await isPast(state?.question?.resendFrom);
    await person.decide(shipment, questionId, { kind: 'abandon' });
    expect((await harness.ended(shipment)).state?.at.phase).toBe('cancelled');
    expect(acceptancesOf(shipment)).toEqual([]);
  });

  test('that was given up for another rate, and whose status alone says booked, is a second truck', async () => {
    harness.sandbox.setSwitches({ transit: 'manual', webhooks: 'off' });
    harness.sandbox.trouble({ when: 'acceptRate', what: 'failedThenBooked', times: 1 });
    const shipment = ltl();
    await harness.start(shipment, window({ failureWaitMs: 50, windowMs: 30_000 }));
    await harness.until(shipment, () => harness.ledgerOf(shipment).liveBookings === 2);
    const [first, second] = acceptancesOf(shipment);
    const headers = { location: `${harness.sandbox.url}/v2/listings/${first?.listingId}` };
    harness.sandbox.trouble({
      when: { request: 'getAcceptanceStatus', match: first?.executionId ?? '' },
      what: { kind: 'status', status: 201, body: '', headers },
    });
    const questionId = await harness.asked(shipment, 'possibleDoubleBooking');
    const { state } = await harness.until(shipment, () => true);
    expect(state?.question?.text).toContain(`listing ${second?.listingId}`);
    expect(state?.question?.text).toContain(`also ${first?.listingId}`);
    cancelAtMarketplace(String(first?.listingId));
    await person.answer(shipment, questionId, messages.retryNowUpdate);
    await harness.until(shipment, (view) => view.state?.question === null);
    await harness.handleOf(shipment).terminate('the test is over');
  });

  test('that was sent again, and whose late report says accepted, is watched, and asks once it is booked', async () => {
    harness.sandbox.setSwitches({ transit: 'manual', webhooks: 'off' });
    harness.sandbox.trouble({ when: 'acceptRate', what: 'bookedSilently', times: 1 });
    harness.sandbox.trouble({ when: 'acceptRate', what: 'hangUpAfter', times: 1 });
    const shipment = ltl();
    await harness.start(shipment, window({ windowMs: 3_000 }));
    const questionId = await harness.asked(shipment, 'inDoubt');
    const view = await harness.until(shipment, () => true);
    const { events } = await harness.handleOf(shipment).fetchHistory();
    const write = (events ?? []).find(
      (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'acceptRate',
    );
    await isPast(view.state?.question?.resendFrom);
    await person.decide(shipment, questionId, { kind: 'resend' });
    await harness.until(shipment, ({ state }) => state?.at.phase === 'booked');
    const [first, second] = acceptancesOf(shipment);
    const { executionId = '', rateId = '', listingId } = first ?? {};
    const headers = { location: `${harness.sandbox.url}/v2/listings/${listingId}` };
    harness.sandbox.trouble({
      when: { request: 'getAcceptanceStatus', match: executionId },
      what: { kind: 'status', status: 201, body: '', headers },
    });
    await harness.handleOf(shipment).signal(LATE_OUTCOME_SIGNAL, {
      ...{ runId: view.runId, end: { kind: 'done', value: { kind: 'pending', executionId, rateId } } },
      activityId: write?.activityTaskScheduledEventAttributes?.activityId ?? '',
    } satisfies LateOutcome);
    await harness.asked(shipment, 'possibleDoubleBooking');
    const { state } = await harness.until(shipment, () => true);
    expect(state?.question?.text).toContain(`listing ${second?.listingId}`);
    expect(state?.question?.text).toContain(`also ${listingId}`);
    await harness.handleOf(shipment).terminate('the test is over');
  });

  test('cannot be settled with a listing that the order has left', async () => {
    harness.sandbox.setSwitches({ transit: 'manual' });
    harness.sandbox.trouble({ when: { request: 'acceptRate', after: 1 }, what: 'pending', times: 1 });
    const shipment = ltl();
    await harness.start(shipment, window({ windowMs: 1_500 }));
    await harness.until(shipment, ({ state }) => state?.at.phase === 'booked');
    const [left = ''] = person.listingIdsOf(shipment);
    cancelAtMarketplace(left);
    const ended = await harness.asked(shipment, 'listingEnded');
    await person.answer(shipment, ended, messages.rebookUpdate);
    const questionId = await harness.asked(shipment, 'inDoubt');
    await person.decide(shipment, questionId, { kind: 'adopt', listingId: left });
    const again = await harness.asked(shipment, 'inDoubt', questionId);
    const { state } = await harness.until(shipment, () => true);
    expect(state?.question?.text).toContain(`the order has left listing ${left} before`);
    const taken = state?.events.taken ?? 0;
    person.tell(left);
    await harness.until(shipment, (view) => (view.state?.events.taken ?? 0) > taken);
    await isPast(state?.question?.resendFrom);
    await person.decide(shipment, again, { kind: 'abandon' });
    expect((await harness.ended(shipment)).state?.at.phase).toBe('cancelled');
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 0, openListings: 0 });
  });

  test('whose run is terminated while it is sent asks for attention, although nothing names a listing', async () => {
    harness.sandbox.setSwitches({ webhooks: 'off' });
    harness.sandbox.trouble({ when: 'acceptRate', what: 'pending', times: 1 });
    harness.sandbox.trouble({ when: 'acceptRate', what: { kind: 'delay', delayMs: 800 }, times: 1 });
    const shipment = ltl();
    await harness.start(shipment, window({}));
    await harness.until(shipment, () => acceptancesOf(shipment).length > 0);
    await harness.handleOf(shipment).terminate('a mistake');
    const asking = async () =>
      (await harness.shipments.list({ query: 'NeedsAttention = true' })).find(
        ({ orderId, phase }) => orderId === shipment.orderId && phase === 'lateEvent',
      );
    await until(async () => (await asking()) !== undefined);
    expect((await asking())?.waitingFor).toContain('Search the marketplace');
  });

  test("that answers at once with another order's listing and is then cancelled leaves that listing alone", async () => {
    harness.sandbox.setSwitches({ transit: 'manual' });
    const other = furniture();
    await harness.start(other);
    await harness.until(other, ({ state }) => state?.at.phase === 'booked');
    const [foreign = ''] = person.listingIdsOf(other);
    const headers = { location: `${harness.sandbox.url}/v2/listings/${foreign}` };
    harness.sandbox.trouble({
      when: 'acceptRate',
      what: { kind: 'statusAfter', status: 201, body: '', headers },
      times: 1,
    });
    const shipment = ltl();
    await harness.start(shipment, { ...window({}), doubtWaitMs: 30_000 });
    await harness.until(shipment, () => acceptancesOf(shipment).length > 0);
    await harness.handleOf(shipment).cancel();
    const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'booked');
    const own = state !== null && 'listingId' in state.at ? state.at.listingId : '';
    expect(person.listingIdsOf(shipment)).toEqual([own]);
    expect(harness.ledgerOf(other)).toMatchObject({ liveBookings: 1, deletedListings: [] });
    for (const order of [other, shipment]) await harness.handleOf(order).terminate('the test is over');
  });

  test("is followed when Temporal's cancel arrives while it is under way", async () => {
    harness.sandbox.trouble({ when: 'acceptRate', what: { kind: 'delay', delayMs: 800 }, times: 1 });
    const shipment = ltl();
    const before = harness.sandbox.requests('acceptRate').length;
    await harness.start(shipment, window({}));
    await until(async () => await Promise.resolve(harness.sandbox.requests('acceptRate').length > before));
    await harness.handleOf(shipment).cancel();
    const { status, state } = await harness.ended(shipment);
    expect(status).toBe('COMPLETED');
    expect(state?.notices).toContainEqual(expect.stringContaining('not cancelled yet'));
    expect(harness.ledgerOf(shipment)).toMatchObject({ mostLiveBookings: 1 });
  });
});

describe('a second LTL listing', () => {
  const [again, twice] = [ltl(), ltl()];
  const book = (listingId: string): void => {
    harness.sandbox.controls.advance(listingId, { to: 'Booked', kind: 'status' });
  };

  beforeAll(() => {
    harness.sandbox.clearTroubles();
    harness.sandbox.setClock({ steps: { ...CLOCK, bookedLate: 40_000 } });
    harness.sandbox.setSwitches({
      ...{ carrierAnswer: 'accepts', transit: 'manual', webhooks: 'off' },
    });
    harness.sandbox.trouble({
      ...{ when: 'acceptRate', whom: `acme/${twice.orderId}`, what: 'failedThenBooked', times: 1 },
    });
  });

  test.concurrent('that the order left and that is booked again is a second truck', async () => {
    await harness.start(again, window({}));
    await harness.until(again, ({ state }) => state?.at.phase === 'booked');
    const [left = ''] = person.listingIdsOf(again);
    cancelAtMarketplace(left);
    const ended = await harness.asked(again, 'listingEnded');
    await person.answer(again, ended, messages.rebookUpdate);
    await harness.until(
      again,
      (view) => view.state?.at.phase === 'booked' && view.state.at.listingId !== left,
    );
    const [kept = ''] = person.listingIdsOf(again).filter((id) => id !== left);
    book(left);
    await person.signal(again, left);
    const questionId = await harness.asked(again, 'possibleDoubleBooking');
    const { state } = await harness.until(again, () => true);
    expect(state?.question?.text).toContain(`listing ${kept}`);
    expect(state?.question?.text).toContain(`also ${left}`);
    expect(harness.ledgerOf(again)).toMatchObject({ liveBookings: 2 });
    cancelAtMarketplace(left);
    await person.answer(again, questionId, messages.retryNowUpdate);
    harness.sandbox.controls.advance(kept, { to: 'Delivered', kind: 'transit' });
    const end = await harness.ended(again);
    expect(end).toMatchObject({ status: 'COMPLETED', state: { at: { listingId: kept }, questionsAsked: 2 } });
    expect(harness.ledgerOf(again)).toMatchObject({ created: 2, liveBookings: 1 });
  });

  test.concurrent(
    'that is named together with the first, while both could settle the doubt, is decided by a person',
    async () => {
      const order = `acme/${twice.orderId}`;
      harness.sandbox.trouble({
        when: { request: 'acceptRate', after: 1 },
        whom: order,
        what: 'hangUpAfter',
        times: 1,
      });
      await harness.start(twice, window({ failureWaitMs: 50, windowMs: 12_000 }));
      await harness.asked(twice, 'inDoubt');
      await harness.until(twice, () => harness.ledgerOf(twice).liveBookings === 2);
      const both = person.listingIdsOf(twice);
      const event = { id: 'both', type: 'hint', time: '', listingIds: both };
      await harness.handleOf(twice).signal(messages.marketplaceEventReceivedSignal, event);
      const questionId = await harness.asked(twice, 'possibleDoubleBooking');
      const { state } = await harness.until(twice, () => true);
      for (const listingId of both) expect(state?.question?.text).toContain(listingId);
      const followed = state !== null && 'listingId' in state.at ? state.at.listingId : '';
      const [other = ''] = both.filter((id) => id !== followed);
      // Neither is given up for the other while both have their truck.
      await person.decide(twice, questionId, { kind: 'adopt', listingId: other });
      const next = await harness.asked(twice, 'possibleDoubleBooking', questionId);
      expect(harness.ledgerOf(twice)).toMatchObject({ liveBookings: 2, deletedListings: [] });
      cancelAtMarketplace(followed);
      await person.decide(twice, next, { kind: 'adopt', listingId: other });
      harness.sandbox.controls.advance(other, { to: 'Delivered', kind: 'transit' });
      expect(await harness.ended(twice)).toMatchObject({
        status: 'COMPLETED',
        state: { at: { listingId: other } },
      });
      expect(harness.ledgerOf(twice)).toMatchObject({ created: 2, liveBookings: 1 });
      expect(acceptancesOf(twice)).toHaveLength(2);
    },
  );
});
