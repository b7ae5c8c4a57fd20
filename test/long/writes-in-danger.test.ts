import { expect, test } from '@jest/globals';
import { numberedOrders } from '../support/builders';
import { decideByLedger, decideIfAsked, doubtOf } from '../support/doubt-decisions';
import { FAST_POLICY } from '../support/harness';
import { withWorld } from '../support/worker-world';
import {
  delayWrites,
  expectBookedOnce,
  holdWrites,
  startInTurn,
  writeRequests,
} from '../support/writes-in-world';

const { furniture, ltl } = numberedOrders('X');
/** A lost worker is noticed by this; a mark has a sixth of it, and a request two thirds. */
const writeTimeoutMs = 15_000;
/** Nobody is asked within a test: what settles a doubt must come by itself. */
const PATIENT = { writeTimeoutMs, doubtWaitMs: 120_000 };
/** A resend of an acceptance waits for the end of its window. */
const ASKING = { writeTimeoutMs, acceptance: { ...FAST_POLICY.acceptance, windowMs: 3_000 } };
/** A worker that wakes has time to tell what it knows before a person is asked. */
const ASKING_LATE = { ...ASKING, doubtWaitMs: 5_000 };
/** Longer than a worker waits: whoever is killed meanwhile never hears the answer. */
const NEVER_MS = 300_000;
const TEST_MS = 150_000;
const WITHOUT_EVENTS = { hasWebhooks: false, isPersistent: false };

test.concurrent(
  'a write whose worker is killed before its mark is recorded is sent once, by the next worker, without a question',
  async () => {
    await withWorld(WITHOUT_EVENTS, async (world) => {
      const orders = [ltl(), furniture()];
      const marks = holdWrites(world, 'marks');
      await startInTurn(world, { groups: [orders], policy: PATIENT }, marks.count);
      await world.killWorker();
      marks.release();
      expect(writeRequests(world)).toHaveLength(0);
      await world.startWorker();
      for (const order of orders) {
        const { questionsAsked, timeline } = await expectBookedOnce(world, order);
        expect(questionsAsked).toBe(0);
        expect(timeline).toContain('was not sent');
        expect(timeline).not.toContain('in doubt');
      }
      expect(writeRequests(world)).toHaveLength(orders.length);
    });
  },
  TEST_MS,
);

test.concurrent(
  'a write whose worker is killed during the call or before its report is settled by the event, and never sent again',
  async () => {
    await withWorld({ hasWebhooks: true, isPersistent: false }, async (world) => {
      // Of each kind one waits for its answer when the worker dies, one is acted on only after the worker was missed,
      // and one has its answer, which cannot be reported.
      const orders = [ltl(), ltl(), ltl(), furniture(), furniture(), furniture()];
      const outcomes = holdWrites(world, 'outcomes');
      delayWrites(world, { kind: 'delay', delayMs: NEVER_MS });
      delayWrites(world, { kind: 'delayBefore', delayMs: writeTimeoutMs + 3_000 });
      for (const order of orders) await world.start(order, PATIENT);
      await world.reach(() => writeRequests(world).length === orders.length && outcomes.count() === 2);
      await world.killWorker();
      outcomes.release();
      await world.startWorker();
      for (const order of orders) {
        const { questionsAsked, timeline } = await expectBookedOnce(world, order);
        expect(questionsAsked).toBe(0);
        expect(timeline).toContain('in doubt');
        expect(timeline).toContain('settled: listing');
      }
      expect(writeRequests(world)).toHaveLength(orders.length);
    });
  },
  TEST_MS,
);

