import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createLimiter } from '../../../src/webhooks/limiter';

test('only a limited number of tasks run at once, and those that may wait run in order', async () => {
  const limiter = createLimiter({ atOnce: 2, waiting: 10 });
  const order: number[] = [];
  let running = 0;
  let most = 0;
  const work = (number: number) => async () => {
    running += 1;
    most = Math.max(most, running);
    await turn();
    order.push(number);
    running -= 1;
    return number;
  };
  const results = await Promise.all(
    Array.from({ length: 12 }, async (_, number) => await limiter.run(work(number))),
  );
  expect(most).toBe(2);
  expect(order).toEqual(Array.from({ length: 12 }, (_, number) => number));
  expect(results).toEqual(order);
});

test('a task beyond the waiting limit is refused and never starts', async () => {
  const limiter = createLimiter({ atOnce: 1, waiting: 1 });
  const done: Promise<string>[] = [];
  for (const name of ['first', 'second']) {
    const promise = limiter.run(async () => {
      await turn();
      return name;
    });
    if (promise !== null) done.push(promise);
  }
  expect(limiter.run(async () => await Promise.reject(new Error('was begun')))).toBeNull();
  expect(await Promise.all(done)).toEqual(['first', 'second']);
  expect(await limiter.run(async () => await Promise.resolve('again'))).toBe('again');
});

test('a failing task passes its slot on', async () => {
  const limiter = createLimiter({ atOnce: 1, waiting: 5 });
  const failed = limiter.run(async () => {
    await turn();
    throw new Error('failed');
  });
  const next = limiter.run(async () => await Promise.resolve('next'));
  await expect(failed).rejects.toThrow('failed');
  expect(await next).toBe('next');
});
