import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ShipmentPolicy } from '../../src/domain/policy';
import type { LtlShipment, Shipment } from '../../src/domain/shipment';
import { DEFAULT_SETTINGS } from '../../src/marketplace/account';
import type { SwitchChanges, TroubleInput } from '../../sandbox';
import type { ShipmentView } from '../../src/starter/client/get-shipment';
import * as messages from '../../src/contract/messages';
import { paused, resume } from '../support/account-in-trouble';
import { numberedOrders } from '../support/builders';
import { BY, FAST_POLICY, startHarness, type Harness } from '../support/harness';

let harness: Harness;
const { ltl } = numberedOrders('L');

const SWITCHES: SwitchChanges = {
  ...{ acceptanceAnswersAtOnce: false, acceptanceHiddenPolls: 0 },
  ...{ acceptancePendingAnswer: 'statusCode202', acceptanceBookedAnswer: 'created', webhooks: 'on' },
  ...{ acceptanceFailureStatus: 409, acceptanceFailureResponse: 'json', paymentMethods: 'normal' },
  ...{ ratesPerRequest: 6, rateLifetimeInSeconds: 600_000 },
  ...{ tokenLifetimeInSeconds: 600, transit: 'normal', unknownFields: 'refused' },
};
const secret = (value: string) => async () => await Promise.resolve(value);

/** An account that writes everything that is a choice in the other way than the default. */
beforeAll(async () => {
  harness = await startHarness({
    clock: { speed: 10 },
    switches: {
      ...SWITCHES,
      ...{ stopAccessorials: 'list', topLevelAccessorials: 'booleans', callAheadName: 'callAhead' },
      emptyInsurance: 'accepted',
    },
    account: {
      auth: {
        kind: 'clientCredentials',
        clientId: secret('sandbox-client'),
        clientSecret: secret('sandbox-secret'),
      },
      settings: {
        ...DEFAULT_SETTINGS,
        ...{ stopAccessorials: 'names', additionalServices: 'booleans', callAccessorial: 'callAhead' },
        ...{ ltlUnits: 'unitCount', addressTypes: 'short', declinedInsurance: 'empty' },
      },
    },
  });
}, 60_000);
beforeEach(() => {
  harness.sandbox.clearTroubles();
  harness.sandbox.setClock({ steps: { ratesFirst: 1_000, ratesLast: 3_000 } });
  harness.sandbox.setSwitches(SWITCHES);
});
afterAll(async () => await harness?.close());

/** Short, because a shipment does not complete while an earlier acceptance could still book. */
const QUICK: Partial<ShipmentPolicy> = { acceptance: { ...FAST_POLICY.acceptance, windowMs: 10_000 } };
const withRates = (over: Partial<ShipmentPolicy['rates']>): Partial<ShipmentPolicy> => ({
  ...QUICK,
  rates: { ...FAST_POLICY.rates, ...over },
});

async function startAll(
  shipments: readonly Shipment[],
  policy: Partial<ShipmentPolicy> = QUICK,
): Promise<void> {
  await Promise.all(shipments.map(async (shipment) => await harness.start(shipment, policy)));
}

const booked = async (shipment: Shipment): Promise<ShipmentView> =>
  await harness.until(shipment, ({ state }) => state?.bookedAt != null);

const answer = async (
  shipment: Shipment,
  update: ReturnType<typeof messages.defineAnswer<messages.AnswerInput>>,
  questionId: string,
): Promise<void> => await harness.handleOf(shipment).executeUpdate(update, { args: [{ questionId, ...BY }] });

const notesOf = ({ state }: ShipmentView): readonly string[] => state?.timeline.map(({ what }) => what) ?? [];
const pausesOf = (view: ShipmentView): number =>
  notesOf(view).filter((what) => what.startsWith('waits for account')).length;

