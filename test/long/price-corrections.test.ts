import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { WorkflowNotFoundError } from '@temporalio/client';
import { formatMoney } from '../../src/domain/money';
import { needsAttention, type LateEventState } from '../../src/domain/late-event';
import { priceLines } from '../../src/domain/shipment-result';
import type { ShipmentPolicy } from '../../src/domain/policy';
import type { Shipment } from '../../src/domain/shipment';
import type { Phase, ShipmentState } from '../../src/domain/shipment-state';
import { lateEventWorkflowId, orderReference } from '../../src/domain/workflow-id';
import { EventClient } from '../../src/starter/client/event-client';
import * as messages from '../../src/contract/messages';
import { numberedOrders } from '../support/builders';
import { BY, startHarness, type Harness } from '../support/harness';
import { until } from '../support/temporal';

let harness: Harness;
const { furniture, ltl } = numberedOrders('P');
const orderOf = { furniture, ltl };
const KINDS = ['furniture', 'ltl'] as const;
/** Long enough for two corrections to be seen one after the other, also by a machine that has much to do. */
const SETTLEMENT = { settlementWindowMs: 6_000, priceTolerancePercent: 100 };

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 }, switches: { transit: 'manual' } });
}, 60_000);
afterAll(async () => await harness?.close());

const usd = (minorUnits: number) => ({ minorUnits, currency: 'USD' });

interface Priced {
  readonly shipment: Shipment;
  readonly listingId: string;
  /** Of the listing by the marketplace's record; whole cents. */
  readonly cost: number;
  /** What the customer was told to pay. */
  readonly customerPrice: object;
}

async function isAt(shipment: Shipment, phase: Phase): Promise<ShipmentState> {
  const { state } = await harness.until(shipment, (view) => view.state?.at.phase === phase);
  if (state === null) throw new TypeError('a phase without a state');
  return state;
}

async function booked(shipment: Shipment, policy: Partial<ShipmentPolicy>): Promise<Priced> {
  await harness.start(shipment, policy);
  const { listing, fixedPrice, rateDecision } = await isAt(shipment, 'booked');
  const customerPrice = fixedPrice?.total ?? rateDecision?.chosen?.totalPrice;
  if (listing?.totalCost == null || customerPrice === undefined)
    throw new TypeError('booked without a price');
  const { listingId, totalCost } = listing;
  return { shipment, listingId, cost: totalCost.minorUnits, customerPrice };
}

/** Takes the shipment a step further, and waits until it was seen there. */
async function moved({ shipment, listingId }: Priced, to: 'PickedUp' | 'Delivered'): Promise<void> {
  harness.sandbox.controls.advance(listingId, { to });
  await isAt(shipment, to === 'Delivered' ? 'delivered' : 'inTransit');
}

/** Changes the price by so many cents, and waits until the shipment has it. */
async function corrected(
  { shipment, listingId }: Priced,
  [cents, cost]: readonly [number, number],
): Promise<void> {
  harness.sandbox.controls.adjustPrice(listingId, { amount: cents / 100 });
  await harness.until(shipment, ({ state }) => state?.listing?.totalCost?.minorUnits === cost);
}

/** How the order completes: what its result says of the price, and what people read of it. */
async function completed({ shipment, customerPrice }: Priced, cost: number): Promise<ShipmentState> {
  const { status, state } = await harness.ended(shipment);
  expect(status).toBe('COMPLETED');
  await expect(harness.handleOf(shipment).result()).resolves.toMatchObject({
    price: usd(cost),
    customerPrice,
  });
  if (state === null) throw new TypeError('completed without a state');
  expect(priceLines(state)).toContainEqual([
    'Listing costs',
    expect.stringContaining(formatMoney(usd(cost))),
  ]);
  expect(state.questionsAsked).toBe(0);
  expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, liveBookings: 1, mostLiveBookings: 1 });
  return state;
}

const change = (from: number, to: number): string =>
  `price corrected from ${formatMoney(usd(from))} to ${formatMoney(usd(to))}`;
const afterDelivery = (from: number, to: number): string =>
  `${change(from, to)} after delivery; it can be disputed for 72 business hours`;
const linesOf = ({ timeline }: ShipmentState): string[] => timeline.map(({ what }) => what);

test.concurrent.each(KINDS)(
  'a %s price that is corrected twice after delivery is reported twice, and the last one settles',
  async (kind) => {
    const priced = await booked(orderOf[kind](), SETTLEMENT);
    const { cost } = priced;
    await moved(priced, 'Delivered');
    await corrected(priced, [2_500, cost + 2_500]);
    await corrected(priced, [-425, cost + 2_075]);
    const state = await completed(priced, cost + 2_075);
    expect(state.notices).toEqual([
      afterDelivery(cost, cost + 2_500),
      afterDelivery(cost + 2_500, cost + 2_075),
    ]);
    expect(linesOf(state)).toEqual(
      expect.arrayContaining([change(cost, cost + 2_500), change(cost + 2_500, cost + 2_075)]),
    );
  },
);

