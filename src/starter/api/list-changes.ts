import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ListVersions } from '../client/list-versions';

type Versions = ReadonlyMap<string, ListVersions>;

/**
 * Reports changes of lists to streams. All of them share one reading, and nothing is read while nobody waits for it.
 */
export class ListChanges {
  #next: Promise<Versions> | null = null;
  #reading: Promise<unknown> = Promise.resolve();
  #readAt = 0;
  /** How many streams wait for the next reading. */
  #waiting = 0;

  constructor(
    private readonly read: () => Promise<Versions>,
    /** Between two readings. Milliseconds. */
    private readonly everyMs: number,
  ) {}

  /** The versions of all lists of some accounts: the present ones, then whenever they differ. */
  async *follow(accounts: readonly string[], signal: AbortSignal): AsyncGenerator<ListVersions, void, void> {
    const aborted = new Promise<null>((resolve) => {
      signal.addEventListener('abort', () => resolve(null), { once: true });
    });
    let shown = '';
    while (!signal.aborted) {
      const read = await this.#readingUnless(aborted);
      if (read === null) return;
      const versions = together(read, accounts);
      const text = JSON.stringify(versions);
      if (text !== shown) yield versions;
      shown = text;
    }
  }

  /** Waits for a reading that outlives its streams, before the connection to Temporal is closed. */
  async settled(): Promise<void> {
    await this.#reading;
  }

  async #readingUnless(aborted: Promise<null>): Promise<Versions | null> {
    this.#waiting += 1;
    try {
      this.#next ??= this.#readSoon();
      return await Promise.race([this.#next, aborted]);
    } finally {
      this.#waiting -= 1;
    }
  }

  async #readSoon(): Promise<Versions> {
    try {
      await delay(Math.max(0, this.#readAt + this.everyMs - Date.now()), undefined, { ref: false });
      // All streams have ended, perhaps with the process: Temporal is not asked for nobody.
      if (this.#waiting === 0) return new Map();
      const reading = this.read();
      this.#reading = reading.catch(() => null);
      return await reading;
    } finally {
      this.#readAt = Date.now();
      this.#next = null;
    }
  }
}

/** One version of each list for several accounts. */
function together(versions: Versions, accounts: readonly string[]): ListVersions {
  const of = (list: keyof ListVersions): string =>
    hash('sha256', accounts.map((account) => versions.get(account)?.[list] ?? '').join(' ')).slice(0, 16);
  return { attention: of('attention'), shipments: of('shipments'), events: of('events') };
}
