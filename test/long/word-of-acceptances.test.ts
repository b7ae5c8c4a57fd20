import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ShipmentPolicy } from '../../src/domain/policy';
import { LATE_OUTCOME_SIGNAL, type LateOutcome } from '../../src/domain/send-outcome';
import type { Shipment } from '../../src/domain/shipment';
import type { LedgerAcceptance, OrderSwitches, TroubleInput } from '../../sandbox';
import * as messages from '../../src/contract/messages';
import { numberedOrders } from '../support/builders';
import { BY, FAST_POLICY, startHarness, type Harness } from '../support/harness';
import { Person } from '../support/person';
import { until } from '../support/temporal';

const WINDOW_MS = 2_000;
const { ltl } = numberedOrders('WA');
const person = new Person(() => harness);
const orders: Record<string, OrderSwitches> = {};
const troubles: TroubleInput[] = [];
let harness: Harness;

/** An order that only the status of its acceptances tells of, and what becomes of these. */
function ordered(what: readonly TroubleInput['what'][], more: OrderSwitches = {}, after = 0) {
  const shipment = ltl();
  const whom = `acme/${shipment.orderId}`;
  orders[whom] = { transit: 'manual', ...more };
  const when = { request: 'acceptRate', after } as const;
  troubles.push(...what.map((one) => ({ when, whom, what: one, times: 1 })));
  return shipment;
}
const late = ordered(['failedThenBooked', 'bookedSilently']);
const again = ordered(['bookedSilently'], {}, 1);
const abandoned = ordered(['bookedButFailed']);
const asksOn = ordered(['bookedButFailed']);
const ALREADY = { acceptanceFailureReason: 'This rate has already been accepted.' };
const duplicate = ordered(['failed'], ALREADY);
const takenByOthers = ordered(['failed'], ALREADY);
const considered = ordered(['pending']);
const toldBeforeSending = ordered(['bookedSilently']);
const toldAtTheEnd = ordered(['failed', 'bookedSilently']);
const ofAnother = ordered(['failedThenBooked']);
const neverAnswered = ordered(['failedThenBooked', 'pending']);
const letGo = ordered(['failedThenBooked', 'pending']);
const onlyOne = ordered(['bookedSilently']);
const unclear = ordered(['failedThenBooked', 'bookedButFailed']);
const unreadable = ordered(['failedThenBooked', 'pending']);
const bookedAtLast = ordered(['failedThenBooked', 'bookedSilently']);
const toldMeanwhile = ordered(['failedLeavingListing', 'bookedSilently']);

beforeAll(async () => {
  harness = await startHarness({
    ...{ hasWebhooks: false, clock: { speed: 10, steps: { acceptancePending: 3_000, bookedLate: 5_000 } } },
    switches: { orders },
    troubles,
  });
}, 60_000);
afterAll(async () => await harness?.close());

const policy = (over: Partial<ShipmentPolicy> = {}): Partial<ShipmentPolicy> => ({
  acceptance: { ...FAST_POLICY.acceptance, failureWaitMs: 50, windowMs: WINDOW_MS },
  documentWindowMs: 1_500,
  ...over,
});
const acceptancesOf = (shipment: Shipment): readonly LedgerAcceptance[] =>
  harness.ledgerOf(shipment).acceptances;
const isPast = async (instant: number): Promise<void> =>
  await until(async () => await Promise.resolve(Date.now() > instant), { patienceMs: 40_000 });

/** Once it may be sent again, or given up. */
async function decideInTime(
  shipment: Shipment,
  questionId: string,
  kind: 'resend' | 'abandon',
): Promise<void> {
  const { state } = await harness.until(shipment, () => true);
  await isPast(Date.parse(state?.question?.resendFrom ?? ''));
  await person.decide(shipment, questionId, { kind });
}

/** From now on its status says what the marketplace knew all the time. */
function tellBooked(acceptance: LedgerAcceptance | undefined): void {
  const headers = { location: `${harness.sandbox.url}/v2/listings/${acceptance?.listingId}` };
  harness.sandbox.trouble({
    when: { request: 'getAcceptanceStatus', match: acceptance?.executionId ?? '' },
    what: { kind: 'status', status: 201, body: '', headers },
  });
}

