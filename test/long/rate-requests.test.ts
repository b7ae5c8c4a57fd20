import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ShipmentPolicy } from '../../src/domain/policy';
import type { Shipment } from '../../src/domain/shipment';
import type { OrderSwitches } from '../../sandbox/model/switches';
import * as messages from '../../src/contract/messages';
import { paused, resume } from '../support/account-in-trouble';
import { numberedOrders } from '../support/builders';
import { BY, FAST_POLICY, startHarness, type Harness } from '../support/harness';

let harness: Harness;
const { ltl } = numberedOrders('Q');
const orders: Record<string, OrderSwitches> = {};

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 } });
}, 60_000);
afterAll(async () => await harness?.close());

/** So that one order meets what the others, which run at the same time, do not. */
function setSwitchesOf({ account, orderId }: Shipment, switches: OrderSwitches): void {
  orders[`${account}/${orderId}`] = switches;
  harness.sandbox.setSwitches({ orders });
}

/** Short, because a shipment does not complete while an earlier acceptance could still book. */
const withRates = (
  rates: Partial<ShipmentPolicy['rates']>,
  over: Partial<ShipmentPolicy> = {},
): Partial<ShipmentPolicy> => ({
  acceptance: { ...FAST_POLICY.acceptance, windowMs: 10_000 },
  rates: { ...FAST_POLICY.rates, ...rates },
  ...over,
});
const requestsOf = (shipment: Shipment): number => harness.ledgerOf(shipment).rateRequests.length;

describe('rates that have expired when they are collected', () => {
  const OVER = { rateLifetimeInSeconds: 1 };
  const TOO_LATE = { expiryMarginMs: 1_500, minimumWaitMs: 1_500, enough: 1, maximumWaitMs: 2_500 };

  test('are requested again, but not where the policy refuses them; an empty request is no withdrawal', async () => {
    const [over, refused] = [ltl(), ltl()];
    for (const shipment of [over, refused]) setSwitchesOf(shipment, OVER);
    const rateRule = { ...FAST_POLICY.rateRule, minimumStars: 5 };
    await harness.start(over, withRates(TOO_LATE));
    await harness.start(refused, withRates(TOO_LATE, { rateRule }));
    await harness.until(over, () => requestsOf(over) === 1);
    harness.sandbox.trouble({
      when: 'createRateRequest',
      whom: `${over.account}/${over.orderId}`,
      what: 'noRates',
    });
    await harness.asked(refused, 'rateChoice');
    expect(requestsOf(refused)).toBe(1);
    await harness.asked(over, 'noRates');
    const { state } = await harness.until(over, () => true);
    expect(state?.question?.text).toContain('No carrier offered a rate');
    expect(requestsOf(over)).toBe(2);
  });
});

test('an unreadable request is not read again: rates are requested again, after the pause or at once', async () => {
  const [foreign, unknown, neverKnown] = [ltl(), ltl(), ltl()];
  const statusOf = (shipment: Shipment, status: number, times?: number): void => {
    const whom = `${shipment.account}/${shipment.orderId}`;
    const trouble = { when: 'listRates', whom, what: { kind: 'status', status } } as const;
    harness.sandbox.trouble(times === undefined ? trouble : { ...trouble, times });
  };
  statusOf(foreign, 403, 1);
  statusOf(unknown, 404, 1);
  statusOf(neverKnown, 404);
  for (const shipment of [foreign, unknown, neverKnown])
    await harness.start(shipment, withRates({ maximumRequests: 2 }));
  await paused(harness, [foreign]);
  expect(requestsOf(foreign)).toBe(1);
  const questionId = await harness.asked(neverKnown, 'noRates');
  expect(requestsOf(neverKnown)).toBe(2);
  harness.sandbox.clearTroubles();
  await resume(harness);
  await harness
    .handleOf(neverKnown)
    .executeUpdate(messages.retryNowUpdate, { args: [{ questionId, ...BY }] });
  for (const [shipment, requests, questions] of [
    [foreign, 2, 0],
    [unknown, 2, 0],
    [neverKnown, 3, 1],
  ] as const) {
    const { state } = await harness.until(shipment, (view) => view.state?.bookedAt != null);
    expect(state).toMatchObject({ questionsAsked: questions, notices: [] });
    expect(requestsOf(shipment)).toBe(requests);
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1, acceptances: [{}] });
  }
});

test("rates in another currency than the account's pause it once for all orders, which request rates again", async () => {
  const shipments = [ltl(), ltl(), ltl()];
  const items = [
    {
      ...{ id: 'c'.repeat(24), created: new Date().toISOString(), expires: '2099-01-01T00:00:00Z' },
      totalPrice: { amount: 250, currencyType: 'CAD' },
    },
  ];
  for (const { account, orderId } of shipments)
    harness.sandbox.trouble({
      when: 'listRates',
      whom: `${account}/${orderId}`,
      what: { kind: 'status', status: 200, body: { totalCount: 1, items } },
    });
  await Promise.all(shipments.map(async (shipment) => await harness.start(shipment, withRates({}))));
  await paused(harness, shipments);
  for (const shipment of shipments) {
    const { state } = await harness.until(shipment, () => true);
    expect(state?.pause?.reason).toBe('LTL: the rates are priced in CAD, the account in USD');
  }
  harness.sandbox.clearTroubles();
  await resume(harness);
  for (const shipment of shipments) {
    const { state } = await harness.until(shipment, (view) => view.state?.bookedAt != null);
    expect(state).toMatchObject({ questionsAsked: 0, pause: null });
    expect(requestsOf(shipment)).toBe(2);
    expect(harness.ledgerOf(shipment)).toMatchObject({ liveBookings: 1, acceptances: [{}] });
  }
});
