import { expect, test } from '@jest/globals';
import type { Question } from '../../src/domain/question';
import type { Shipment } from '../../src/domain/shipment';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import { resolveInDoubtUpdate, type DoubtDecision } from '../../src/workflows/messages';
import { numberedOrders } from '../support/builders';
import { BY, FAST_POLICY } from '../support/harness';
import { withWorld, type World } from '../support/worker-world';
import {
  delayWrites,
  expectBookedOnce,
  holdWrites,
  startOneByOne,
  writeRequests,
} from '../support/writes-in-world';

const { furniture, ltl } = numberedOrders('X');
/** A lost worker is noticed by this; a mark has a sixth of it, and a request two thirds. */
const writeTimeoutMs = 15_000;
/** Nobody is asked within a test: what settles a doubt must come by itself. */
const PATIENT = { writeTimeoutMs, doubtWaitMs: 120_000 };
/** A resend of an acceptance waits for the end of its window. */
const ASKING = { writeTimeoutMs, acceptance: { ...FAST_POLICY.acceptance, windowMs: 3_000 } };
/** Longer than a worker waits: whoever is killed meanwhile never hears the answer. */
const NEVER_MS = 300_000;
const TEST_MS = 150_000;
const WITHOUT_EVENTS = { hasWebhooks: false, isPersistent: false };

interface OpenDoubt {
  readonly order: Shipment;
  readonly question: Question;
}

/** Waits until the order's doubt is a question. */
async function doubtOf(world: World, order: Shipment): Promise<OpenDoubt> {
  const { state } = await world.until(order, (view) => view.state?.question?.kind === 'inDoubt');
  if (state?.question == null) throw new TypeError('no question');
  return { order, question: state.question };
}

/** Answers as a person does who has searched the marketplace's website. */
async function decideByLedger(
  world: World,
  { order, question: { id: questionId, resendFrom } }: OpenDoubt,
): Promise<DoubtDecision['kind']> {
  await world.reach(() => world.ledgerOf(order).pendingAcceptances === 0);
  const [listing] = world.ledgerOf(order).listings;
  const decision: DoubtDecision =
    listing === undefined ? { kind: 'resend' } : { kind: 'adopt', listingId: String(listing.listingId) };
  if (decision.kind === 'resend' && resendFrom !== undefined)
    await world.reach(() => Date.now() > Date.parse(resendFrom));
  await world.client.workflow
    .getHandle(shipmentWorkflowId(order.account, order.orderId))
    .executeUpdate(resolveInDoubtUpdate, { args: [{ questionId, ...BY, decision }] });
  return decision.kind;
}

test.concurrent(
  'a write whose worker is killed before its mark is recorded is sent once, by the next worker, unasked',
  async () => {
    await withWorld(WITHOUT_EVENTS, async (world) => {
      const orders = [ltl(), furniture()];
      const marks = holdWrites(world, 'marks');
      await startOneByOne(world, { orders, policy: PATIENT }, marks.count);
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
  'a write whose worker is killed under way, or before it could report, is settled by the event and never sent again',
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
  'without events a person settles what a killed worker left: adopts what is there, resends only what is not',
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
  'a worker frozen before its mark sends nothing when it wakes after its time; only the retry is sent',
  async () => {
    await withWorld(WITHOUT_EVENTS, async (world) => {
      const orders = [ltl(), furniture()];
      const marks = holdWrites(world, 'marks');
      await startOneByOne(world, { orders, policy: PATIENT }, marks.count);
      world.worker().kill('SIGSTOP');
      for (const order of orders) await world.untilTimedOut(order);
      marks.release();
      world.worker().kill('SIGCONT');
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
  'a worker that is asked to stop during a call hears the answer and reports it before it ends',
  async () => {
    await withWorld(WITHOUT_EVENTS, async (world) => {
      const orders = [ltl(), furniture()];
      delayWrites(world, { kind: 'delay', delayMs: 6_000 });
      await startOneByOne(world, { orders, policy: PATIENT }, () => writeRequests(world).length);
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
