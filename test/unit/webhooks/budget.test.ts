import { expect, test } from '@jest/globals';
import { createBudget } from '../../../src/webhooks/budget';

test('a budget gives its burst at once, then its rate per second, and never keeps more than the burst', () => {
  let now = 0;
  const budget = createBudget({ burst: 3, perSecond: 2 }, () => now);
  const taken = (tries: number): number =>
    Array.from({ length: tries }, () => budget.take()).filter((isTaken) => isTaken).length;
  expect(taken(10)).toBe(3);
  now += 499;
  expect(taken(10)).toBe(0);
  now += 1;
  expect(taken(10)).toBe(1);
  now += 3_600_000;
  expect(taken(10)).toBe(3);
});

test('a returned token can be taken again, and never exceeds the burst', () => {
  const budget = createBudget({ burst: 1, perSecond: 1 }, () => 0);
  expect([budget.take(), budget.take()]).toEqual([true, false]);
  budget.giveBack();
  budget.giveBack();
  expect([budget.take(), budget.take()]).toEqual([true, false]);
});

test('1,500 requests in 34 seconds take no more than the burst and the tokens of 34 seconds', () => {
  let now = 0;
  const budget = createBudget({ burst: 200, perSecond: 5 }, () => now);
  let taken = 0;
  for (let number = 0; number < 1_500; number += 1) {
    now = (number * 34_000) / 1_500;
    if (budget.take()) taken += 1;
  }
  expect(taken).toBe(200 + 169);
});
