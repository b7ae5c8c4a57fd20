import { SeededRandom } from '../sandbox/model/random';
import { SHIPMENTS_FILTER } from '../src/contract/search-attributes';
import { pause } from '../src/platform/pause';
import { explained } from '../src/starter/client/service-error';
import { ShipmentClient } from '../src/starter/client/shipment-client';
import type { StartableOrder } from '../src/starter/client/start-order';
import { isAway, LATE_EVENTS, ScriptedPerson } from './answering';
import { keyFileOf, type World } from './environment';
import { Killer, killsLine, killSchedule } from './kills';
import { isDoublyBooked } from './ledger-of-order';
import { readOutcome, type ChaosOutcome } from './outcome';
import { makeOutages } from './outages';
import type { Plan } from './plan';
import { Progress, type Standing } from './progress';
import { doActions } from './scripted-actions';

export interface ChaosOptions {
  readonly seed: string;
  readonly inFlight: number;
  /** After this many seconds without an order that starts, ends or accepts an answer, the run ends with a verdict. */
  readonly patience: number;
  readonly withoutSettlement?: boolean;
}

/** What the caller of a run hears, and how it ends the run early. */
export interface Caller {
  readonly say: (line: string) => void;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

const PROGRESS_MS = 5_000;
const LOOK_MS = 500;
/** Stop killing this long after the last start: the remaining orders must finish by themselves. */
const KILLS_AFTER_LAST_START_MS = 15_000;
const RUNNING = `${SHIPMENTS_FILTER} AND ExecutionStatus = 'Running'`;
const ENDED = `${SHIPMENTS_FILTER} AND ExecutionStatus != 'Running'`;
/** Events whose order is still unknown, or whose order has ended and that nobody has acknowledged. */
const UNSETTLED = `(WorkflowType = 'unroutedEvent' OR (${LATE_EVENTS})) AND ExecutionStatus = 'Running'`;
/** Of every workflow: those for events and accounts must not fail either. */
const FAILING = "TemporalReportedProblems IN ('category=WorkflowTaskFailed')";

export class ChaosRun {
  readonly #shipments: ShipmentClient;
  readonly #person: ScriptedPerson;
  readonly #killer: Killer;
  /** Ends with the orders, or with the caller's patience. */
  readonly #over = new AbortController();
  readonly #accepted = new Set<string>();
  readonly #taskFailures = new Set<string>();
  #counted = { running: 0, ended: 0 };