/** The acceptance of each order meets trouble of the account, before anything is done. */
async function pausedAtAcceptance(
  shipments: readonly LtlShipment[],
  policy: Partial<ShipmentPolicy> = QUICK,
): Promise<void> {
  harness.sandbox.trouble({ when: 'acceptRate', what: 'ipRefused', times: shipments.length });
  await startAll(shipments, policy);
  await paused(harness, shipments);
}

const NO_METHOD = 'LTL cannot be paid: none of the 3 payment methods of the account is active and unexpired';

/** The account is asked about once for all of them, and why is told. */
async function pausedBecause(shipments: readonly Shipment[], reason: string): Promise<void> {
  for (const shipment of shipments)
    await harness.until(shipment, ({ state }) => state?.pause?.reason === reason);
  await paused(harness, shipments);
}

async function chosenRateOf(
  shipment: Shipment,
): Promise<{ readonly rateId: string; readonly expiresAt: string }> {
  const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'accepting');
  if (state?.at.phase !== 'accepting') throw new Error('no rate is chosen');
  return state.at.rate;
}

describe('account trouble', () => {
  test('that refuses an acceptance costs no rate: the same rate is accepted once a person fixed the account', async () => {
    const reason = 'The currencies of rate and account must match.';
    const refusals: readonly TroubleInput['what'][] = [
      ...(['cardDeclined', 'cardExpired', 'ipRefused', 'suspended'] as const),
      { kind: 'status', status: 402 },
      { kind: 'status', status: 400, body: { reason, errors: [] } },
    ];
    for (const what of refusals) harness.sandbox.trouble({ when: 'acceptRate', what, times: 1 });
    const shipments = refusals.map(() => ltl());
    await startAll(shipments);
    await paused(harness, shipments);
    const chosen = await Promise.all(shipments.map(chosenRateOf));
    await resume(harness);
    const views = await Promise.all(shipments.map(booked));
    for (const [index, view] of views.entries()) {
      expect(view.state).toMatchObject({ excludedRateIds: [], questionsAsked: 0, notices: [] });
      expect(pausesOf(view)).toBe(1);
      const ledger = harness.ledgerOf(shipments[index] ?? ltl());
      expect(ledger).toMatchObject({ liveBookings: 1, mostLiveBookings: 1 });
      expect(ledger.acceptances).toMatchObject([{ rateId: chosen[index]?.rateId }]);
    }
  });

  test.each([402, 403])(
    'that ends an acceptance with %i costs no rate either',
    async (acceptanceFailureStatus) => {
      harness.sandbox.setSwitches({ acceptanceFailureStatus });
      harness.sandbox.trouble({ when: 'acceptRate', what: 'failed', times: 1 });
      const shipment = ltl();
      await startAll([shipment]);
      await paused(harness, [shipment]);
      const { rateId } = await chosenRateOf(shipment);
      await resume(harness);
      const view = await harness.ended(shipment);
      expect(view).toMatchObject({
        status: 'COMPLETED',
        state: { excludedRateIds: [], questionsAsked: 0, notices: [] },
      });
      expect(pausesOf(view)).toBe(1);
      const ledger = harness.ledgerOf(shipment);
      expect(ledger).toMatchObject({ liveBookings: 1, mostLiveBookings: 1 });
      expect(ledger.acceptances).toMatchObject([
        { rateId, outcome: 'failed' },
        { rateId, outcome: 'booked' },
      ]);
    },
  );

  test('about a card is over when the account has another one, which then pays', async () => {
    const shipments = [ltl(), ltl()];
    harness.sandbox.trouble({ when: 'acceptRate', what: 'cardExpired', times: shipments.length });
    await startAll(shipments);
    await paused(harness, shipments);
    harness.sandbox.setSwitches({ paymentMethods: 'expired' });
    await resume(harness);
    await pausedBecause(shipments, NO_METHOD);
    for (const shipment of shipments) expect(harness.ledgerOf(shipment).acceptances).toEqual([]);
    harness.sandbox.setSwitches({ paymentMethods: 'normal' });
    await resume(harness);
    for (const shipment of shipments) {
      const view = await booked(shipment);
      expect(view.state?.questionsAsked).toBe(0);
      expect(pausesOf(view)).toBe(2);
      expect(harness.ledgerOf(shipment)).toMatchObject({
        liveBookings: 1,
        acceptances: [{ outcome: 'booked' }],
      });
    }
  });
});