test.concurrent(
  'without events a person settles the write of a killed worker: adopts an existing listing, resends only a missing one',
  async () => {
    await withWorld(WITHOUT_EVENTS, async (world) => {
      // Of each kind one was acted on, one was not, and one had its answer, which could not be reported.
      const orders = [ltl(), ltl(), ltl(), furniture(), furniture(), furniture()];
      const outcomes = holdWrites(world, 'outcomes');
      delayWrites(world, { kind: 'delay', delayMs: NEVER_MS });
      delayWrites(world, { kind: 'delayBefore', delayMs: NEVER_MS });
      for (const order of orders) await world.start(order, ASKING);
      await world.reach(() => writeRequests(world).length === orders.length && outcomes.count() === 2);
      await world.killWorker();
      outcomes.release();
      await world.startWorker();
      const questions = await Promise.all(orders.map(async (order) => await doubtOf(world, order)));
      // Nothing is sent again on its own.
      expect(writeRequests(world)).toHaveLength(orders.length);
      const decisions = await Promise.all(questions.map(async (doubt) => await decideByLedger(world, doubt)));
      for (const kind of [decisions.slice(0, 3), decisions.slice(3)])
        expect(kind.toSorted()).toEqual(['adopt', 'adopt', 'resend']);
      for (const order of orders) {
        const { questionsAsked, timeline } = await expectBookedOnce(world, order);
        expect(questionsAsked).toBe(1);
        expect(timeline).toContain('in doubt');
      }
      expect(writeRequests(world)).toHaveLength(orders.length + 2);
    });
  },
  TEST_MS,
);

test.concurrent(
  'a worker that freezes before its request sends nothing when it wakes too late, with or without a recorded mark',
  async () => {
    await withWorld(WITHOUT_EVENTS, async (world) => {
      const [a, b, c, d] = [ltl(), ltl(), furniture(), furniture()];
      const [unmarked, marked] = [
        [a, c],
        [b, d],
      ];
      const marks = holdWrites(world, 'marks', unmarked);
      const takenMarks = holdWrites(world, 'marksTaken', marked);
      const groups = [
        [a, b],
        [c, d],
      ];
      await startInTurn(world, { groups, policy: ASKING_LATE }, () => marks.count() + takenMarks.count());
      world.worker().kill('SIGSTOP');
      for (const order of [a, b, c, d]) await world.untilTimedOut(order);
      marks.release();
      takenMarks.release();
      world.worker().kill('SIGCONT');
      for (const order of unmarked) {
        const { questionsAsked, timeline } = await expectBookedOnce(world, order);
        expect(questionsAsked).toBe(0);
        expect(timeline).toContain('was not sent');
        expect(timeline).not.toContain('in doubt');
      }
      // A recorded mark may mean a request: who woke may tell that there was none, else a person finds nothing.
      const decisions = await Promise.all(marked.map(async (order) => await decideIfAsked(world, order)));
      expect(decisions).not.toContain('adopt');
      for (const order of marked) {
        const { timeline } = await expectBookedOnce(world, order);
        expect(timeline).toMatch(/in doubt[^]*(asks: |ended: notSent)/);
      }
      expect(writeRequests(world)).toHaveLength(4);
    });
  },
  TEST_MS,
);

test.concurrent(
  'a worker that is asked to stop during a call waits for the answer and reports it before it ends',
  async () => {
    await withWorld(WITHOUT_EVENTS, async (world) => {
      const orders = [ltl(), furniture()];
      delayWrites(world, { kind: 'delay', delayMs: 6_000 });
      await startInTurn(world, { groups: [orders], policy: PATIENT }, () => writeRequests(world).length);
      world.worker().kill('SIGTERM');
      expect(writeRequests(world).map(({ status }) => status)).toEqual([null, null]);
      expect(await world.worker().exited).toMatchObject({ code: 0, signal: null });
      for (const order of orders) expect(await world.timesWrite(order, 'completed')).toBe(1);
      await world.startWorker();
      for (const order of orders) {
        const { questionsAsked, timeline } = await expectBookedOnce(world, order);
        expect(questionsAsked).toBe(0);
        expect(timeline).not.toMatch(/in doubt|was not sent/);
      }
      expect(writeRequests(world)).toHaveLength(orders.length);
    });
  },
  TEST_MS,
);
