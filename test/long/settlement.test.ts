import { duplicateListings } from '../../src/domain/candidates';
import { deliveryDaysOf } from '../../src/domain/delivery-days';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { dayOf } from '../support/days';
import type { FurnitureShipment, Shipment } from '../../src/domain/shipment';
import { followedListing } from '../../src/domain/shipment-state';
import { createMarketplace } from '../../src/marketplace/create-marketplace';
import * as messages from '../../src/contract/messages';
import { anLtlShipment, aStop, numberedOrders } from '../support/builders';
import { BY, FAST_POLICY, marketplaceAccount, startHarness, type Harness } from '../support/harness';
import { until } from '../support/temporal';

let harness: Harness;
const { furniture, ltl } = numberedOrders('S');

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 } });
}, 60_000);
beforeEach(() => {
  harness.sandbox.clearTroubles();
  harness.sandbox.setSwitches({
    ...{ carrierAnswer: 'accepts', transit: 'normal' },
    rateLifetimeInSeconds: 600_000,
  });
});
afterAll(async () => await harness?.close());

const answer = async (
  shipment: Shipment,
  update: ReturnType<typeof messages.defineAnswer<messages.AnswerInput>>,
  questionId: string,
): Promise<void> => await harness.handleOf(shipment).executeUpdate(update, { args: [{ questionId, ...BY }] });

/** As a person does who lists the order by hand, or an earlier send that was thought lost. */
async function listAgain(
  shipment: FurnitureShipment,
  beforeItIsTold: (listingId: string) => void = () => undefined,
): Promise<string> {
  const marketplace = createMarketplace(marketplaceAccount(harness.sandbox.url));
  const listPrice = { minorUnits: 20_000, currency: 'USD' };
  const draft = { shipment, listPrice, priceCorrelationId: null, sendId: 'by-hand' };
  const { listingId } = await marketplace.createListing(draft);
  await marketplace.close();
  beforeItIsTold(listingId);
  harness.sandbox.controls.addReference(listingId, { number: 'seen', type: 'Other' });
  return listingId;
}

describe('a second listing that carries the reference of an order', () => {
  test('asks which one to keep, and deletes the other if nobody has booked it', async () => {
    harness.sandbox.setSwitches({ transit: 'manual' });
    const shipment = furniture();
    await harness.start(shipment);
    const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'booked');
    harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
    const second = await listAgain(shipment);
    const questionId = await harness.asked(shipment, 'possibleDoubleBooking');
    const { state: asking, waitingFor } = await harness.until(shipment, () => true);
    const question = asking?.question;
    expect(waitingFor).not.toContain('http');
    expect(question?.text).toContain(`also ${second}`);
    const kept = state !== null && 'listingId' in state.at ? state.at.listingId : '';
    expect(question?.text).toContain(kept);
    expect(question?.text).not.toContain('http');
    expect(asking?.listing?.cancellationLink).toMatch(/^http/);
    harness.sandbox.setSwitches({ transit: 'normal' });
    harness.sandbox.controls.advance(kept, { to: 'Delivered', kind: 'transit' });
    await harness.handleOf(shipment).executeUpdate(messages.resolveInDoubtUpdate, {
      args: [{ questionId, ...BY, decision: { kind: 'adopt', listingId: kept } }],
    });
    expect((await harness.ended(shipment)).status).toBe('COMPLETED');
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1, openListings: 0 });
  });

  test('asks although its record is late, however short the patience is', async () => {
    harness.sandbox.setSwitches({ transit: 'manual' });
    const shipment = furniture();
    // Less than one look takes.
    await harness.start(shipment, { doubtWaitMs: 10 });
    await harness.until(shipment, (view) => view.state?.at.phase === 'booked');
    harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
    // No other event tells of it.
    harness.sandbox.setClock({ steps: { carrierWindow: 3_600_000 } });
    const second = await listAgain(shipment, (listingId) => {
      const when = { request: 'getListing', match: `/listings/${listingId}` } as const;
      harness.sandbox.trouble({ when, what: { kind: 'status', status: 404 }, times: 1 });
    });
    await harness.asked(shipment, 'possibleDoubleBooking');
    const { state: asking, waitingFor } = await harness.until(shipment, () => true);
    const question = asking?.question;
    expect(waitingFor).not.toContain('http');
    expect(question?.text).toContain(`also ${second}`);
    harness.sandbox.setClock({ steps: { carrierWindow: 30_000 } });
    await harness.handleOf(shipment).terminate('the test is over');
  });

  test('that is booked too keeps asking until one is cancelled, and then closes the question by itself', async () => {
    harness.sandbox.setSwitches({ transit: 'manual' });
    const shipment = furniture();
    await harness.start(shipment);
    await harness.until(shipment, (view) => view.state?.at.phase === 'booked');
    const second = await listAgain(shipment);
    await harness.until(shipment, () => harness.ledgerOf(shipment).liveBookings === 2);
    const first = await harness.asked(shipment, 'possibleDoubleBooking');
    await answer(shipment, messages.retryNowUpdate, first);
    const again = await harness.until(
      shipment,
      ({ state }) => state?.question != null && state.question.id !== first,
    );
    expect(again.state?.question?.text).toContain(
      `The last answer changed nothing (still booked: ${second}). `,
    );
    harness.sandbox.controls.advance(second, { to: 'Cancelled', kind: 'status' });
    await harness.until(shipment, ({ state }) => state?.question === null);
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
    await harness.handleOf(shipment).terminate('the test is over');
  });
});