/** What is asked about the two, and what the ledger says meanwhile. */
async function askedAboutTwo(shipment: Shipment, history: string) {
  await harness.asked(shipment, 'possibleDoubleBooking');
  const { state } = await harness.until(shipment, () => true);
  const { liveBookings, deletedListings } = harness.ledgerOf(shipment);
  await harness.record(shipment, history);
  await harness.handleOf(shipment).terminate('the test is over');
  return { text: state?.question?.text ?? '', liveBookings, deletedListings };
}
const bothOf = (...ids: readonly unknown[]) => ({
  text: expect.stringMatching(ids.map((id) => `(?=.*${String(id)})`).join('')),
  ...{ liveBookings: 2, deletedListings: [] },
});

test.concurrent(
  'an acceptance that the order gave up is checked once more when its time is over',
  async () => {
    await harness.start(late, policy());
    const questionId = await harness.asked(late, 'inDoubt');
    await harness.until(late, () => harness.ledgerOf(late).liveBookings === 2);
    const [first, second] = acceptancesOf(late);
    tellBooked(first);
    const { state } = await harness.until(late, () => true);
    await isPast(Date.parse(state?.earlierAcceptances[0]?.leftOn ?? '') + WINDOW_MS);
    await person.decide(late, questionId, { kind: 'adopt', listingId: String(second?.listingId) });
    expect(await askedAboutTwo(late, 'ltl-left-acceptance')).toEqual(
      bothOf(first?.listingId, second?.listingId),
    );
  },
);

test.concurrent(
  'an acceptance that waits for its carrier stays watched when an event names another booked listing',
  async () => {
    await harness.start(again, policy({ acceptance: { ...FAST_POLICY.acceptance, windowMs: 40_000 } }));
    await harness.until(again, ({ state }) => state?.at.phase === 'booked');
    const [left = ''] = person.listingIdsOf(again);
    harness.sandbox.controls.advance(left, { to: 'Cancelled', kind: 'status' });
    await person.answer(again, await harness.asked(again, 'listingEnded'), messages.rebookUpdate);
    await harness.until(again, () => harness.ledgerOf(again).liveBookings === 1);
    harness.sandbox.controls.advance(left, { to: 'Booked', kind: 'status' });
    await person.signal(again, left);
    await harness.until(again, ({ state }) => state?.at.phase === 'booked' && state.at.listingId === left);
    const [, second] = acceptancesOf(again);
    tellBooked(second);
    expect(await askedAboutTwo(again, 'ltl-watched-on')).toEqual(bothOf(left, second?.listingId));
  },
);

test.concurrent(
  'an order that is abandoned although its acceptance has just booked is followed',
  async () => {
    const never = { initialMs: 60_000, maximumMs: 60_000 };
    await harness.start(abandoned, policy({ sweepPace: never }));
    const questionId = await harness.asked(abandoned, 'inDoubt');
    const { state } = await harness.until(abandoned, () => true);
    await isPast(Date.parse(state?.question?.resendFrom ?? ''));
    const [acceptance] = acceptancesOf(abandoned);
    tellBooked(acceptance);
    await person.decide(abandoned, questionId, { kind: 'abandon' });
    await harness.until(abandoned, (view) => view.state?.at.phase === 'booked');
    expect(harness.ledgerOf(abandoned)).toMatchObject({ liveBookings: 1 });
    await harness.record(abandoned, 'ltl-abandoned-booked');
    await harness.handleOf(abandoned).terminate('the test is over');
  },
);

test.concurrent(
  'an acceptance in doubt whose status was unclear is polled again, and settled by its status',
  async () => {
    await harness.start(asksOn, policy());
    await harness.asked(asksOn, 'inDoubt');
    tellBooked(acceptancesOf(asksOn)[0]);
    const { state } = await harness.until(asksOn, (view) => view.state?.at.phase === 'booked');
    expect(state?.question).toBeNull();
    await harness.record(asksOn, 'ltl-asked-on');
    await harness.handleOf(asksOn).terminate('the test is over');
  },
);

