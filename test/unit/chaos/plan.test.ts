import { expect, test } from '@jest/globals';
import { planFaults } from '../../../src/chaos/faults';
import { killSchedule, type Kill } from '../../../src/chaos/kills';
import { generateOrders } from '../../../src/chaos/orders';
import { chaosSchema } from '../../../src/sandbox/chaos';
import { faultSchema } from '../../../src/sandbox/faults';
import { switchChangesSchema } from '../../../src/sandbox/switches';
import { NOW, read } from '../orders/documents';

test('every generated order is one that our own rules take, of both kinds', () => {
  const orders = generateOrders(200, 'seed', NOW);
  for (const order of orders) expect(read(order)).toMatchObject({ ok: true, shipment: { kind: order.kind } });
  expect(new Set(orders.map(({ kind }) => kind))).toEqual(new Set(['furniture', 'ltl']));
  expect(new Set(orders.map(({ orderId }) => orderId)).size).toBe(200);
});

test('the same seed gives the same orders and faults, and a longer run begins with those of a shorter one', () => {
  const orders = generateOrders(50, 'seed', NOW);
  expect(generateOrders(50, 'seed', NOW)).toEqual(orders);
  expect(generateOrders(80, 'seed', NOW).slice(0, 50)).toEqual(orders);
  expect(generateOrders(50, 'other', NOW)).not.toEqual(orders);
  expect(planFaults(orders, 'seed')).toEqual(planFaults(orders, 'seed'));
  expect(planFaults(orders, 'other')).not.toEqual(planFaults(orders, 'seed'));
});

test('the sandbox takes every planned fault, and both writes that book lose answers by them', () => {
  const { faults, chaos, switches } = planFaults(generateOrders(200, 'seed', NOW), 'seed');
  expect(() => chaosSchema.parse(chaos)).not.toThrow();
  expect(() => switchChangesSchema.parse(switches)).not.toThrow();
  for (const fault of faults) expect(() => faultSchema.parse(fault)).not.toThrow();
  for (const endpoint of ['createListing', 'acceptRate']) {
    const kinds = faults.filter((fault) => fault.endpoint === endpoint).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['hangUpAfter', 'hangUpBefore', 'stall', 'noLocation']));
  }
});

test('no fault lets a request act later than anybody waits for it, because nobody who looks would see it', () => {
  const { faults } = planFaults(generateOrders(300, 'seed', NOW), 'seed');
  const late = faults.filter(({ kind }) => kind === 'delayBefore');
  expect(late.length).toBeGreaterThan(0);
  for (const { delayMs } of late) expect(delayMs).toBeLessThan(4_000);
});

test('the seed gives the schedule of kills, and each part is killed once among the first three', () => {
  const first = (seed: string, count: number): Kill[] => {
    const schedule = killSchedule(seed);
    return Array.from({ length: count }, () => schedule.next().value);
  };
  expect(first('seed', 20)).toEqual(first('seed', 20));
  expect(first('other', 20)).not.toEqual(first('seed', 20));
  const victims = first('seed', 3).map(({ victim }) => victim);
  expect(new Set(victims)).toEqual(new Set(['worker', 'temporal', 'webhooks']));
});
