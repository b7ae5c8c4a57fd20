import { setTimeout as delay } from 'node:timers/promises';
import type { PartName, Stack } from '../devstack/stack';
import type { SupervisedProcess } from '../src/temporal/dev-server/supervise';
import { SeededRandom } from '../sandbox/model/random';

type Victim = 'worker' | 'webhooks' | 'temporal';

export interface Kill {
  readonly victim: Victim;
  /** The time since the previous kill. */
  readonly afterMs: number;
  /** How long it stays down. */
  readonly pauseMs: number;
}

export const VICTIM_NAMES: Readonly<Record<Victim, string>> = {
  worker: 'worker',
  webhooks: 'receiver',
  temporal: 'Temporal server',
};

/**
 * What is killed when: the same seed gives the same schedule. The first three kills come soon, one for each part. Later
 * there is time between them for a worker to start and replay: it must be at work when it dies.
 */
export function* killSchedule(seed: string): Generator<Kill, never> {
  const random = new SeededRandom(`${seed}/kills`);
  const first: Victim[] = ['worker', 'temporal', 'webhooks'];
  for (;;) {
    const draw = random.next();
    const isEarly = first.length > 0;
    const victim = first.shift() ?? (draw < 0.6 ? 'worker' : draw < 0.8 ? 'webhooks' : 'temporal');
    yield {
      victim,
      afterMs: isEarly ? random.integer(1_500, 4_000) : random.integer(4_000, 12_000),
      pauseMs: random.next() < 0.5 ? 0 : random.integer(200, 2_500),
    };
  }
}

export type KillCounts = Readonly<Record<Victim | 'crashes', number>>;

/** Kills parts of the stack by the schedule, and restarts parts that were killed or ended by themselves. */
export class Killer {
  readonly #counts: Record<keyof KillCounts, number> = { worker: 0, webhooks: 0, temporal: 0, crashes: 0 };
  readonly #killed = new Set<SupervisedProcess>();
  readonly #restarts = new Set<Promise<void>>();
  #isStopped = false;

  constructor(
    private readonly stack: Stack,
    private readonly log: (line: string) => void,
  ) {}

  /** Restarts parts that end, from now until `stop`. */
  takeOver(): void {
    for (const part of ['worker', 'webhooks'] as const) this.#watch(part, this.stack.partOf(part));
  }

  get counts(): KillCounts {
    return this.#counts;
  }

  /** Kills until the signal aborts. Everything runs again when this returns. */
  async run(schedule: Iterable<Kill>, signal: AbortSignal): Promise<void> {
    for (const kill of schedule) {
      await delay(kill.afterMs, undefined, { signal }).catch(ignoreAbort);
      if (signal.aborted) return;
      await this.#kill(kill);
    }
  }

  /** Stops the restarts, before the stack is stopped. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#restarts);
  }

  async #kill(kill: Kill): Promise<void> {
    const { victim } = kill;
    this.#counts[victim] += 1;
    this.log(`killing the ${VICTIM_NAMES[victim]} for ${kill.pauseMs} ms`);
    await this.#killAndRestart(kill);
    this.log(`the ${VICTIM_NAMES[victim]} runs again`);
  }

  async #killAndRestart({ victim, pauseMs }: Kill): Promise<void> {
    if (victim === 'temporal') {
      await this.stack.killTemporal();
      await delay(pauseMs);
      await this.stack.startTemporal();
      return;
    }
    const part = this.stack.partOf(victim);
    this.#killed.add(part);
    part.kill('SIGKILL');
    await part.exited;
    await delay(pauseMs);
    await this.#start(victim);
  }

  async #start(part: PartName): Promise<void> {
    if (!this.#isStopped) this.#watch(part, await this.stack.start(part));
  }

  /** Like a process manager: restarts a part that ends by itself, for instance when Temporal is down. */
  #watch(name: PartName, part: SupervisedProcess): void {
    const restart = part.exited.then(async ({ asked, code, signal, lastLines }) => {
      if (asked || this.#isStopped || this.#killed.has(part)) return;
      this.#counts.crashes += 1;
      this.log(`${name} ended by itself (${code ?? signal}): ${lastLines.at(-1) ?? 'no output'}`);
      await delay(500);
      await this.#start(name);
    });
    const tracked = restart.finally(() => this.#restarts.delete(tracked));
    // Wait only for restarts in progress; a part that still runs ends with the stack.
    void part.exited.then(() => this.#restarts.add(tracked));
  }
}

export function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error;
}