test.concurrent(
  'a resent acceptance that ends as a duplicate asks a question, and resend takes the next rate',
  async () => {
    const reference = `acme/${duplicate.orderId}`;
    harness.sandbox.trouble({ when: 'acceptRate', whom: reference, what: 'hangUpBefore', times: 1 });
    await harness.start(duplicate, policy());
    const lost = await harness.asked(duplicate, 'inDoubt');
    await decideInTime(duplicate, lost, 'resend');
    const questionId = await harness.asked(duplicate, 'inDoubt', lost);
    const { state } = await harness.until(duplicate, () => true);
    expect(state?.question?.text).toContain('exists already');
    expect(acceptancesOf(duplicate)).toHaveLength(1);
    await decideInTime(duplicate, questionId, 'resend');
    await harness.until(duplicate, (view) => view.state?.at.phase === 'booked');
    const [refused, taken] = acceptancesOf(duplicate);
    expect(refused?.rateId).not.toBe(taken?.rateId);
    expect(harness.ledgerOf(duplicate)).toMatchObject({ liveBookings: 1, mostLiveBookings: 1 });
    await harness.handleOf(duplicate).terminate('the test is over');
  },
);

test.concurrent(
  'a rate that is already accepted, and was sent only once, costs that rate and asks nothing',
  async () => {
    await harness.start(takenByOthers, policy());
    const { state } = await harness.until(takenByOthers, (view) => view.state?.at.phase === 'booked');
    expect(state?.questionsAsked).toBe(0);
    expect(acceptancesOf(takenByOthers)).toHaveLength(2);
    expect(harness.ledgerOf(takenByOthers)).toMatchObject({ liveBookings: 1, mostLiveBookings: 1 });
    await harness.handleOf(takenByOthers).terminate('the test is over');
  },
);

/** As the worker tells it that was cut off while it waited for the answer. */
async function tellTaken(shipment: Shipment, taken: LedgerAcceptance | undefined): Promise<void> {
  const handle = harness.handleOf(shipment);
  const [{ runId }, { events }] = await Promise.all([handle.describe(), handle.fetchHistory()]);
  const writes = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: activity }) =>
    activity?.activityType?.name === 'acceptRate' ? [activity.activityId ?? ''] : [],
  );
  const { executionId, rateId } = taken ?? { executionId: '', rateId: '' };
  const activityId =
    writes[acceptancesOf(shipment).findIndex((one) => one.executionId === executionId)] ?? '';
  await handle.signal(LATE_OUTCOME_SIGNAL, {
    ...{ runId, activityId, end: { kind: 'done', value: { kind: 'pending', executionId, rateId } } },
  } satisfies LateOutcome);
}

test.concurrent('a write whose outcome arrives while its resend is prepared is not sent again', async () => {
  const reference = `acme/${toldMeanwhile.orderId}`;
  harness.sandbox.trouble({
    when: { request: 'acceptRate', after: 1 },
    whom: reference,
    what: 'hangUpAfter',
    times: 1,
  });
  harness.sandbox.trouble({
    when: 'deleteListing',
    whom: reference,
    what: { kind: 'delay', delayMs: 3_000 },
    times: 1,
  });
  await harness.start(toldMeanwhile, policy());
  const questionId = await harness.asked(toldMeanwhile, 'inDoubt');
  const [left = ''] = person.listingIdsOf(toldMeanwhile);
  await person.signal(toldMeanwhile, left);
  await person.noted(toldMeanwhile, `listing ${left} carries our reference too`);
  await decideInTime(toldMeanwhile, questionId, 'resend');
  const isDeleting = (): boolean =>
    harness.sandbox.requests('deleteListing').some(({ path }) => path.includes(left));
  await until(async () => await Promise.resolve(isDeleting()));
  const [, taken] = acceptancesOf(toldMeanwhile);
  await tellTaken(toldMeanwhile, taken);
  tellBooked(taken);
  await harness.until(toldMeanwhile, (view) => view.state?.at.phase === 'booked');
  expect(acceptancesOf(toldMeanwhile)).toHaveLength(2);
  expect(harness.ledgerOf(toldMeanwhile)).toMatchObject({
    liveBookings: 1,
    deletedListings: [Number(left)],
  });
  await harness.handleOf(toldMeanwhile).terminate('the test is over');
});

