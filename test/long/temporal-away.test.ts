import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { numberedOrders } from '../support/builders';
import { withWorld, type World } from '../support/worker-world';
import { delayWrites, expectBookedOnce, startInTurn, writeRequests } from '../support/writes-in-world';

const { furniture, ltl } = numberedOrders('A');
/** The answer comes while Temporal is away. */
const ANSWER_AFTER_MS = 4_000;
const TEST_MS = 180_000;

interface Outage {
  readonly lengthMs: number;
  /** Above or below the outage's length: whether Temporal gives the writes up meanwhile. */
  readonly writeTimeoutMs: number;
  readonly begin: () => Promise<void> | void;
  readonly end: () => Promise<void> | void;
}

/** Temporal goes away while a listing and an acceptance wait for their answers. @returns the orders' timelines */
async function surviveOutage(
  world: World,
  { lengthMs, writeTimeoutMs, begin, end }: Outage,
): Promise<string[]> {
  const orders = [ltl(), furniture()];
  delayWrites(world, { kind: 'delay', delayMs: ANSWER_AFTER_MS });
  const policy = { writeTimeoutMs, doubtWaitMs: 240_000 };
  await startInTurn(
    world,
    { groups: orders.map((order) => [order]), policy },
    () => writeRequests(world).length,
  );
  await begin();
  expect(writeRequests(world).map(({ status }) => status)).toEqual([null, null]);
  await delay(lengthMs);
  expect(writeRequests(world).map(({ status }) => status)).not.toContain(null);
  await end();
  const timelines: string[] = [];
  for (const order of orders) {
    const { questionsAsked, timeline } = await expectBookedOnce(world, order);
    expect(questionsAsked).toBe(0);
    expect(timeline).not.toContain('was not sent');
    timelines.push(timeline);
  }
  expect(writeRequests(world)).toHaveLength(orders.length);
  expect(world.sandbox.verdict()).toMatchObject({ isClean: true, withoutBooking: [] });
  return timelines;
}

test.concurrent(
  'a Temporal server that freezes for 5 s during a call gets the outcome from the write itself',
  async () => {
    await withWorld({ hasWebhooks: false, isPersistent: false }, async (world) => {
      const timelines = await surviveOutage(world, {
        ...{ lengthMs: 5_000, writeTimeoutMs: 18_000 },
        begin: () => world.temporal.signal('SIGSTOP'),
        end: () => world.temporal.signal('SIGCONT'),
      });
      for (const timeline of timelines) expect(timeline).not.toContain('in doubt');
    });
  },
  TEST_MS,
);

test.concurrent(
  'a connection that is cut for 20 s, longer than the write may take, settles the doubt by the late outcome',
  async () => {
    await withWorld({ hasWebhooks: false, isPersistent: false }, async (world) => {
      const timelines = await surviveOutage(world, {
        ...{ lengthMs: 20_000, writeTimeoutMs: 9_000 },
        begin: () => world.line.cut(),
        end: () => world.line.mend(),
      });
      for (const timeline of timelines) expect(timeline).toMatch(/in doubt[^]*the worker reported how/);
    });
  },
  TEST_MS,
);

test.concurrent(
  'a Temporal server that is killed and comes back after 60 s gets the outcome, from the write or by a signal',
  async () => {
    await withWorld({ hasWebhooks: false, isPersistent: true }, async (world) => {
      const timelines = await surviveOutage(world, {
        ...{ lengthMs: 60_000, writeTimeoutMs: 9_000 },
        begin: async () => await world.temporal.kill(),
        end: async () => await world.temporal.restart(),
      });
      // Whichever is first at the server when it is back: its time-out, or the report.
      const untold = timelines.filter(
        (timeline) => timeline.includes('in doubt') && !timeline.includes('the worker reported how'),
      );
      expect(untold).toEqual([]);
    });
  },
  TEST_MS,
);
