import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ShipmentPolicy } from '../../src/domain/policy';
import type { Shipment } from '../../src/domain/shipment';
import type { OrderSwitches } from '../../src/sandbox/order-switches';
import { numberedOrders } from '../support/builders';
import { FAST_POLICY, startHarness, type Harness } from '../support/harness';

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

describe('rates that are over when they are collected', () => {
  const OVER = { rateLifetimeInSeconds: 1 };
  const TOO_LATE = { expiryMarginMs: 1_500, minimumWaitMs: 1_500, enough: 1, maximumWaitMs: 2_500 };

  test('are asked for anew once; a request that is simply empty is no withdrawal', async () => {
    const shipment = ltl();
    setSwitchesOf(shipment, OVER);
    await harness.start(shipment, withRates(TOO_LATE));
    await harness.until(shipment, () => requestsOf(shipment) === 1);
    setSwitchesOf(shipment, { rates: 'none' });
    await harness.asked(shipment, 'noRates');
    const { state } = await harness.until(shipment, () => true);
    expect(state?.question?.text).toContain('No carrier offered a rate.');
    expect(requestsOf(shipment)).toBe(2);
  });

  test('and that the policy refuses anyway are a question at once', async () => {
    const shipment = ltl();
    setSwitchesOf(shipment, OVER);
    const rateRule = { ...FAST_POLICY.rateRule, minimumStars: 5 };
    await harness.start(shipment, withRates(TOO_LATE, { rateRule }));
    await harness.asked(shipment, 'rateChoice');
    expect(requestsOf(shipment)).toBe(1);
  });
});
