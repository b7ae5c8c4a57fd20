import { CancellationScope } from '@temporalio/workflow';

/** Cancellable work (a poll, a timer) that brings one fact. */
export interface Watch<Fact> {
  /** Says all that the work depends on: with another key it is another watch. */
  readonly key: string;
  readonly bring: () => Promise<Fact>;
}

type Brought<Fact> = { readonly key: string } & (
  { readonly ok: true; readonly fact: Fact } | { readonly ok: false; readonly error: unknown }
);

interface Running {
  readonly scope: CancellationScope;
  readonly ended: Promise<void>;
}

export const watchKey = (name: string, ...dependsOn: readonly unknown[]): string =>
  JSON.stringify([name, ...dependsOn]);

/**
 * Watches that run side by side. One goes on for as long as its key is wanted, whatever the others bring meanwhile: each
 * start is an activity or a timer in the history, and a call at the marketplace.
 */
export class Watches<Fact> {
  readonly #running = new Map<string, Running>();
  /** In the order in which they came; not taken yet. */
  #brought: readonly Brought<Fact>[] = [];

  /** Starts those that do not run yet, and ends those that are not wanted any more with whatever they brought. */
  async keep(wanted: Iterable<Watch<Fact>>): Promise<void> {
    const keys = new Set<string>();
    for (const { key, bring } of wanted) {
      keys.add(key);
      if (!this.#running.has(key)) this.#running.set(key, this.#start(key, bring));
    }
    await this.#end([...this.#running.keys()].filter((key) => !keys.has(key)));
  }

  hasFact(): boolean {
    return this.#brought.length > 0;
  }

  /**
   * The fact that came first, once; its watch begins anew if it is still wanted. Null while there is none.
   * @throws what the watch failed with
   */
  take(): Fact | null {
    const [first, ...others] = this.#brought;
    if (first === undefined) return null;
    this.#brought = others;
    this.#running.delete(first.key);
    if (!first.ok) throw first.error;
    return first.fact;
  }

  /** Leaves nothing running. */
  async end(): Promise<void> {
    await this.#end([...this.#running.keys()]);
  }

  #start(key: string, bring: () => Promise<Fact>): Running {
    const scope = new CancellationScope();
    const ended = scope.run(bring).then(
      (fact) => this.#bring({ key, ok: true, fact }),
      (error: unknown) => this.#bring({ key, ok: false, error }),
    );
    return { scope, ended };
  }

  #bring(brought: Brought<Fact>): void {
    if (this.#running.has(brought.key)) this.#brought = [...this.#brought, brought];
  }

  async #end(keys: readonly string[]): Promise<void> {
    const ending = keys.flatMap((key) => this.#running.get(key) ?? []);
    for (const key of keys) this.#running.delete(key);
    this.#brought = this.#brought.filter(({ key }) => this.#running.has(key));
    for (const { scope } of ending) scope.cancel();
    await Promise.all(ending.map(async ({ ended }) => await ended));
  }
}
