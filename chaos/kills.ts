import { setTimeout as delay } from 'node:timers/promises';
import { keepRunning } from '../devstack/keep-running';
import type { Killable } from '../devstack/cluster/service';
import type { PartName, Stack } from '../devstack/stack';
import { pause } from '../src/platform/pause';
import { SeededRandom } from '../sandbox/model/random';

type Victim = Exclude<keyof KillCounts, 'crashes'>;

/** What the worker and the receiver need. The embedded server has its database in itself. */
export interface Services {
  readonly temporal: Killable;
  readonly database?: Killable;
}

export interface Kill {
  readonly victim: Victim;
  /** The time since the previous kill. */
  readonly afterMs: number;
  /** How long it stays down. */
  readonly pauseMs: number;
}

/**
 * What is killed when: the same seed gives the same schedule. The first kills come soon, one for each part. Later
 * there is time between them for a worker to start and replay: it must be at work when it dies.
 */
export function* killSchedule(seed: string, hasDatabase: boolean): Generator<Kill, never> {
  const random = new SeededRandom(`${seed}/kills`);
  const first: Victim[] = ['worker', 'temporal', 'webhooks', ...(hasDatabase ? (['database'] as const) : [])];
  const laterVictim = (draw: number): Victim => {
    if (draw < 0.6) return 'worker';
    if (draw < 0.8) return 'webhooks';
    return hasDatabase && draw < 0.9 ? 'database' : 'temporal';
  };
  for (;;) {
    const draw = random.next();
    const isEarly = first.length > 0;
    const victim = first.shift() ?? laterVictim(draw);
    yield {
      victim,
      afterMs: isEarly ? random.integer(1_500, 4_000) : random.integer(4_000, 12_000),
      pauseMs: random.next() < 0.5 ? 0 : random.integer(200, 2_500),
    };
  }
}

export type KillCounts = Readonly<Killer['counts']>;

export const killsLine = ({ worker, webhooks, temporal, database }: KillCounts): string =>
  `worker ${worker}, receiver ${webhooks}, Temporal ${temporal}${database > 0 ? `, database ${database}` : ''}`;

/** How long a part that ended by itself stays down, such as the receiver while Temporal is down. */
const CRASH_PAUSE_MS = 500;

/** Kills parts of the stack by the schedule, and restarts parts that were killed or ended by themselves. */
export class Killer {
  readonly counts = { worker: 0, webhooks: 0, temporal: 0, database: 0, crashes: 0 };
  /** The part that is down because of a kill. */
  #killed: (Kill & { readonly runsAgain: () => void }) | null = null;
  /** Stops the restarts, before the stack is stopped. */
  readonly stop: () => Promise<void>;

  constructor(
    private readonly stack: Stack,
    private readonly services: Services,
    private readonly log: (line: string) => void,
  ) {
    const parts = (['worker', 'webhooks'] as const).map((name) => ({
      name,
      exited: async () => await stack.partOf(name).exited,
      start: async () => await this.#restart(name),
    }));
    this.stop = keepRunning(parts, log, () => 0);
  }

  /** Kills until the signal aborts. Everything runs again when this returns. */
  async run(schedule: Iterable<Kill>, signal: AbortSignal): Promise<void> {
    for (const kill of schedule) {
      if (!(await pause(kill.afterMs, signal))) return;
      this.counts[kill.victim] += 1;
      this.log(`killing ${kill.victim} for ${kill.pauseMs} ms`);
      await this.#kill(kill);
      this.log(`${kill.victim} runs again`);
    }
  }

  async #kill(kill: Kill): Promise<void> {
    const { victim, pauseMs } = kill;
    if (victim !== 'worker' && victim !== 'webhooks') {
      const service = this.services[victim];
      if (service === undefined) throw new TypeError('a database is killed only where it is a process');
      await service.kill();
      await delay(pauseMs);
      await service.start();
      return;
    }
    await new Promise<void>((runsAgain) => {
      this.#killed = { ...kill, runsAgain };
      this.stack.partOf(victim).kill('SIGKILL');
    });
  }

  async #restart(part: PartName): Promise<void> {
    const killed = this.#killed?.victim === part ? this.#killed : null;
    if (killed === null) this.counts.crashes += 1;
    await delay(killed?.pauseMs ?? CRASH_PAUSE_MS);
    await this.stack.start(part);
    // The kill may have come while the part was down already.
    if (this.#killed?.victim !== part) return;
    this.#killed.runsAgain();
    this.#killed = null;
  }
}