test('two trucks that both delivered an order are reported, and nothing is asked any more', async () => {
  harness.sandbox.setSwitches({ transit: 'manual' });
  const shipment = furniture();
  await harness.start(shipment, { documentWindowMs: 2_000 });
  const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'booked');
  const second = await listAgain(shipment);
  await harness.until(shipment, () => harness.ledgerOf(shipment).liveBookings === 2);
  const questionId = await harness.asked(shipment, 'possibleDoubleBooking');
  const first = state !== null && 'listingId' in state.at ? state.at.listingId : '';
  for (const id of [first, second])
    harness.sandbox.controls.advance(id, { to: 'Delivered', kind: 'transit' });
  await answer(shipment, messages.retryNowUpdate, questionId);
  const end = await harness.ended(shipment);
  expect(end.status).toBe('COMPLETED');
  expect(end.state?.notices).toContainEqual(`listing ${second} was delivered for this order too`);
});

describe('an acceptance that says it failed', () => {
  test.each([
    ['left its listing on the market, which is taken down before the next rate', 'failedLeavingListing'],
    ['was booked all the same, which the event tells before another rate is taken', 'bookedButFailed'],
  ] as const)('and %s', async (_, outcome) => {
    harness.sandbox.trouble({ when: 'acceptRate', what: outcome, times: 1 });
    const shipment = ltl();
    await harness.start(shipment);
    const { status, state } = await harness.ended(shipment);
    expect(status).toBe('COMPLETED');
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1, openListings: 0 });
    expect(state === null ? null : duplicateListings(state)).toEqual([]);
  });
});

test('an acceptance in doubt cannot be sent again while the carrier may still answer', async () => {
  harness.sandbox.trouble({ when: 'acceptRate', what: 'pending', times: 1 });
  harness.sandbox.trouble({ when: 'acceptRate', what: 'hangUpAfter', times: 1 });
  const shipment = ltl();
  await harness.start(shipment);
  const questionId = await harness.asked(shipment, 'inDoubt');
  const resend = harness.handleOf(shipment).executeUpdate(messages.resolveInDoubtUpdate, {
    args: [{ questionId, ...BY, decision: { kind: 'resend' } }],
  });
  await expect(resend).rejects.toMatchObject({
    cause: { message: expect.stringContaining('it can be sent again, or abandoned, from') },
  });
  await harness.handleOf(shipment).terminate('the test is over');
});

