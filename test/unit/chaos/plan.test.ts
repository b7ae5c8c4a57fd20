import { expect, test } from '@jest/globals';
import { planAcceptances } from '../../../chaos/acceptances';
import { planFaults } from '../../../chaos/faults';
import { MISHAPS } from '../../../chaos/mishap-table';
import { signInOf, OUTAGES, outagesOf } from '../../../chaos/outages';
import { killSchedule, type Kill } from '../../../chaos/kills';
import { generateOrders } from '../../../chaos/orders';
import { chaosSchema } from '../../../sandbox/chaos';
import { faultSchema } from '../../../sandbox/faults';
import { orderSwitchesSchema } from '../../../sandbox/order-switches';
import { switchChangesSchema } from '../../../sandbox/switches';
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

test('a long run refuses both calls that book in ways that some can read, and nobody can', () => {
  const { faults } = planFaults(generateOrders(500, 'seed', NOW), 'seed');
  for (const endpoint of ['createListing', 'acceptRate']) {
    const own = faults.filter((fault) => fault.endpoint === endpoint);
    const encodings = own.map(({ encoding }) => encoding);
    expect(encodings).toEqual(expect.arrayContaining(['gzip', 'deflate', 'br', 'broken']));
    expect(own.map(({ contentType }) => contentType)).toContain('text/html');
  }
  const absent = faults.filter(({ kind }) => kind === 'falseAbsence');
  expect(new Set(absent.map(({ endpoint }) => endpoint))).toEqual(new Set(['deleteListing']));
});

test('the bad elements of an order are those of all its mishaps', () => {
  const { mishaps, switches } = planFaults(generateOrders(1500, 'seed', NOW), 'seed');
  const both = [...mishaps].filter(
    ([, drawn]) => drawn.filter((mishap) => mishap.switches?.badElements !== undefined).length > 1,
  );
  expect(both.length).toBeGreaterThan(0);
  for (const [orderId, drawn] of both)
    expect(switches.orders?.[`acme/${orderId}`]?.badElements).toEqual(
      drawn.flatMap((mishap) => mishap.switches?.badElements ?? []),
    );
});

test('no order whose status nobody knows has a listing that expires, or is cancelled, by a script', () => {
  const { switches } = planFaults(generateOrders(500, 'seed', NOW), 'seed');
  const unknown = Object.values(switches.orders ?? {}).filter(({ statusForm }) => statusForm === 'unknown');
  expect(unknown.length).toBeGreaterThan(0);
  expect(unknown.filter(({ mishapScript = [] }) => mishapScript.length > 0)).toEqual([]);
});

test('no fault lets a request act later than anybody waits for it, because nobody who looks would see it', () => {
  const { faults } = planFaults(generateOrders(300, 'seed', NOW), 'seed');
  const late = faults.filter(({ kind }) => kind === 'delayBefore');
  expect(late.length).toBeGreaterThan(0);
  for (const { delayMs } of late) expect(delayMs).toBeLessThan(4_000);
});

test('the acceptances of an order are its own, whatever the others do', () => {
  const orders = generateOrders(60, 'seed', NOW);
  const { faults, switches } = planFaults(orders, 'seed');
  expect(switches.acceptanceScript).toBeUndefined();
  for (const order of orders) {
    const { script, faults: own } = planAcceptances(order, 'seed');
    const reference = `acme/${order.orderId}`;
    expect(switches.orders?.[reference]?.acceptanceScript?.slice(-script.length || Infinity)).toEqual(script);
    expect(faults.filter((fault) => fault.reference === reference)).toEqual(expect.arrayContaining([...own]));
    expect(own.filter((fault) => fault.reference !== reference)).toEqual([]);
  }
  expect(faults.filter(({ reference }) => reference === undefined)).toEqual([]);
});

test('acceptances end in every way that the sandbox knows, and differ from order to order', () => {
  const orders = generateOrders(200, 'seed', NOW).filter(({ kind }) => kind === 'ltl');
  const scripts = orders.map((order) => planAcceptances(order, 'seed').script);
  expect(new Set(scripts.flat())).toEqual(new Set(orderSwitchesSchema.shape.acceptance.options));
  expect(new Set(scripts.map(String)).size).toBeGreaterThan(20);
});