test.concurrent(
  'an unsent resend waits once a late report says that the first request was accepted',
  async () => {
    const reference = `acme/${toldBeforeSending.orderId}`;
    harness.sandbox.trouble({ when: 'acceptRate', whom: reference, what: 'hangUpAfter', times: 1 });
    const what = { kind: 'status', status: 429, retryAfter: 3 } as const;
    harness.sandbox.trouble({ when: 'acceptRate', whom: reference, what, times: 1 });
    const acceptance = { ...FAST_POLICY.acceptance, windowMs: 6_000 };
    await harness.start(toldBeforeSending, policy({ acceptance }));
    const questionId = await harness.asked(toldBeforeSending, 'inDoubt');
    await decideInTime(toldBeforeSending, questionId, 'resend');
    await person.noted(toldBeforeSending, 'was not sent');
    const [taken] = acceptancesOf(toldBeforeSending);
    await tellTaken(toldBeforeSending, taken);
    await harness.asked(toldBeforeSending, 'stillConsidered');
    tellBooked(taken);
    await harness.until(toldBeforeSending, (view) => view.state?.at.phase === 'booked');
    expect(acceptancesOf(toldBeforeSending)).toHaveLength(1);
    expect(harness.ledgerOf(toldBeforeSending)).toMatchObject({ liveBookings: 1, mostLiveBookings: 1 });
    await harness.handleOf(toldBeforeSending).terminate('the test is over');
  },
);

test.concurrent(
  'an order stays open when its last acceptance is reported as accepted while it is closed',
  async () => {
    const reference = `acme/${toldAtTheEnd.orderId}`;
    harness.sandbox.trouble({
      when: { request: 'acceptRate', after: 1 },
      whom: reference,
      what: 'hangUpAfter',
      times: 1,
    });
    await harness.start(toldAtTheEnd, policy());
    const questionId = await harness.asked(toldAtTheEnd, 'inDoubt');
    const { state } = await harness.until(toldAtTheEnd, () => true);
    const [first, taken] = acceptancesOf(toldAtTheEnd);
    const match = first?.executionId ?? '';
    harness.sandbox.trouble({
      when: { request: 'getAcceptanceStatus', match },
      what: { kind: 'delay', delayMs: 3_000 },
      times: 1,
    });
    await isPast(Date.parse(state?.question?.resendFrom ?? ''));
    const looks = (): number =>
      harness.sandbox.requests('getAcceptanceStatus').filter(({ path }) => path.includes(match)).length;
    const before = looks();
    await person.decide(toldAtTheEnd, questionId, { kind: 'abandon' });
    await until(async () => await Promise.resolve(looks() > before));
    await tellTaken(toldAtTheEnd, taken);
    await person.noted(toldAtTheEnd, 'not closed: the outcome of the write is known now');
    tellBooked(taken);
    await harness.until(toldAtTheEnd, (view) => view.state?.at.phase === 'booked');
    expect(harness.ledgerOf(toldAtTheEnd)).toMatchObject({ liveBookings: 1, mostLiveBookings: 1 });
    await harness.record(toldAtTheEnd, 'ltl-told-at-the-end');
    await harness.handleOf(toldAtTheEnd).terminate('the test is over');
  },
);