describe('an order that could not accept its rate in time', () => {
  test("requests rates again, up to the policy's limit, and never accepts an expired rate", async () => {
    harness.sandbox.setSwitches({ rateLifetimeInSeconds: 4 });
    const [renewed, bounded] = [ltl(), ltl()];
    // All rates: the few that a busy machine has brought by then may be much dearer.
    const all = { expiryMarginMs: 1_000, enough: 6 };
    harness.sandbox.trouble({ when: 'acceptRate', what: 'ipRefused', times: 2 });
    await startAll([renewed], withRates(all));
    await startAll([bounded], withRates({ ...all, maximumRequests: 1 }));
    await paused(harness, [renewed, bounded]);
    const chosen = await Promise.all([renewed, bounded].map(chosenRateOf));
    const overAt = Math.max(...chosen.map(({ expiresAt }) => Date.parse(expiresAt))) - 1_000;
    harness.sandbox.setSwitches({ rateLifetimeInSeconds: 600_000 });
    await harness.until(renewed, () => Date.now() >= overAt);
    await resume(harness);
    const view = await booked(renewed);
    expect(notesOf(view)).toContainEqual('the chosen rate is over; asks for rates again');
    expect(view.state?.questionsAsked).toBe(0);
    const questionId = await harness.asked(bounded, 'noRates');
    expect(harness.ledgerOf(bounded)).toMatchObject({ acceptances: [], rateRequests: [{}] });
    await answer(bounded, messages.retryNowUpdate, questionId);
    await booked(bounded);
    for (const [index, shipment] of [renewed, bounded].entries()) {
      const ledger = harness.ledgerOf(shipment);
      expect(ledger.rateRequests).toHaveLength(2);
      expect(ledger.liveBookings).toBe(1);
      expect(ledger.acceptances).toHaveLength(1);
      expect(ledger.acceptances[0]?.rateId).not.toBe(chosen[index]?.rateId);
    }
  });

  test('asks a person when the new rates are much dearer, who approves or requests rates again', async () => {
    harness.sandbox.setSwitches({ rateLifetimeInSeconds: 4 });
    const [approved, asked] = [ltl(), ltl()];
    await pausedAtAcceptance([approved, asked], withRates({ expiryMarginMs: 1_000, enough: 6 }));
    const chosen = await Promise.all([approved, asked].map(chosenRateOf));
    const overAt = Math.max(...chosen.map(({ expiresAt }) => Date.parse(expiresAt))) - 1_000;
    // Only the first carrier answers now, which is far from the cheapest.
    harness.sandbox.setSwitches({ rateLifetimeInSeconds: 600_000, ratesPerRequest: 1 });
    await harness.until(approved, () => Date.now() >= overAt);
    await resume(harness);
    const first = await harness.asked(approved, 'priceApproval');
    const { state } = await harness.until(approved, () => true);
    expect(state?.question?.text).toContain('more than 10 % above the USD');
    const second = await harness.asked(asked, 'priceApproval');
    expect(harness.ledgerOf(asked).acceptances).toEqual([]);
    harness.sandbox.setSwitches({ ratesPerRequest: 6 });
    await answer(approved, messages.approvePriceUpdate, first);
    await answer(asked, messages.retryNowUpdate, second);
    for (const [shipment, requests] of [
      [approved, 2],
      [asked, 3],
    ] as const) {
      expect((await booked(shipment)).state?.questionsAsked).toBe(1);
      expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
      expect(harness.ledgerOf(shipment).rateRequests).toHaveLength(requests);
    }
  });
});