test.concurrent.each(KINDS)(
  'a %s price that is corrected in transit is in the timeline, and cannot be disputed',
  async (kind) => {
    const priced = await booked(orderOf[kind](), { ...SETTLEMENT, settlementWindowMs: 300 });
    const { cost } = priced;
    await moved(priced, 'PickedUp');
    await corrected(priced, [1_250, cost + 1_250]);
    harness.sandbox.controls.advance(priced.listingId, { to: 'Delivered' });
    const state = await completed(priced, cost + 1_250);
    expect(state.notices).toEqual([]);
    expect(linesOf(state)).toContain(change(cost, cost + 1_250));
  },
);

const lateOf = ({ shipment: { account, orderId }, listingId }: Priced) =>
  harness.temporal.client.workflow.getHandle(lateEventWorkflowId(account, orderId, listingId));

/** Waits until a person is asked, or is not asked any more, about what came after the end. */
async function late(priced: Priced, isSo: (state: LateEventState) => boolean): Promise<LateEventState> {
  const seen: LateEventState[] = [];
  await until(async () => {
    try {
      seen.push(await lateOf(priced).query(messages.lateEventStateQuery));
    } catch (error) {
      // The event has not come yet.
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
    return seen.slice(-1).some(isSo);
  });
  const [state] = seen.slice(-1);
  if (state === undefined) throw new TypeError('nothing came late');
  return state;
}

const asks = (cost: number) => (state: LateEventState) =>
  needsAttention(state) && state.asks?.text.includes(`is ${formatMoney(usd(cost))} now`) === true;

/** The price was lowered while it was awaited, and the order is over. */
async function lowered(kind: (typeof KINDS)[number]): Promise<Priced> {
  const priced = await booked(orderOf[kind](), SETTLEMENT);
  const cost = priced.cost - 750;
  await moved(priced, 'Delivered');
  await corrected(priced, [-750, cost]);
  const { notices } = await completed(priced, cost);
  expect(notices).toEqual([afterDelivery(priced.cost, cost)]);
  return { ...priced, cost };
}

test.concurrent.each(KINDS)(
  'a %s price that is corrected after the end asks until it is acknowledged, and again after the next correction',
  async (kind) => {
    const priced = await lowered(kind);
    const { cost, shipment, listingId } = priced;
    const { account, orderId } = shipment;
    const events = new EventClient(harness.temporal.client);
    harness.sandbox.controls.adjustPrice(listingId, { amount: 18 });
    const first = await late(priced, asks(cost + 1_800));
    expect(first.asks).toMatchObject({ matter: 'lateAdjustment' });
    expect(first.asks?.text).toContain(
      `order ${orderReference(account, orderId)} completed at ${formatMoney(usd(cost))}`,
    );
    await events.acknowledge({ account, orderId, listingId }, BY);
    expect(await late(priced, (state) => !needsAttention(state))).toMatchObject({ acknowledged: BY });

    harness.sandbox.controls.adjustPrice(listingId, { amount: 4.5 });
    await late(priced, asks(cost + 2_250));
    harness.sandbox.controls.adjustPrice(listingId, { total: cost / 100 });
    await expect(lateOf(priced).result()).resolves.toMatchObject({ outcome: 'the price is as it was' });
    await expect(harness.handleOf(shipment).result()).resolves.toMatchObject({ price: usd(cost) });
    expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, liveBookings: 1, mostLiveBookings: 1 });
  },
);

test.concurrent.each(KINDS)(
  'a %s price beyond the tolerance is asked about, and is the measure once a person approves it',
  async (kind) => {
    const priced = await booked(orderOf[kind](), { settlementWindowMs: 3_000, priceTolerancePercent: 5 });
    const { cost, shipment } = priced;
    await moved(priced, 'PickedUp');
    await corrected(priced, [10_000, cost + 10_000]);
    const questionId = await harness.asked(shipment, 'priceChanged');
    const { state } = await harness.until(shipment, () => true);
    expect(state?.question?.text).toContain(
      `costs ${formatMoney(usd(cost + 10_000))} now; ${formatMoney(usd(cost))} was accepted`,
    );
    expect(state?.question?.text).toContain('within 72 business hours');
    await harness.handleOf(shipment).executeUpdate(messages.approvePriceUpdate, {
      args: [{ questionId, ...BY }],
    });
    await harness.until(shipment, (view) => view.state?.question === null);
    harness.sandbox.controls.advance(priced.listingId, { to: 'Delivered' });
    const end = await harness.ended(shipment);
    expect(end).toMatchObject({
      status: 'COMPLETED',
      state: { questionsAsked: 1, acceptedPrice: usd(cost + 10_000) },
    });
  },
);

test('a raised price that nobody approves does not hold the order up, and is in its result', async () => {
  const priced = await booked(orderOf.ltl(), { settlementWindowMs: 1_000, priceTolerancePercent: 5 });
  await moved(priced, 'PickedUp');
  await corrected(priced, [10_000, priced.cost + 10_000]);
  await harness.asked(priced.shipment, 'priceChanged');
  harness.sandbox.controls.advance(priced.listingId, { to: 'Delivered' });
  const { status, state } = await harness.ended(priced.shipment);
  expect(status).toBe('COMPLETED');
  expect(state?.question).toBeNull();
  expect(state?.notices).toContain(`nobody approved the price of ${formatMoney(usd(priced.cost + 10_000))}`);
});
