import path from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import type { ShipmentState } from '../../src/domain/shipment-state';
import { anLtlShipment } from '../support/builders';
import { FAST_POLICY } from '../support/harness';
import { withWorld, type World } from '../support/worker-world';

/** Real worker processes whose clock is wrong, while Temporal and the marketplace have the right time. */
const SHIFTED_CLOCK = path.join(__dirname, '..', 'support', 'shifted-clock.js');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long rates live, and how near to their expiry they may be taken: a wrong clock would choose otherwise. */
const ORDERS = [
  { orderId: 'SW-taken-10-minutes', livesMs: 9 * MINUTE_MS, marginMs: 5 * MINUTE_MS, isTaken: true },
  { orderId: 'SW-refused-10-minutes', livesMs: 5 * MINUTE_MS, marginMs: 9 * MINUTE_MS, isTaken: false },
  { orderId: 'SW-taken-day', livesMs: 18 * HOUR_MS, marginMs: 6 * HOUR_MS, isTaken: true },
  { orderId: 'SW-refused-day', livesMs: 6 * HOUR_MS, marginMs: 18 * HOUR_MS, isTaken: false },
];

/** What a person reads of the choice, without the ids and instants that differ between any two runs. */
interface Outcome {
  readonly orderId: string;
  readonly carrier: string | null;
  readonly losses: readonly string[];
  readonly question: string | null;
  readonly timeline: readonly string[];
}

/** Carriers answer in any order, and so they are listed. */
const anyRun = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '(time)')
    .replaceAll(/\b(?=\w*\d)[0-9a-f]{8,}\b/g, '(id)')
    .split(/; |\. /)
    .toSorted()
    .join('; ');

function outcomeOf(orderId: string, { rateDecision, question, timeline }: ShipmentState): Outcome {
  const lines = timeline.map(({ what }) => anyRun(what));
  // What comes after the booking is the truck's, and comes when it comes.
  const booked = lines.findIndex((line) => line.startsWith('booked'));
  return {
    orderId,
    carrier: rateDecision?.chosen?.carrier.displayName ?? null,
    losses: (rateDecision?.losses ?? []).map(({ carrier, why }) => `${carrier}: ${anyRun(why)}`).toSorted(),
    question: question === null ? null : anyRun(question.text),
    timeline: booked < 0 ? lines : lines.slice(0, booked + 1),
  };
}

async function outcomeIn(world: World, { orderId, marginMs }: (typeof ORDERS)[number]): Promise<Outcome> {
  const order = anLtlShipment({ orderId });
  const patient = { enough: 6, quietMs: MINUTE_MS, maximumWaitMs: MINUTE_MS, maximumRequests: 1 };
  await world.start(order, { rates: { ...FAST_POLICY.rates, ...patient, expiryMarginMs: marginMs } });
  const { state } = await world.until(
    order,
    (view) =>
      view.state !== null &&
      (view.state.question !== null || view.state.timeline.some(({ what }) => what.startsWith('booked'))),
  );
  if (state === null) throw new TypeError('no state');
  return outcomeOf(orderId, state);
}

async function outcomesWith(shiftMs: number): Promise<readonly Outcome[]> {
  let outcomes: readonly Outcome[] = [];
  const clock = { NODE_OPTIONS: `--require "${SHIFTED_CLOCK}"`, CLOCK_SHIFT_MS: String(shiftMs) };
  await withWorld({ hasWebhooks: false, isPersistent: false, workerEnvironment: clock }, async (world) => {
    const lives = ORDERS.map(({ orderId, livesMs }) => {
      return [`acme/${orderId}`, { rateLifetimeInSeconds: livesMs / 1_000 }] as const;
    });
    world.sandbox.setSwitches({ orders: Object.fromEntries(lives) });
    outcomes = await Promise.all(ORDERS.map(async (order) => await outcomeIn(world, order)));
  });
  return outcomes;
}

let right: readonly Outcome[];
beforeAll(async () => {
  right = await outcomesWith(0);
}, 120_000);

test('with the right time half of the orders can accept their rates, and the other rates have expired', () => {
  expect(right.map(({ carrier }) => carrier !== null)).toEqual(ORDERS.map(({ isTaken }) => isTaken));
  expect(right.map(({ question }) => question === null)).toEqual(ORDERS.map(({ isTaken }) => isTaken));
});

test.each([
  ['10 minutes ahead', 10 * MINUTE_MS],
  ['10 minutes behind', -10 * MINUTE_MS],
  ['a day ahead', DAY_MS],
  ['a day behind', -DAY_MS],
])(
  'a worker whose clock is %s accepts the same rates and says the same as one with the right time',
  async (_, shiftMs) => {
    expect(await outcomesWith(shiftMs)).toEqual(right);
  },
  120_000,
);