describe('the price limit of an LTL order', () => {
  test('asks a question, and not again for a rate that a person selected', async () => {
    const priceLimit = { minorUnits: 100, currency: 'USD' };
    const [approved, selected] = [ltl({ priceLimit }), ltl({ priceLimit })];
    const rateRule = { ...FAST_POLICY.rateRule, priceCap: priceLimit };
    await startAll([approved]);
    await startAll([selected], { ...QUICK, rateRule });
    const limit = await harness.asked(approved, 'priceApproval');
    await answer(approved, messages.approvePriceUpdate, limit);
    const questionId = await harness.asked(selected, 'rateChoice');
    const { state } = await harness.until(selected, () => true);
    const rateId = state?.rates.at(-1)?.rateId ?? '';
    await harness.handleOf(selected).executeUpdate(messages.selectRateUpdate, {
      args: [{ questionId, ...BY, rateId }],
    });
    for (const shipment of [approved, selected]) {
      expect((await booked(shipment)).state?.questionsAsked).toBe(1);
      expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
    }
    expect(harness.ledgerOf(selected).acceptances).toMatchObject([{ rateId }]);
  });
});

describe('rates', () => {
  test('that arrive late are waited for', async () => {
    const shipment = ltl();
    harness.sandbox.trouble({ when: 'createRateRequest', what: 'lateRates' });
    await startAll([shipment]);
    expect((await booked(shipment)).state?.questionsAsked).toBe(0);
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1, rateRequests: [{}] });
  });

  test('of which one is missing at the choice are read again, even after the maximum wait', async () => {
    // All are there in the first reading, which is too early; every second one misses one, at first that of Blue Ridge.
    harness.sandbox.setClock({ steps: { ratesFirst: 0, ratesLast: 0 } });
    harness.sandbox.trouble({ when: 'createRateRequest', what: 'flickeringRates' });
    const pace = { initialMs: 3_500, maximumMs: 3_500 };
    const cheapest = 'Blue Ridge Freight';
    const allowedCarriers = [cheapest, 'Two Rivers Trucking', 'Cardinal White Glove'];
    const [best, only] = [ltl(), ltl()];
    await startAll([best], {
      ...withRates({ minimumWaitMs: 3_000, maximumWaitMs: 30_000, pace }),
      rateRule: { ...FAST_POLICY.rateRule, allowedCarriers },
    });
    await harness.until(best, () => harness.ledgerOf(best).rateRequests.length === 1);
    harness.sandbox.setSwitches({ ratesPerRequest: 1 });
    await startAll([only], withRates({ minimumWaitMs: 3_000, maximumWaitMs: 3_000, pace }));
    for (const shipment of [best, only]) {
      const { state } = await booked(shipment);
      expect(state).toMatchObject({ questionsAsked: 0, excludedRateIds: [] });
      expect(state?.rateDecision?.chosen?.carrier.displayName).toBe(cheapest);
      const { acceptances, liveBookings, rateRequests } = harness.ledgerOf(shipment);
      expect({ acceptances, liveBookings }).toMatchObject({
        acceptances: [{ rateId: state?.rateDecision?.chosen?.rateId }],
        liveBookings: 1,
      });
      // The second reading would have been the one to choose from.
      const path = `/${rateRequests[0]?.id}/`;
      expect(harness.sandbox.requests('listRates').filter((sent) => sent.path.includes(path))).toHaveLength(
        3,
      );
    }
  });

  test('that carriers withdraw before the acceptance lead to the next one, or to new requests, up to the limit', async () => {
    const [next, anew, bounded] = [ltl(), ltl(), ltl()];
    harness.sandbox.trouble({ when: 'acceptRate', what: 'ipRefused', times: 3 });
    // All of them come at once, before the others are taken back.
    harness.sandbox.setClock({ steps: { ratesFirst: 0, ratesLast: 0 } });
    await startAll([next, anew], withRates({ enough: 6 }));
    await startAll([bounded], withRates({ enough: 6, maximumRequests: 1, maximumWaitMs: 2_000 }));
    await paused(harness, [next, anew, bounded]);
    const { rateId } = await chosenRateOf(next);
    harness.sandbox.controls.withdrawRate(rateId);
    for (const shipment of [anew, bounded]) {
      const { state } = await harness.until(shipment, () => true);
      for (const rate of state?.rates ?? []) harness.sandbox.controls.withdrawRate(rate.rateId);
    }
    await resume(harness);
    const questionId = await harness.asked(bounded, 'noRates');
    expect((await harness.until(bounded, () => true)).state?.question?.text).toContain('withdrew every rate');
    await answer(bounded, messages.retryNowUpdate, questionId);
    for (const [shipment, requests, questions] of [
      [next, 1, 0],
      [anew, 2, 0],
      [bounded, 2, 1],
    ] as const) {
      const { state } = await booked(shipment);
      expect(state).toMatchObject({ questionsAsked: questions, excludedRateIds: [expect.any(String)] });
      expect(harness.ledgerOf(shipment)).toMatchObject({
        liveBookings: 1,
        acceptances: [{ outcome: 'booked' }],
      });
      expect(harness.ledgerOf(shipment).rateRequests).toHaveLength(requests);
    }
  });
});