test('the script of the mishaps comes before what is drawn for the order', () => {
  const { mishaps, switches } = planFaults(generateOrders(60, 'seed', NOW), 'seed');
  const scripted = [...mishaps].filter(([, drawn]) =>
    drawn.some((mishap) => mishap.switches?.acceptanceScript !== undefined),
  );
  expect(scripted.length).toBeGreaterThan(0);
  for (const [orderId, drawn] of scripted)
    expect(switches.orders?.[`acme/${orderId}`]?.acceptanceScript?.[0]).toBe(
      drawn.flatMap((mishap) => mishap.switches?.acceptanceScript ?? [])[0],
    );
});

test.each(['seed', '3', 'other'])('sixty orders of the seed %s meet every mishap', (seed) => {
  const { mishaps } = planFaults(generateOrders(60, seed, NOW), seed);
  const names = [...mishaps.values()].flat().map(({ name }) => name);
  expect(MISHAPS.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([]);
});

test('a longer run begins with the mishaps of a shorter one', () => {
  const of = (count: number) => [...planFaults(generateOrders(count, 'seed', NOW), 'seed').mishaps];
  expect(of(80).slice(0, 50)).toEqual(of(50));
});

test('no order has a second listing that a carrier books in the moment of its deletion', () => {
  const { mishaps } = planFaults(generateOrders(500, 'seed', NOW), 'seed');
  const both = [...mishaps.values()].filter(
    (drawn) =>
      drawn.some(({ action }) => action?.does.kind === 'secondListing') &&
      drawn.some(({ faults }) => faults?.some(({ kind }) => kind === 'bookBefore')),
  );
  expect(both).toEqual([]);
});

test('what befalls the listings of an order is one script, of all its mishaps', () => {
  const { mishaps, switches } = planFaults(generateOrders(300, 'seed', NOW), 'seed');
  const scripted = [...mishaps].filter(
    ([, drawn]) => drawn.filter((mishap) => mishap.switches?.mishapScript !== undefined).length > 1,
  );
  expect(scripted.length).toBeGreaterThan(0);
  for (const [orderId, drawn] of scripted)
    expect(switches.orders?.[`acme/${orderId}`]?.mishapScript).toEqual(
      drawn.flatMap((mishap) => mishap.switches?.mishapScript ?? []),
    );
});

test('every mishap can be seen to be met: by its faults, its action, or the ledger', () => {
  const unseen = MISHAPS.filter(
    ({ faults, action, isMet }) => faults === undefined && action === undefined && isMet === undefined,
  );
  expect(unseen).toEqual([]);
  expect(new Set(MISHAPS.map(({ name }) => name)).size).toBe(MISHAPS.length);
});

test('every trouble of a while comes to one seed or another, and the same seed gives the same', () => {
  const first = (seed: string): string[] => {
    const outages = outagesOf(seed);
    return Array.from({ length: 10 }, () => outages.next().value.name);
  };
  expect(first('3')).toEqual(first('3'));
  expect(new Set(['3', '4', '5', '6'].flatMap(first))).toEqual(new Set(OUTAGES.map(({ name }) => name)));
  for (const outage of OUTAGES) {
    if (!('during' in outage)) continue;
    expect(switchChangesSchema.safeParse(outage.during).success).toBe(true);
    // What ends it ends all of it.
    expect(Object.keys(outage.after)).toEqual(Object.keys(outage.during));
  }
});

test('an account proves itself by a key, by tokens of a client or by those of a user, as the seed has it', () => {
  expect(['3', '4', '5'].map(signInOf)).toEqual(['key', 'token', 'userToken']);
  const names = (seed: string): string[] => {
    const outages = outagesOf(seed);
    return Array.from({ length: 10 }, () => outages.next().value.name);
  };
  expect(names('5')).toContain('tokens and sign-ins end');
  expect(names('5')).not.toContain('key rotated');
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
