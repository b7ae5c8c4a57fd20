import { expect, test } from '@jest/globals';
import { countMishaps, countTroubles } from '../../../chaos/coverage';
import { MISHAPS } from '../../../chaos/mishap-table';
import type { Mishap } from '../../../chaos/mishaps';
import { deedOf } from '../../../chaos/scripted-actions';
import type { Ledger, Operation, OrderLedger } from '../../../sandbox';

const named = (name: string): Mishap => {
  const found = MISHAPS.find((mishap) => mishap.name === name);
  if (found === undefined) throw new TypeError(`no mishap is called ${name}`);
  return found;
};
const planned = (name: string, ...orders: string[]) => new Map(orders.map((order) => [order, [named(name)]]));
const nothing = { ledger: { orders: {} }, troubles: [], done: new Set<string>() };
type Struck = Parameters<typeof countMishaps>[1]['troubles'][number];
const struck = (
  request: Operation,
  what: Struck['what'],
  { order, hits }: { readonly order: string; readonly hits: number },
): Struck => ({ when: { request, after: 0, seed: 1 }, whom: { order }, what, hits });
const countOf = (name: string, ...[plan, happened]: Parameters<typeof countMishaps>) =>
  countMishaps(plan, happened).find((count) => count.name === name);

test("a mishap is met where its trouble struck, and not where it waited in vain or was another order's", () => {
  const refused = (order: string, hits: number) =>
    struck('createListing', { kind: 'fieldError' }, { order, hits });
  const troubles = [refused('acme/C-1', 1), refused('acme/C-2', 0), refused('acme/C-9', 1)];
  const name = 'field refused, 40001';
  const plan = planned(name, 'C-1', 'C-2', 'C-3');
  expect(countOf(name, plan, { ...nothing, troubles })).toEqual({ name, planned: 3, met: 1 });
});

test('where a mishap has a trouble for each kind of order, one of them is enough', () => {
  const name = 'IP address refused';
  const troubles = [struck('createRateRequest', { kind: 'ipRefused' }, { order: 'acme/C-1', hits: 1 })];
  expect(countOf(name, planned(name, 'C-1'), { ...nothing, troubles })).toMatchObject({ met: 1 });
});

test('a mishap is met where the ledger tells that it befell a listing', () => {
  const name = 'no-show';
  const ledgerWith = (troubles: string[]) =>
    ({ orders: { 'acme/C-1': { listings: [{ troubles }] } as unknown as OrderLedger } }) satisfies Pick<
      Ledger,
      'orders'
    >;
  const metWith = (troubles: string[]) =>
    countOf(name, planned(name, 'C-1'), { ...nothing, ledger: ledgerWith(troubles) })?.met;
  expect([metWith(['noShow']), metWith(['hold'])]).toEqual([1, 0]);
});

test('a mishap that somebody has to do is met when it was done', () => {
  const name = 'second listing for the order';
  const done = new Set([deedOf({ orderId: 'C-2', mishap: name })]);
  expect(countOf(name, planned(name, 'C-1', 'C-2'), { ...nothing, done })).toMatchObject({
    planned: 2,
    met: 1,
  });
});

test('the troubles that struck are counted by what they do, and those that did not are left out', () => {
  const counts = countTroubles([
    { what: { kind: 'falseAbsence' }, hits: 2 },
    { what: { kind: 'falseAbsence' }, hits: 1 },
    { what: { kind: 'status', status: 400, encoding: 'gzip' }, hits: 1 },
    { what: { kind: 'statusAfter', status: 400, encoding: 'broken' }, hits: 1 },
    { what: { kind: 'status', status: 400, contentType: 'text/html' }, hits: 1 },
    { what: { kind: 'lost', delayMs: 2000 }, hits: 7 },
    { what: { kind: 'duplicate', encoding: 'br' }, hits: 0 },
  ]);
  expect(counts).toEqual({
    falseAbsence: 3,
    'status 400 in gzip': 1,
    'statusAfter 400 in broken gzip': 1,
    'status 400 as a page': 1,
    lost: 7,
  });
});
