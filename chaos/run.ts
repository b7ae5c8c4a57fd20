import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Stack } from '../devstack/stack';
import { createFolderStore } from '../src/platform/file-store';
import { SeededRandom } from '../sandbox/model/random';
import { ShipmentClient } from '../src/starter/client/shipment-client';
import type { StartableOrder } from '../src/starter/client/start-order';
import type { TemporalConnection } from '../src/temporal/temporal-connection';
import { isAway, LATE_EVENTS, ScriptedPerson } from './answering';
import { ScriptedActions } from './scripted-actions';
import { accountsOf, keyFileOf, readOrders } from './environment';

import { ignoreAbort, Killer, killSchedule } from './kills';
import { generateOrders } from './orders';
import { readOutcome, type ChaosOutcome } from './outcome';
import { Progress } from './progress';
import { SandboxControl } from './sandbox-control';
import { OutageMaker } from './outages';
import { planTroubles } from './plan';

export interface ChaosOptions {
  readonly orders: number;
  readonly seed: string;
  /** How many orders run at once. */
  readonly inFlight: number;
  readonly withoutSettlement: boolean;
  /** After this long without an order that starts, ends or accepts an answer, the run ends with a verdict. */
  readonly patienceMs: number;
  readonly say: (line: string) => void;
  /** Asks for an early end. */
  readonly signal: AbortSignal;
}

const PROGRESS_MS = 5_000;
const LOOK_MS = 500;
/** Stop killing this long after the last start: the remaining orders must finish by themselves. */
const KILLS_AFTER_LAST_START_MS = 15_000;
const SHIPMENTS = "WorkflowType IN ('furnitureShipment', 'ltlShipment')";
/** Events whose order is still unknown, or whose order has ended and that nobody has acknowledged. */
const UNSETTLED = `(WorkflowType = 'unroutedEvent' OR (${LATE_EVENTS})) AND ExecutionStatus = 'Running'`;

/** One chaos run against a running stack. */
export class ChaosRun {
  readonly #sandbox: SandboxControl;
  readonly #shipments: ShipmentClient;
  readonly #person: ScriptedPerson;
  readonly #killer: Killer;
  readonly #actions: ScriptedActions;
  /** Ends with the orders, or with the caller's patience. */
  readonly #over = new AbortController();
  readonly #accepted = new Set<string>();
  readonly #taskFailures = new Set<string>();
  #running = 0;
  #ended = 0;