describe('an acceptance', () => {
  test.each<readonly [string, SwitchChanges]>([
    ['that is answered with the listing at once', { acceptanceAnswersAtOnce: true }],
    [
      'whose status is not found at first, and then points elsewhere',
      { acceptanceHiddenPolls: 2, acceptanceBookedAnswer: 'seeOther' },
    ],
    [
      'whose status is JSON within JSON',
      { acceptancePendingAnswer: 'doublyEncoded', acceptanceBookedAnswer: 'doublyEncoded' },
    ],
    [
      'whose status is empty while pending, and tells 201 within a 200',
      { acceptancePendingAnswer: 'emptyResponse', acceptanceBookedAnswer: 'statusCode201' },
    ],
    ['whose pending status has no status code', { acceptancePendingAnswer: 'noStatusCode' }],
    ['whose pending status is no JSON', { acceptancePendingAnswer: 'notJson' }],
    ['whose pending status has no response', { acceptancePendingAnswer: 'nullResponse' }],
    ['whose pending status is 0', { acceptancePendingAnswer: 'statusCodeZero' }],
  ])('%s books once and asks nothing', async (_, switches) => {
    // Without events the forms alone must do.
    harness.sandbox.setSwitches({ ...switches, webhooks: 'off' });
    const shipment = ltl();
    await startAll([shipment]);
    expect((await booked(shipment)).state).toMatchObject({ questionsAsked: 0, excludedRateIds: [] });
    expect(harness.ledgerOf(shipment)).toMatchObject({
      liveBookings: 1,
      acceptances: [{ outcome: 'booked' }],
    });
  });

  test('that the marketplace ended with a failure asks, and a person adopts the booking', async () => {
    harness.sandbox.setSwitches({ webhooks: 'off' });
    harness.sandbox.trouble({ when: 'acceptRate', what: 'bookedButFailed', times: 1 });
    const shipment = ltl();
    await startAll([shipment]);
    const questionId = await harness.asked(shipment, 'inDoubt');
    const listingId = String(harness.ledgerOf(shipment).listings[0]?.listingId);
    await harness.handleOf(shipment).executeUpdate(messages.resolveInDoubtUpdate, {
      args: [{ questionId, ...BY, decision: { kind: 'adopt', listingId } }],
    });
    await booked(shipment);
    expect(harness.ledgerOf(shipment)).toMatchObject({
      liveBookings: 1,
      acceptances: [{ listingId: Number(listingId) }],
    });
  });

  test('that is pending for a long time survives expired tokens and restarted workers', async () => {
    harness.sandbox.setSwitches({ tokenLifetimeInSeconds: 2 });
    harness.sandbox.setClock({ steps: { acceptancePending: 250_000 } });
    const tokens = harness.sandbox.requests('createToken').length;
    const shipment = ltl();
    await harness.start(shipment, { acceptance: { ...FAST_POLICY.acceptance, windowMs: 60_000 } });
    await harness.until(
      shipment,
      ({ state }) => state?.at.phase === 'accepting' && state.at.pending !== null,
    );
    harness.sandbox.setClock({ steps: { acceptancePending: 3_000 } });
    const polls = (): number => harness.sandbox.requests('getAcceptanceStatus').length;
    for (let outages = 0; outages < 2; outages += 1) {
      const before = polls();
      await harness.until(shipment, () => polls() >= before + 3);
      await harness.withoutWorkers(async () => await Promise.resolve());
    }
    const view = await booked(shipment);
    expect(view.state).toMatchObject({ questionsAsked: 0, notices: [], excludedRateIds: [] });
    expect(harness.ledgerOf(shipment)).toMatchObject({
      liveBookings: 1,
      acceptances: [{ outcome: 'booked' }],
    });
    expect(harness.sandbox.requests('createToken').length - tokens).toBeGreaterThan(2);
    const { historyLength } = await harness.handleOf(shipment).describe();
    expect(historyLength).toBeLessThan(150);
  });
});