test.concurrent(
  'a booking of another carrier settles no acceptance in doubt until a person has looked for a second one',
  async () => {
    const whom = `acme/${ofAnother.orderId}`;
    const when = { request: 'acceptRate', after: 1 } as const;
    harness.sandbox.trouble({ when, whom, what: 'hangUpAfter', times: 1 });
    await harness.start(ofAnother, policy());
    const asked = await harness.asked(ofAnother, 'inDoubt');
    await harness.until(ofAnother, () => harness.ledgerOf(ofAnother).liveBookings === 2);
    const [first, second] = acceptancesOf(ofAnother);
    const listingId = String(first?.listingId);
    await person.signal(ofAnother, listingId);
    await person.noted(ofAnother, `listing ${listingId} carries our reference too`);

    await person.decide(ofAnother, asked, { kind: 'adopt', listingId });
    const askedAgain = await harness.asked(ofAnother, 'inDoubt', asked);
    const { state } = await harness.until(ofAnother, () => true);
    expect(state?.question?.text).toContain(
      `${second?.carrier}, which may have booked a second one. Look for it at the marketplace`,
    );
    harness.sandbox.controls.advance(String(second?.listingId), { to: 'Cancelled', kind: 'status' });
    const checked = 'the second one is cancelled';
    await harness.shipments.answer('acme', ofAnother.orderId, {
      ...{ kind: 'adopt', listingId, questionId: askedAgain, checked, ...BY },
    });
    await harness.until(ofAnother, (view) => view.state?.at.phase === 'booked');
    expect(harness.ledgerOf(ofAnother)).toMatchObject({ liveBookings: 1 });
    await harness.handleOf(ofAnother).terminate('the test is over');
  },
);

const withdraw = async (taken: LedgerAcceptance | undefined): Promise<number> => {
  const url = `${harness.sandbox.url}/_sandbox/acceptances/${taken?.executionId}/withdraw`;
  return (await fetch(url, { method: 'POST' })).status;
};

/** Booked by an earlier acceptance, while the later one stays pending longer than its carrier has. */
async function askedAboutUnanswered(
  shipment: Shipment,
  prepare: (pending: LedgerAcceptance | undefined) => unknown = () => null,
) {
  await harness.start(shipment, policy({ settlementWindowMs: 100 }));
  const isReady = (): boolean =>
    harness.ledgerOf(shipment).liveBookings > 0 && acceptancesOf(shipment).length === 2;
  await harness.until(shipment, isReady);
  const [first, pending] = acceptancesOf(shipment);
  const listingId = String(first?.listingId);
  await person.signal(shipment, listingId);
  await harness.until(shipment, ({ state }) => state?.at.phase === 'booked');
  prepare(pending);
  harness.sandbox.controls.advance(listingId, { to: 'Delivered', kind: 'transit' });
  const questionId = await harness.asked(shipment, 'unansweredAcceptance');
  const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'delivered');
  expect(state?.question?.text).toContain(`${pending?.carrier} (rate ${pending?.rateId}, accepted `);
  return { questionId, pending };
}

test.concurrent(
  'a delivered order asks about an acceptance without an answer, and completes once it is taken back',
  async () => {
    const { pending } = await askedAboutUnanswered(neverAnswered);
    expect(await withdraw(pending)).toBe(200);
    const { state } = await harness.ended(neverAnswered);
    expect(state?.at.phase).toBe('settled');
    expect(harness.ledgerOf(neverAnswered)).toMatchObject({ mostLiveBookings: 1, openAcceptances: 0 });
    await harness.record(neverAnswered, 'ltl-unanswered');
  },
);

test.concurrent(
  'an acceptance without an answer is let go only by a person who knows that no truck comes',
  async () => {
    const { questionId } = await askedAboutUnanswered(letGo);
    await harness.shipments.answer('acme', letGo.orderId, { kind: 'retry', questionId, ...BY });
    const again = await harness.asked(letGo, 'unansweredAcceptance', questionId);
    const { state } = await harness.until(letGo, () => true);
    expect(state?.question?.text).toMatch(
      /^The last answer changed nothing \(the acceptance by .* has no answer\)/,
    );
    const checked = 'the carrier sends no truck';
    await harness.shipments.answer('acme', letGo.orderId, {
      ...{ kind: 'retry', questionId: again, checked, ...BY },
    });
    expect((await harness.ended(letGo)).state?.at.phase).toBe('settled');
  },
);

