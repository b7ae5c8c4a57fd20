import { expect, test } from '@jest/globals';
import { countMishaps } from '../../../chaos/coverage';
import { MISHAPS } from '../../../chaos/mishap-table';
import type { Mishap } from '../../../chaos/mishaps';
import type { Ledger, OrderLedger } from '../../../sandbox';

const named = (name: string): Mishap => {
  const found = MISHAPS.find((mishap) => mishap.name === name);
  if (found === undefined) throw new TypeError(`no mishap is called ${name}`);
  return found;
};
const planned = (name: string, ...orders: string[]) => new Map(orders.map((order) => [order, [named(name)]]));
const nothing = { ledger: { orders: {} }, faults: [], isDone: () => false };
const countOf = (name: string, ...[plan, happened]: Parameters<typeof countMishaps>) =>
  countMishaps(plan, happened).find((count) => count.name === name);

test("a mishap is met where its fault hit, and not where it waited in vain or was another order's", () => {
  const fault = { endpoint: 'createListing', kind: 'fieldError' } as const;
  const faults = [
    { ...fault, reference: 'acme/C-1', hits: 1 },
    { ...fault, reference: 'acme/C-2', hits: 0 },
    { ...fault, reference: 'acme/C-9', hits: 1 },
  ];
  const name = 'field refused, 40001';
  const plan = planned(name, 'C-1', 'C-2', 'C-3');
  expect(countOf(name, plan, { ...nothing, faults })).toEqual({ name, planned: 3, met: 1 });
});

test('where a mishap has a fault for each kind of order, one of them is enough', () => {
  const name = 'IP address refused';
  const faults = [
    { endpoint: 'createRateRequest', kind: 'ipRefused', reference: 'acme/C-1', hits: 1 } as const,
  ];
  expect(countOf(name, planned(name, 'C-1'), { ...nothing, faults })).toMatchObject({ met: 1 });
});

test('a mishap is met where the ledger tells that it befell a listing', () => {
  const name = 'no-show';
  const ledgerWith = (mishaps: string[]) =>
    ({ orders: { 'acme/C-1': { listings: [{ mishaps }] } as unknown as OrderLedger } }) satisfies Pick<
      Ledger,
      'orders'
    >;
  const metWith = (mishaps: string[]) =>
    countOf(name, planned(name, 'C-1'), { ...nothing, ledger: ledgerWith(mishaps) })?.met;
  expect([metWith(['noShow']), metWith(['hold'])]).toEqual([1, 0]);
});

test('a mishap that somebody has to do is met when it was done', () => {
  const name = 'second listing for the order';
  const isDone = (orderId: string): boolean => orderId === 'C-2';
  expect(countOf(name, planned(name, 'C-1', 'C-2'), { ...nothing, isDone })).toMatchObject({
    planned: 2,
    met: 1,
  });
});