describe('rates of an LTL order', () => {
  test("that have expired are requested again, up to the policy's limit, and then a person decides", async () => {
    harness.sandbox.setSwitches({ rateLifetimeInSeconds: 60 });
    const shipment = ltl();
    await harness.start(shipment, { rates: { ...FAST_POLICY.rates, maximumRequests: 2 } });
    const questionId = await harness.asked(shipment, 'rateChoice');
    expect(harness.ledgerOf(shipment).rateRequests).toHaveLength(2);
    harness.sandbox.setSwitches({ rateLifetimeInSeconds: 600_000 });
    await answer(shipment, messages.retryNowUpdate, questionId);
    expect((await harness.ended(shipment)).status).toBe('COMPLETED');
    expect(harness.ledgerOf(shipment).rateRequests).toHaveLength(3);
  });

  test('from another request cannot be selected', async () => {
    const shipment = ltl();
    const rateRule = { ...FAST_POLICY.rateRule, priceCap: { minorUnits: 1, currency: 'USD' } };
    await harness.start(shipment, { rateRule });
    const questionId = await harness.asked(shipment, 'rateChoice');
    const foreign = harness.handleOf(shipment).executeUpdate(messages.selectRateUpdate, {
      args: [{ questionId, ...BY, rateId: 'r'.repeat(24) }],
    });
    await expect(foreign).rejects.toMatchObject({
      cause: { message: expect.stringContaining('is not among those at hand') },
    });
    await harness.handleOf(shipment).executeUpdate(messages.cancelShipmentUpdate, { args: [BY] });
    await harness.ended(shipment);
  });

  test('that a person selected is the accepted one: its price is measured, and its days end the delivery', async () => {
    harness.sandbox.setSwitches({ transit: 'manual' });
    const shipment = ltl();
    const rateRule = { ...FAST_POLICY.rateRule, priceCap: { minorUnits: 1, currency: 'USD' } };
    await harness.start(shipment, { rateRule });
    const questionId = await harness.asked(shipment, 'rateChoice');
    const { state: asking } = await harness.until(shipment, (view) => (view.state?.rates.length ?? 0) > 0);
    const rate = asking?.rates.find(({ deliveryDelayInDays }) => deliveryDelayInDays !== null);
    if (rate === undefined) throw new Error('the sandbox offered no rate with days');
    await harness.handleOf(shipment).executeUpdate(messages.selectRateUpdate, {
      args: [{ questionId, ...BY, rateId: rate.rateId }],
    });
    const { state: booked } = await harness.until(shipment, (view) => view.state?.at.phase === 'booked');
    expect(booked?.rateDecision).toMatchObject({ rule: 'person', chosen: { rateId: rate.rateId } });
    expect(booked?.acceptedPrice).toEqual(rate.totalPrice);
    const listingId = (booked && followedListing(booked)) ?? '';
    harness.sandbox.controls.advance(listingId, { to: 'PickedUp' });
    const moving = await harness.until(shipment, (view) => view.state?.pickedUpAt != null);
    if (moving.state === null) throw new Error('the shipment has no state');
    expect(deliveryDaysOf(shipment, moving.state)?.latest).not.toBeNull();
    harness.sandbox.controls.advance(listingId, { to: 'Delivered' });
    expect((await harness.ended(shipment)).status).toBe('COMPLETED');
    await expect(harness.handleOf(shipment).result()).resolves.toMatchObject({
      customerPrice: rate.totalPrice,
    });
  });
});

describe('a pickup that cannot be kept any more', () => {
  const origin = aStop({ timeZone: 'UTC' });
  const pickupOn = (day: string) => ({ type: 'on', earliest: day, latest: day }) as const;
  const sentDays = (shipment: Shipment): unknown[] =>
    harness.sandbox
      .requests('createRateRequest')
      .filter(({ body }) => JSON.stringify(body).includes(`/${shipment.orderId}"`))
      .map(({ body }) => JSON.stringify(body).match(/"earliestArrival":"([^"]+)"/)?.[1]);

  test('asks, and is postponed to the next possible day', async () => {
    const shipment = ltl({
      origin: { ...anLtlShipment().origin, timeZone: 'UTC' },
      pickup: pickupOn(dayOf(0)),
    });
    await harness.start(shipment);
    const questionId = await harness.asked(shipment, 'pickupPassed');
    expect(sentDays(shipment)).toEqual([]);
    await answer(shipment, messages.postponePickupUpdate, questionId);
    expect((await harness.ended(shipment)).status).toBe('COMPLETED');
    const [day] = sentDays(shipment);
    expect(String(day) > dayOf(0).replaceAll('-', '/')).toBe(true);
  });

  test('moves by itself if the policy says so', async () => {
    const shipment = ltl({
      origin: { ...anLtlShipment().origin, timeZone: origin.timeZone },
      pickup: pickupOn(dayOf(0)),
    });
    await harness.start(shipment, { pickup: { ...FAST_POLICY.pickup, whenMissed: 'nextBusinessDay' } });
    const { status, state } = await harness.ended(shipment);
    expect(status).toBe('COMPLETED');
    expect(state?.questionsAsked).toBe(0);
    expect(state?.timeline.map(({ what }) => what)).toContainEqual(
      expect.stringMatching(/^the pickup is on /),
    );
  });
});

