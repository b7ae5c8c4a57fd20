import { expect, test } from '@jest/globals';
import { simulate, type Fleet, type SimulatedLoad } from '../../../bench/scale/simulate';
import { DEFAULT_POLICY } from '../../../src/domain/default-policy';

const FLEET: Fleet = {
  ...{ open: 400, daysBooked: 0.5, daysInTransit: 6.5, daysSettling: 9 },
  ...{ callsPerOrder: 28, hasWebhooks: true, hasPositions: false },
};

/** Numbers from 0 to 1 that are the same in each run. */
function numbers(): () => number {
  let seed = 1;
  return () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
}

const day = (
  fleet: Partial<Fleet>,
  callsPerSecond: number | null = null,
): SimulatedLoad & { readonly callsPerDay: number } => {
  const load = simulate({
    ...{ fleet: { ...FLEET, ...fleet }, policy: DEFAULT_POLICY, callsPerSecond, random: numbers() },
  });
  const { orders, listing, tracking } = load.calls;
  return { ...load, callsPerDay: orders + listing + tracking };
};

const HOUR_MS = 3_600_000;

test('without a limit, a simulated day has the calls that the paces of the policy make', () => {
  const { sweepPace, sweepWidening, trackingPace } = DEFAULT_POLICY;
  const sweeps = (24 * HOUR_MS) / (sweepPace.maximumMs * sweepWidening);
  const looks = ((24 * HOUR_MS) / trackingPace.maximumMs) * (6.5 / 16);
  const expected = FLEET.open * (sweeps + looks) + 25 * FLEET.callsPerOrder;
  const load = day({});
  expect(load.ordersPerDay).toBe(25);
  expect(load.callsPerDay / expected).toBeGreaterThan(0.95);
  expect(load.callsPerDay / expected).toBeLessThan(1.05);
  expect(load.left).toBe(0);
});

test('twice the shipments make twice the calls', () => {
  expect(day({ open: 800 }).callsPerDay / day({}).callsPerDay).toBeCloseTo(2, 1);
});

test('a limit below one call per second lets calls begin at its pace', () => {
  expect(day({}, 0.01).callsPerDay).toBe(864);
});

test('the position of a moving truck makes tracking closer, and leaves the readings of listings alone', () => {
  const [still, moving] = [day({}), day({ hasPositions: true })];
  // News every 6 hours: 15 and 30 minutes, an hour, and then two hours until it is due again.
  expect(moving.calls.tracking / still.calls.tracking).toBeGreaterThan(1.4);
  expect(moving.calls.tracking / still.calls.tracking).toBeLessThan(1.8);
  expect(moving.calls.listing / still.calls.listing).toBeCloseTo(1, 1);
});

test('without webhooks the sweeps are as close as the policy says', () => {
  expect(day({ hasWebhooks: false }).callsPerDay).toBeGreaterThan(3 * day({}).callsPerDay);
});

test('beyond the limit polls wait, and the calls of orders do not', () => {
  const { orderWait, pollWait, left, callsPerDay } = day({ open: 40_000 }, 4);
  expect(orderWait.p99).toBeLessThanOrEqual(1);
  expect(pollWait.median).toBeGreaterThan(3_600);
  expect(left).toBeGreaterThan(0);
  expect(callsPerDay).toBeLessThanOrEqual(4 * 86_400);
});