test.concurrent(
  'an acceptance whose status ends unclear is asked about too, beside the booking of another',
  async () => {
    const { questionId } = await askedAboutUnanswered(unclear);
    const [, second] = acceptancesOf(unclear);
    harness.sandbox.controls.advance(String(second?.listingId), { to: 'Cancelled', kind: 'status' });
    await harness.shipments.answer('acme', unclear.orderId, {
      ...{ kind: 'retry', questionId, checked: 'the second booking is cancelled', ...BY },
    });
    expect((await harness.ended(unclear)).state?.at.phase).toBe('settled');
  },
);

test.concurrent(
  'an acceptance whose status cannot be read at the end of its time is asked about',
  async () => {
    const what = { kind: 'status', status: 503 } as const;
    await askedAboutUnanswered(unreadable, (pending) =>
      harness.sandbox.trouble({
        when: { request: 'getAcceptanceStatus', match: pending?.executionId ?? '' },
        what,
      }),
    );
    const { state } = await harness.until(unreadable, () => true);
    expect(state?.at.phase).toBe('delivered');
    await harness.handleOf(unreadable).terminate('the test is over');
  },
);

test.concurrent(
  'the only acceptance of an order asks nothing when its status stays pending beside its own booking',
  async () => {
    await harness.start(onlyOne, policy({ settlementWindowMs: 100 }));
    await harness.until(onlyOne, () => harness.ledgerOf(onlyOne).liveBookings === 1);
    const [listingId = ''] = person.listingIdsOf(onlyOne);
    await person.signal(onlyOne, listingId);
    await harness.until(onlyOne, ({ state }) => state?.at.phase === 'booked');
    harness.sandbox.controls.advance(listingId, { to: 'Delivered', kind: 'transit' });
    const { state } = await harness.ended(onlyOne);
    expect(state).toMatchObject({ at: { phase: 'settled' }, questionsAsked: 0, notices: [] });
  },
);

test.concurrent('an acceptance that is booked after its time is a possible double booking', async () => {
  await askedAboutUnanswered(bookedAtLast);
  tellBooked(acceptancesOf(bookedAtLast)[1]);
  await harness.asked(bookedAtLast, 'possibleDoubleBooking');
  const { state } = await harness.until(bookedAtLast, () => true);
  expect(state).toMatchObject({ at: { phase: 'delivered' }, earlierAcceptances: [] });
  await harness.handleOf(bookedAtLast).terminate('the test is over');
});

test.concurrent('an order is not closed while a carrier considers an earlier acceptance', async () => {
  const reference = `acme/${considered.orderId}`;
  harness.sandbox.trouble({ when: 'acceptRate', whom: reference, what: 'hangUpAfter', times: 1 });
  harness.sandbox.trouble({ when: 'acceptRate', whom: reference, what: { kind: 'status', status: 400 } });
  await harness.start(
    considered,
    policy({ acceptance: { ...FAST_POLICY.acceptance, windowMs: 6_000 }, doubtWaitMs: 2_000 }),
  );
  const questionId = await harness.asked(considered, 'inDoubt');
  await decideInTime(considered, questionId, 'resend');
  const refused = await harness.asked(considered, 'inDoubt', questionId);
  // It is told only now, so that its carrier has longer than the doubt takes.
  const [taken] = acceptancesOf(considered);
  await tellTaken(considered, taken);
  await person.noted(considered, 'was accepted, as a late report shows');
  await decideInTime(considered, refused, 'abandon');
  await harness.asked(considered, 'stillConsidered');
  const view = await harness.until(considered, () => true);
  expect(view.state?.question).toMatchObject({
    text: expect.stringMatching(
      /^Nothing is booked or closed for now: .* may still book what was accepted before/,
    ),
    answers: ['retry'],
  });
  expect(await withdraw(taken)).toBe(200);
  const last = await harness.asked(considered, 'inDoubt', refused);
  await person.decide(considered, last, { kind: 'abandon' });
  expect((await harness.ended(considered)).state?.at.phase).toBe('cancelled');
  await harness.record(considered, 'ltl-still-considered');
  expect(harness.ledgerOf(considered)).toMatchObject({ created: 0, openAcceptances: 0 });
});