describe('a revised order', () => {
  test('starts again with its corrected document, which then finds it', async () => {
    const shipment = furniture({ priceLimit: { minorUnits: 100, currency: 'USD' } });
    await harness.start(shipment);
    const questionId = await harness.asked(shipment, 'priceApproval');
    const revise = async (revised: Shipment): Promise<void> =>
      await harness.handleOf(shipment).executeUpdate(messages.reviseOrderUpdate, {
        args: [{ questionId, ...BY, shipment: revised, policy: FAST_POLICY, documentHash: 'revised' }],
      });
    await expect(revise({ ...shipment, orderId: 'other' })).rejects.toMatchObject({
      cause: { message: expect.stringContaining('the document is of acme/other') },
    });
    await revise({ ...shipment, priceLimit: null });
    const account = { name: 'acme', environment: 'sandbox' } as const;
    const order = { shipment, account, policy: FAST_POLICY };
    await expect(harness.shipments.start({ ...order, documentHash: 'revised' })).resolves.toMatchObject({
      outcome: 'already',
    });
    await expect(harness.shipments.start({ ...order, documentHash: 'test' })).rejects.toMatchObject({
      reason: 'otherDocument',
    });
    expect((await harness.ended(shipment)).status).toBe('COMPLETED');
  });
});

test('a withdrawal whose delete got no answer is repeated until nothing is left', async () => {
  harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
  const shipment = furniture();
  await harness.start(shipment);
  await harness.until(shipment, ({ state }) => state?.at.phase === 'awaitingBooking');
  harness.sandbox.trouble({ when: 'deleteListing', what: 'hangUpAfter', times: 1 });
  await harness.handleOf(shipment).executeUpdate(messages.cancelShipmentUpdate, { args: [BY] });
  const { status, state } = await harness.ended(shipment);
  expect(status).toBe('COMPLETED');
  expect(state?.at.phase).toBe('cancelled');
  expect(state?.notices).toEqual([]);
  expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 0, openListings: 0 });
});

test('a booking that is given up before the next sweep, and leaves the record unchanged, is noticed without an event', async () => {
  harness.sandbox.setSwitches({ carrierAnswer: 'silent', transit: 'manual' });
  const shipment = furniture();
  // The watch that began before the booking has a long time in which it does not look.
  await harness.start(shipment, { sweepPace: { initialMs: 4_000, maximumMs: 4_000 } });
  const { state } = await harness.until(
    shipment,
    (view) => view.state?.at.phase === 'awaitingBooking' && view.state.listing !== null,
  );
  const listingId = state?.listing?.listingId ?? '';
  harness.sandbox.controls.advance(listingId, { to: 'Booked', kind: 'status' });
  await harness.until(shipment, (view) => view.state?.at.phase === 'booked');
  harness.sandbox.setSwitches({ webhooks: 'off' });
  harness.sandbox.controls.advance(listingId, { to: 'Active', kind: 'status' });
  expect(await harness.asked(shipment, 'listingEnded')).toBe('q1-listingEnded');
  harness.sandbox.setSwitches({ webhooks: 'on' });
});

test('an attachment that is announced while no worker runs is fetched, although its price is settled by then', async () => {
  const shipment = furniture();
  await harness.start(shipment, { settlementWindowMs: 10_000 });
  const isSettlementOpen = async (): Promise<boolean> => {
    const { events } = await harness.handleOf(shipment).fetchHistory();
    const begun = (events ?? []).filter((event) => event.timerStartedEventAttributes != null);
    const ended = (events ?? []).filter(
      (event) => (event.timerFiredEventAttributes ?? event.timerCanceledEventAttributes) != null,
    );
    return begun.length > ended.length;
  };
  const delivered = await harness.until(shipment, (view) => view.state?.at.phase === 'delivered');
  const listingId = delivered.state?.listing?.listingId ?? '';
  // All that there is by then is fetched: nothing but the settlement is waited for.
  await harness.until(
    shipment,
    ({ state }) =>
      state?.wantedAttachments.length === 0 &&
      state.attachments.length === harness.sandbox.controls.listing(listingId).files.length,
  );
  await until(isSettlementOpen);
  await harness.withoutWorkers(async () => {
    harness.sandbox.controls.addAttachment(listingId, { fileName: 'proof.pdf' });
    await until(async () => !(await isSettlementOpen()));
  });
  const end = await harness.ended(shipment);
  expect(end.state?.attachments.map(({ fileName }) => fileName)).toContain('proof.pdf');
});