test('an account without a payment method asks once for all its orders, which continue once it has one', async () => {
  const orders: LtlShipment[] = [];
  for (const [paymentMethods, why] of [
    ['none', 'LTL cannot be paid: the account has no payment method'],
    ['expired', NO_METHOD],
    ['notImplemented', 'LTL cannot be paid: the account has no payment method'],
  ] as const) {
    harness.sandbox.setSwitches({ paymentMethods });
    const shipments = [ltl(), ltl()];
    orders.push(...shipments);
    await startAll(shipments);
    await pausedBecause(shipments, why);
  }
  // What that order names matters only once the account can pay.
  const configured = ltl();
  await startAll([configured], { ...QUICK, paymentMethodId: 'another-id' });
  await pausedBecause([configured], 'LTL cannot be paid: the account has no payment method');
  harness.sandbox.setSwitches({ paymentMethods: 'normal' });
  await resume(harness);
  const questionId = await harness.asked(configured, 'paymentMethod');
  const policy = { ...FAST_POLICY, ...QUICK, paymentMethodId: null };
  const revision = { shipment: configured, policy, documentHash: 'revised' };
  await harness.handleOf(configured).executeUpdate(messages.reviseOrderUpdate, {
    args: [{ questionId, ...BY, ...revision }],
  });
  await booked(configured);
  expect(harness.ledgerOf(configured)).toMatchObject({ liveBookings: 1, acceptances: [{}] });
  for (const shipment of orders) {
    const view = await harness.ended(shipment);
    expect(view).toMatchObject({ status: 'COMPLETED', state: { questionsAsked: 0, notices: [] } });
    expect(pausesOf(view)).toBe(1);
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
  }
});

test("coverage, services and stops reach the marketplace in the forms of the account's settings", async () => {
  const services = { inside: true, liftgate: true, callBeforeArrival: true, appointment: true };
  const { destination } = ltl();
  const covered = ltl({
    coverage: { minorUnits: 500_000, currency: 'USD' },
    destination: { ...destination, services },
    services: ['ProtectFromFreezing'],
  });
  const plain = ltl();
  await startAll([covered, plain]);
  for (const shipment of [covered, plain]) {
    const { state } = await booked(shipment);
    const rateId = state?.rateDecision?.chosen?.rateId ?? '';
    const [sent] = harness.sandbox.requests('acceptRate').filter(({ path }) => path.includes(rateId));
    expect(sent?.body).toMatchObject({
      insurance: shipment === covered ? { coverage: { amount: 5_000, currencyType: 'USD' } } : {},
    });
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1 });
  }
  expect((await booked(covered)).state?.timeline.map(({ what }) => what)).toContainEqual(
    expect.stringContaining('protection of USD 5,000.00'),
  );
});
