import { expect, test } from '@jest/globals';
import { MISHAPS } from '../../../chaos/mishap-table';
import { secondListing } from '../../../chaos/scripted-actions';
import { signInOf, OUTAGES, outagesOf } from '../../../chaos/outages';
import { killSchedule, type Kill } from '../../../chaos/kills';
import { generateOrders } from '../../../chaos/orders';
import { acceptanceTroubles, planTroubles } from '../../../chaos/plan';
import type { TroubleInput } from '../../../sandbox';
import { acceptanceTroubles as everyCourse } from '../../../sandbox/model/state';
import { switchChangesSchema } from '../../../sandbox/model/switches';
import { isAnswerTrouble, troubleSchema, type AnswerTrouble } from '../../../sandbox/troubles/trouble';
import { NOW, read } from '../orders/documents';

test('every generated order is one that our own rules take, of both kinds', () => {
  const orders = generateOrders(200, 'seed', NOW);
  for (const order of orders) expect(read(order)).toMatchObject({ ok: true, shipment: { kind: order.kind } });
  expect(new Set(orders.map(({ kind }) => kind))).toEqual(new Set(['furniture', 'ltl']));
  expect(new Set(orders.map(({ orderId }) => orderId)).size).toBe(200);
});

test('the same seed gives the same orders and troubles, and a longer run begins with those of a shorter one', () => {
  const orders = generateOrders(50, 'seed', NOW);
  expect(generateOrders(50, 'seed', NOW)).toEqual(orders);
  expect(generateOrders(80, 'seed', NOW).slice(0, 50)).toEqual(orders);
  expect(generateOrders(50, 'other', NOW)).not.toEqual(orders);
  expect(planTroubles(orders, 'seed')).toEqual(planTroubles(orders, 'seed'));
  expect(planTroubles(orders, 'other')).not.toEqual(planTroubles(orders, 'seed'));
});

const kindOf = ({ what }: TroubleInput): string => (typeof what === 'string' ? what : what.kind);
const requestOf = ({ when }: TroubleInput): string | undefined =>
  typeof when === 'string' ? when : when?.request;
const isOfListing = ({ when }: TroubleInput): boolean =>
  typeof when === 'object' && when.listing !== undefined;
const isCourse = (trouble: TroubleInput): boolean => everyCourse.some((course) => course === kindOf(trouble));
const whatOf = ({ what }: TroubleInput): Partial<AnswerTrouble> => {
  const parsed = troubleSchema.parse({ when: '*', what }).what;
  return isAnswerTrouble(parsed) && parsed.kind !== 'anything' ? parsed : {};
};

test('the sandbox takes every planned trouble, and both writes that book lose answers by them', () => {
  const { troubles, switches } = planTroubles(generateOrders(200, 'seed', NOW), 'seed');
  expect(() => switchChangesSchema.parse(switches)).not.toThrow();
  for (const trouble of troubles) expect(() => troubleSchema.parse(trouble)).not.toThrow();
  for (const endpoint of ['createListing', 'acceptRate']) {
    const kinds = troubles.filter((trouble) => requestOf(trouble) === endpoint).map(kindOf);
    expect(kinds).toEqual(expect.arrayContaining(['hangUpAfter', 'hangUpBefore', 'stall', 'noLocation']));
  }
});

test('a long run refuses both calls that book in ways that some can read, and nobody can', () => {
  const { troubles } = planTroubles(generateOrders(500, 'seed', NOW), 'seed');
  for (const endpoint of ['createListing', 'acceptRate']) {
    const own = troubles.filter((trouble) => requestOf(trouble) === endpoint).map(whatOf);
    const encodings = own.map(({ encoding }) => encoding);
    expect(encodings).toEqual(expect.arrayContaining(['gzip', 'deflate', 'br', 'broken']));
    expect(own.map(({ contentType }) => contentType)).toContain('text/html');
  }
  const absent = troubles.filter((trouble) => kindOf(trouble) === 'falseAbsence');
  expect(new Set(absent.map(requestOf))).toEqual(new Set(['deleteListing']));
});

test('the bad elements of an order are those of all its mishaps', () => {
  const { mishaps, switches } = planTroubles(generateOrders(1500, 'seed', NOW), 'seed');
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
  const { mishaps } = planTroubles(generateOrders(500, 'seed', NOW), 'seed');
  const unknown = [...mishaps.values()].filter((drawn) =>
    drawn.some(({ switches }) => switches?.statusForm === 'unknown'),
  );
  expect(unknown.length).toBeGreaterThan(0);
  expect(unknown.filter((drawn) => drawn.some(({ troubles = [] }) => troubles.some(isOfListing)))).toEqual(
    [],
  );
});

test('no trouble lets a request act later than anybody waits for it, because nobody who looks would see it', () => {
  const { troubles } = planTroubles(generateOrders(300, 'seed', NOW), 'seed');
  const late = troubles.filter((trouble) => kindOf(trouble) === 'delayBefore');
  expect(late.length).toBeGreaterThan(0);
  for (const trouble of late) expect(whatOf(trouble).delayMs).toBeLessThan(4_000);
});

