/** Limits how many tasks run at once, and how many wait. It refuses any further task. */
export interface Limiter {
  /** @returns the task's own promise, or null when too many are waiting already */
  run<T>(work: () => Promise<T>): Promise<T> | null;
}

export function createLimiter({
  atOnce,
  waiting,
}: {
  readonly atOnce: number;
  readonly waiting: number;
}): Limiter {
  const queue: (() => void)[] = [];
  let running = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) await new Promise<void>((resolve) => queue.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // The slot passes directly to the next waiting task: a new task must not take it first.
      const next = queue.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  }
  return { run: (work) => (queue.length >= waiting ? null : inTurn(work)) };
}