  constructor(
    private readonly options: ChaosOptions,
    private readonly stack: Stack,
    private readonly temporal: TemporalConnection,
    log: (line: string) => void,
  ) {
    this.#sandbox = new SandboxControl(stack.sandboxUrl);
    this.#shipments = new ShipmentClient(temporal.client);
    this.#person = new ScriptedPerson({
      client: temporal.client,
      shipments: this.#shipments,
      sandbox: this.#sandbox,
      seed: options.seed,
    });
    this.#killer = new Killer(stack, log);
    this.#actions = new ScriptedActions({
      sandbox: this.#sandbox,
      withdraw: async (orderId) => (await this.#untilThere(() => this.#person.withdraw(orderId))) ?? false,
    });
    options.signal.addEventListener('abort', () => this.#over.abort(), { once: true });
  }

  /** @returns null when it was interrupted: then there is no verdict */
  async run(folder: string): Promise<ChaosOutcome | null> {
    const { seed, orders: count } = this.options;
    const documents = generateOrders(count, seed, new Date());
    const plan = planTroubles(documents, seed);
    const files = createFolderStore(path.join(folder, 'files'));
    const orders = await readOrders(documents, { folder, accounts: accountsOf(this.stack), files });
    await this.#sandbox.prepare(plan);
    this.#killer.takeOver();
    const outages = new OutageMaker({ sandbox: this.#sandbox, seed, keyFile: keyFileOf(folder) });
    const calm = new AbortController();
    const killing = AbortSignal.any([calm.signal, this.#over.signal]);
    const duties = [
      this.#killer.run(killSchedule(seed), killing),
      outages.run(this.#over.signal),
      this.#answerQuestions(),
      this.#actions.run(plan.actions, this.#over.signal),
      this.#reportProgress(),
    ];
    const story = this.#startAll(orders, calm);
    try {
      // These loops end only with the run: one that fails ends it.
      // A verdict before the last start also ends the starting, which waits for orders to end.
      const ended = this.#untilAllEnded().then(() => this.#over.abort());
      await Promise.race([Promise.all(duties), Promise.all([story, ended])]);
    } finally {
      this.#over.abort();
      await Promise.allSettled([...duties, story]);
      await this.#killer.stop();
    }
    await Promise.all(duties);
    if (this.options.signal.aborted) return null;
    return await readOutcome(orders, {
      ...{ shipments: this.#shipments, sandbox: this.#sandbox, person: this.#person },
      ...{ plan, isDone: this.#actions.isDone, outages: outages.counts },
      ...{ kills: this.#killer.counts, accepted: this.#accepted, taskFailures: this.#taskFailures },
    });
  }

  /** Starts the orders, with a limit of running ones. The killing ends some time after the last start. */
  async #startAll(orders: readonly StartableOrder[], calm: AbortController): Promise<void> {
    const random = new SeededRandom(`${this.options.seed}/starts`);
    for (const order of orders) {
      while (this.#accepted.size - this.#ended >= this.options.inFlight && !this.#over.signal.aborted)
        await this.#pause(100);
      // Some feeds send an order twice at once: it must stay one order.
      const times = random.next() < 0.1 ? 2 : 1;
      await Promise.all(Array.from({ length: times }, async () => await this.#start(order)));
      if (this.#over.signal.aborted) return;
    }
    await this.#pause(KILLS_AFTER_LAST_START_MS);
    calm.abort();
  }

  /** Repeats until Temporal has confirmed it, like an upstream system. */
  async #start(order: StartableOrder): Promise<void> {
    const { withoutSettlement } = this.options;
    const policy = withoutSettlement ? { ...order.policy, unsafeResendInDoubt: true } : order.policy;
    const isStarted = await this.#untilThere(
      async () => await this.#shipments.start({ ...order, policy }).then(() => true),
    );
    if (isStarted === true) this.#accepted.add(order.shipment.orderId);
  }

  /** Repeats while Temporal is down. @returns undefined when the run ends before */
  async #untilThere<T>(call: () => Promise<T>): Promise<T | undefined> {
    while (!this.#over.signal.aborted) {
      try {
        return await this.temporal.client.withDeadline(Date.now() + 5_000, call);
      } catch (error) {
        if (!isAway(error)) throw error;
        await this.#pause(300);
      }
    }
    return undefined;
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#over.signal }).catch(ignoreAbort);
  }

  async #answerQuestions(): Promise<void> {
    while (!this.#over.signal.aborted) {
      await this.#untilThere(async () => await this.#person.answerAll());
      await this.#pause(LOOK_MS);
    }
  }

  async #untilAllEnded(): Promise<void> {
    const { workflow } = this.temporal.client;
    const { orders, patienceMs, withoutSettlement, say } = this.options;
    const progress = new Progress(patienceMs, Date.now());
    while (!this.#over.signal.aborted) {
      await this.#pause(LOOK_MS);
      const counted = await this.#untilThere(async () => ({
        running: (await workflow.count(`${SHIPMENTS} AND ExecutionStatus = 'Running'`)).count,
        ended: (await workflow.count(`${SHIPMENTS} AND ExecutionStatus != 'Running'`)).count,
        unsettled: (await workflow.count(UNSETTLED)).count,
      }));
      if (counted === undefined) return;
      await this.#noteTaskFailures();
      this.#running = counted.running;
      this.#ended = counted.ended;
      if (withoutSettlement && (await this.#sandbox.hasDoubleBooking())) {
        say('an order is booked twice: without the settlement there is nothing more to show');
        return;
      }
      const circling = await this.#circling();
      const { answered } = this.#person.tally.of('order');
      const standing = {
        ...counted,
        orders,
        started: this.#accepted.size,
        circling: circling.length,
        answered,
      };
      const look = progress.look(standing, Date.now());
      if (look === 'goOn') continue;
      if (look === 'outOfPatience')
        say(`no progress for ${patienceMs / 1_000} s; the run ends with a verdict on the current state`);
      if (look === 'allCircle')
        say(
          `${circling.join(', ')}: keeps asking, whatever the answer; the run ends with a verdict on the current state`,
        );
      return;
    }
  }

  /** Running orders that keep asking, whatever the answer. */
  async #circling(): Promise<readonly string[]> {
    const { circling } = this.#person;
    if (circling.size === 0) return [];
    const query = `${SHIPMENTS} AND ExecutionStatus = 'Running'`;
    const running = await this.#untilThere(async () => await this.#shipments.list({ query, limit: 1_000 }));
    return (running ?? []).flatMap(({ orderId }) => (circling.has(orderId) ? [orderId] : []));
  }

  /** Of every workflow: those for events and accounts must not fail either. */
  async #noteTaskFailures(): Promise<void> {
    const query = "TemporalReportedProblems IN ('category=WorkflowTaskFailed')";
    await this.#untilThere(async () => {
      for await (const { workflowId } of this.temporal.client.workflow.list({ query }))
        this.#taskFailures.add(workflowId);
    });
  }

  async #reportProgress(): Promise<void> {
    while (!this.#over.signal.aborted) {
      await this.#pause(PROGRESS_MS);
      if (this.#over.signal.aborted) return;
      const { worker, webhooks, temporal } = this.#killer.counts;
      this.options.say(
        `started ${this.#accepted.size}/${this.options.orders}, running ${this.#running}, ended ${this.#ended}; ${this.#person.summary()}; ` +
          `kills: worker ${worker}, receiver ${webhooks}, Temporal ${temporal}`,
      );
    }
  }
}