test('the acceptances of an order are its own, whatever the others do', () => {
  const orders = generateOrders(60, 'seed', NOW);
  const { troubles } = planTroubles(orders, 'seed');
  for (const order of orders.filter(({ kind }) => kind === 'ltl')) {
    const own = acceptanceTroubles(order, 'seed');
    const reference = `acme/${order.orderId}`;
    expect(troubles.filter(({ whom }) => whom === reference)).toEqual(expect.arrayContaining(own));
    expect(own.filter(({ whom }) => whom !== reference)).toEqual([]);
  }
  // Nothing but what is drawn for every request, and for every event, is of all orders.
  const ofAll = troubles.filter(({ whom }) => whom === undefined);
  expect(ofAll.every(({ when }) => typeof when === 'object' && when.chance !== undefined)).toBe(true);
});

test('acceptances end in every way that the sandbox knows, and differ from order to order', () => {
  const orders = generateOrders(200, 'seed', NOW).filter(({ kind }) => kind === 'ltl');
  const courses = orders.map((order) => acceptanceTroubles(order, 'seed').filter(isCourse).map(kindOf));
  expect(new Set(courses.flat())).toEqual(new Set(everyCourse));
  expect(new Set(courses.map(String)).size).toBeGreaterThan(20);
});

test('an acceptance that is booked lets the next trouble of its order pass once', () => {
  const { troubles } = planTroubles(generateOrders(200, 'seed', NOW), 'seed');
  const passes = troubles.filter(isCourse).map(({ when }) => (typeof when === 'object' ? when.after : 0));
  expect(new Set(passes)).toEqual(new Set([0, 1, 2, 3]));
});

test('the acceptances of the mishaps come before what is drawn for the order', () => {
  const { mishaps, troubles } = planTroubles(generateOrders(60, 'seed', NOW), 'seed');
  const scripted = [...mishaps].flatMap(([orderId, drawn]) => {
    const [first] = drawn.flatMap((mishap) => mishap.troubles ?? []).filter(isCourse);
    return first === undefined ? [] : [{ whom: `acme/${orderId}`, first: kindOf(first) }];
  });
  expect(scripted.length).toBeGreaterThan(0);
  for (const { whom, first } of scripted) {
    const own = troubles.filter((trouble) => trouble.whom === whom && isCourse(trouble));
    expect(own.map(kindOf)[0]).toBe(first);
  }
});

test.each(['seed', '3', 'other'])('sixty orders of the seed %s meet every mishap', (seed) => {
  const { mishaps } = planTroubles(generateOrders(60, seed, NOW), seed);
  const names = [...mishaps.values()].flat().map(({ name }) => name);
  expect(MISHAPS.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([]);
});

test('a longer run begins with the mishaps of a shorter one', () => {
  const of = (count: number) => [...planTroubles(generateOrders(count, 'seed', NOW), 'seed').mishaps];
  expect(of(80).slice(0, 50)).toEqual(of(50));
});

test('no order has a second listing that a carrier books in the moment of its deletion', () => {
  const { mishaps } = planTroubles(generateOrders(500, 'seed', NOW), 'seed');
  const both = [...mishaps.values()].filter(
    (drawn) =>
      drawn.some(({ action }) => action?.does === secondListing) &&
      drawn.some(({ troubles = [] }) => troubles.some((trouble) => kindOf(trouble) === 'bookBefore')),
  );
  expect(both).toEqual([]);
});

test('what befalls the listings of an order are the troubles of all its mishaps', () => {
  const { mishaps, troubles } = planTroubles(generateOrders(300, 'seed', NOW), 'seed');
  const planned = [...mishaps].map(([orderId, drawn]) => ({
    whom: `acme/${orderId}`,
    own: drawn.flatMap((mishap) => mishap.troubles ?? []).filter(isOfListing),
  }));
  expect(planned.filter(({ own }) => own.length > 1).length).toBeGreaterThan(0);
  for (const { whom, own } of planned)
    expect(troubles.filter((trouble) => trouble.whom === whom && isOfListing(trouble))).toEqual(
      own.map((trouble) => ({ ...trouble, whom })),
    );
});

test('every mishap can be seen to be met: by its troubles, its action, or the ledger', () => {
  const unseen = MISHAPS.filter(
    ({ troubles, action, isMet }) => troubles === undefined && action === undefined && isMet === undefined,
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
    const { during = {}, troubles = [] } = outage;
    expect(switchChangesSchema.safeParse(during).success).toBe(true);
    expect(troubles.every((trouble) => troubleSchema.safeParse(trouble).success)).toBe(true);
    // It ends with the usual values: the plan changes none of the same.
    const planned = Object.keys(planTroubles([], 'seed').switches);
    expect(Object.keys(during).filter((name) => planned.includes(name))).toEqual([]);
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

test.each([
  ['worker, server and receiver', false, ['temporal', 'webhooks', 'worker']],
  ['also the database of a cluster', true, ['database', 'temporal', 'webhooks', 'worker']],
])('the seed gives the schedule of kills, which kills %s once at first', (_what, hasDatabase, parts) => {
  const first = (seed: string, count: number): Kill[] => {
    const schedule = killSchedule(seed, hasDatabase);
    return Array.from({ length: count }, () => schedule.next().value);
  };
  expect(first('seed', 20)).toEqual(first('seed', 20));
  expect(first('other', 20)).not.toEqual(first('seed', 20));
  const victims = first('seed', parts.length).map(({ victim }) => victim);
  expect(victims.toSorted()).toEqual(parts);
  expect([...new Set(first('seed', 100).map(({ victim }) => victim))].toSorted()).toEqual(parts);
});
