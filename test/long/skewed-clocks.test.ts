import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import { numberedOrders } from '../support/builders';
import { paused, resume } from '../support/account-in-trouble';
import { FAST_POLICY, startHarness, type Harness } from '../support/harness';

let harness: Harness;
const { ltl } = numberedOrders('SC');

const AHEAD_S = 3_600;
const BEHIND_S = -3_600;
/** On the marketplace's clock; shorter than what its clock is off. */
const LIFETIME_S = 1_800;
/** Long enough that a busy machine chooses among them. */
const SHORT_S = 12;
/** The default is as long as they live. */
const rates = { ...FAST_POLICY.rates, expiryMarginMs: 1_000 };

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 }, switches: { rateLifetimeInSeconds: LIFETIME_S } });
}, 60_000);
afterAll(async () => await harness?.close());

const rateOf = async (
  shipment: Shipment,
): Promise<{ readonly rateId: string; readonly expiresAt: string }> => {
  const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'accepting');
  if (state?.at.phase !== 'accepting') throw new TypeError('no rate is chosen');
  return state.at.rate;
};

// The clock is that of the whole marketplace: one after the other.
test.each([
  ['ahead', AHEAD_S],
  ['behind', BEHIND_S],
])(
  'a marketplace whose clock is an hour %s books an order once, with the first rates',
  async (_where, clockSkewInSeconds) => {
    harness.sandbox.setSwitches({ clockSkewInSeconds });
    const orders = [ltl(), ltl()];
    const startedAtMs = Date.now();
    await Promise.all(orders.map(async (order) => await harness.start(order, { rates })));
    for (const order of orders) {
      const { status, state } = await harness.ended(order);
      expect({ status, state }).toMatchObject({
        status: 'COMPLETED',
        state: { questionsAsked: 0, excludedRateIds: [], notices: [] },
      });
      const rateId = state?.rateDecision?.chosen?.rateId;
      // Of our clock, as exactly as a date of whole seconds tells.
      const expiresAtMs = Date.parse(state?.rates.find((rate) => rate.rateId === rateId)?.expiresAt ?? '');
      expect(expiresAtMs - startedAtMs).toBeGreaterThan((LIFETIME_S - 10) * 1_000);
      expect(expiresAtMs - Date.now()).toBeLessThan((LIFETIME_S + 10) * 1_000);
      expect(harness.ledgerOf(order)).toMatchObject({
        ...{ created: 1, liveBookings: 1, mostLiveBookings: 1, rateRequests: [{}] },
        acceptances: [{ rateId, outcome: 'booked' }],
      });
    }
  },
);

test('a rate that has expired at a marketplace whose clock is an hour ahead is no longer accepted', async () => {
  harness.sandbox.setSwitches({ clockSkewInSeconds: AHEAD_S, rateLifetimeInSeconds: SHORT_S });
  const order = ltl();
  harness.sandbox.trouble({ when: 'acceptRate', what: 'ipRefused', times: 1 });
  await harness.start(order, { rates });
  await paused(harness, [order]);
  const { rateId, expiresAt } = await rateOf(order);
  harness.sandbox.setSwitches({ rateLifetimeInSeconds: LIFETIME_S });
  await harness.until(order, () => Date.now() >= Date.parse(expiresAt));
  await resume(harness);
  expect(await harness.ended(order)).toMatchObject({
    status: 'COMPLETED',
    state: { questionsAsked: 0, notices: [] },
  });
  const { acceptances, ...ledger } = harness.ledgerOf(order);
  expect(ledger).toMatchObject({ created: 1, mostLiveBookings: 1, rateRequests: [{}, {}] });
  expect(acceptances).toMatchObject([{ outcome: 'booked' }]);
  expect(acceptances[0]?.rateId).not.toBe(rateId);
});