  constructor(
    private readonly orders: readonly StartableOrder[],
    private readonly options: ChaosOptions & Caller,
    private readonly world: World,
  ) {
    const { sandbox, stack, temporal } = world;
    const { seed, log, signal } = options;
    this.#shipments = new ShipmentClient(temporal.client);
    this.#person = new ScriptedPerson({ client: temporal.client, shipments: this.#shipments, sandbox, seed });
    this.#killer = new Killer(stack, world.services, log);
    signal.addEventListener('abort', () => this.#over.abort(), { once: true });
  }

  /** @returns null when it was interrupted: then there is no verdict */
  async run({ actions, mishaps }: Pick<Plan, 'actions' | 'mishaps'>): Promise<ChaosOutcome | null> {
    const { seed, signal, say } = this.options;
    const { sandbox, folder, services } = this.world;
    const kills = killSchedule(seed, services.database !== undefined);
    const calm = new AbortController();
    const over = this.#over.signal;
    const outages = makeOutages(sandbox, { seed, keyFile: keyFileOf(folder) }, over);
    const withdraw = async (orderId: string): Promise<boolean> =>
      (await this.#untilThere(() => this.#person.withdraw(orderId))) ?? false;
    const done = doActions(actions, { sandbox, withdraw }, over);
    const duties = [
      ...[outages, done, this.#killer.run(kills, AbortSignal.any([calm.signal, over]))],
      this.#every(LOOK_MS, () => this.#untilThere(() => this.#person.answerAll())),
      this.#every(PROGRESS_MS, () => this.#reportProgress()),
    ];
    const story = this.#startAll(calm);
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
    if (signal.aborted) return null;
    say(`reading how each of ${this.orders.length} orders ended; 1,000 take some minutes`);
    return await readOutcome(this.orders, {
      ...{ shipments: this.#shipments, sandbox, person: this.#person, mishaps },
      ...{ done: await done, outages: await outages, kills: this.#killer.counts },
      ...{ accepted: this.#accepted, taskFailures: this.#taskFailures },
    });
  }

  /** Starts the orders, with a limit of running ones. The killing ends some time after the last start. */
  async #startAll(calm: AbortController): Promise<void> {
    const over = this.#over.signal;
    const random = new SeededRandom(`${this.options.seed}/starts`);
    for (const order of this.orders) {
      while (this.#accepted.size - this.#counted.ended >= this.options.inFlight)
        if (!(await pause(100, over))) return;
      // Some feeds send an order twice at once: it must stay one order.
      const times = random.next() < 0.1 ? 2 : 1;
      await Promise.all(Array.from({ length: times }, async () => await this.#start(order)));
      if (over.aborted) return;
    }
    await pause(KILLS_AFTER_LAST_START_MS, over);
    calm.abort();
  }

  /** Repeats until Temporal has confirmed it, like an upstream system. */
  async #start(order: StartableOrder): Promise<void> {
    const { withoutSettlement } = this.options;
    const policy = withoutSettlement ? { ...order.policy, unsafeResendInDoubt: true } : order.policy;
    const started = await this.#untilThere(() => this.#shipments.start({ ...order, policy }));
    if (started !== undefined) this.#accepted.add(order.shipment.orderId);
  }

  /** Repeats while Temporal is down. @returns undefined when the run ends before */
  async #untilThere<T>(call: () => Promise<T>): Promise<T | undefined> {
    const { client } = this.world.temporal;
    do {
      try {
        return await explained(async () => await client.withDeadline(Date.now() + 5_000, call));
      } catch (error) {
        if (!isAway(error)) throw error;
      }
    } while (await pause(300, this.#over.signal));
    return undefined;
  }

  async #every(ms: number, work: () => unknown): Promise<void> {
    while (await pause(ms, this.#over.signal)) await work();
  }

  async #untilAllEnded(): Promise<void> {
    const { patience, withoutSettlement, say } = this.options;
    const progress = new Progress(patience * 1_000);
    while (await pause(LOOK_MS, this.#over.signal)) {
      const standing = await this.#untilThere(() => this.#standing());
      if (standing === undefined) return;
      this.#counted = standing;
      if (withoutSettlement && Object.values(this.world.sandbox.ledger().orders).some(isDoublyBooked)) {
        say('an order is booked twice: without the settlement there is nothing more to show');
        return;
      }
      const look = progress.look(standing, Date.now());
      if (look === 'goOn') continue;
      if (look === 'outOfPatience')
        say(`no progress for ${patience} s; the run ends with a verdict on the current state`);
      return;
    }
  }

  async #standing(): Promise<Standing> {
    const { workflow } = this.world.temporal.client;
    for await (const { workflowId } of workflow.list({ query: FAILING })) this.#taskFailures.add(workflowId);
    const counts = [RUNNING, ENDED, UNSETTLED].map(async (query) => (await workflow.count(query)).count);
    const [running = 0, ended = 0, unsettled = 0] = await Promise.all(counts);
    return {
      ...{ orders: this.orders.length, started: this.#accepted.size, running, ended, unsettled },
      ...{ answered: this.#person.tally.of('order').answered },
    };
  }

  #reportProgress(): void {
    const { running, ended } = this.#counted;
    this.options.say(
      `started ${this.#accepted.size}/${this.orders.length}, running ${running}, ended ${ended}; ` +
        `${this.#person.summary()}; kills: ${killsLine(this.#killer.counts)}`,
    );
  }
}
