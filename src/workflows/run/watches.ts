import { CancellationScope } from '@temporalio/workflow';

/** Cancellable work (a poll, a timer) that brings one fact. */
export interface Watch<Fact> {
  readonly name: string;
  /** What the work depends on besides: with another one it is another watch. Plain JSON. */
  readonly dependsOn: readonly unknown[];
  readonly bring: () => Promise<Fact>;
}

type Brought<Fact> = { readonly key: string } & (
  { readonly ok: true; readonly fact: Fact } | { readonly ok: false; readonly error: unknown }
);

interface Running {
  readonly name: string;
  readonly scope: CancellationScope;
  readonly ended: Promise<void>;
}

/** What was brought since the last time. */
export interface News<Fact> {
  /** In the order in which they came. */
  readonly facts: readonly Fact[];
  /** What the first of the watches that failed failed with; null when none did. */
  readonly failure: { readonly error: unknown } | null;
}

/**
 * Watches that run side by side. One goes on for as long as it is wanted, whatever the others bring meanwhile: each
 * start is an activity or a timer in the history, and a call at the marketplace.
 */
export class Watches<Fact> {
  readonly #running = new Map<string, Running>();
  /** In the order in which they came; not taken yet. */
  #brought: readonly Brought<Fact>[] = [];

  /** Starts those that do not run yet, and ends those that are not wanted any more with whatever they brought. */
  async keep(wanted: Iterable<Watch<Fact>>): Promise<void> {
    const keys = new Set<string>();
    for (const watch of wanted) {
      const key = JSON.stringify([watch.name, watch.dependsOn]);
      keys.add(key);
      if (!this.#running.has(key)) this.#running.set(key, this.#start(key, watch));
    }
    await this.#end((key) => !keys.has(key));
  }

  hasNews(): boolean {
    return this.#brought.length > 0;
  }

  /** All that was brought, once; the watches of it begin anew if they are still wanted. */
  take(): News<Fact> {
    const brought = this.#brought;
    this.#brought = [];
    for (const { key } of brought) this.#running.delete(key);
    const facts = brought.flatMap((one) => (one.ok ? [one.fact] : []));
    const [failure = null] = brought.flatMap((one) => (one.ok ? [] : [{ error: one.error }]));
    return { facts, failure };
  }

  /** Drops what the watches of this name brought and nobody took: they begin anew if they are still wanted. */
  forget(name: string): void {
    for (const { key } of this.#brought) if (this.#running.get(key)?.name === name) this.#running.delete(key);
    this.#brought = this.#brought.filter(({ key }) => this.#running.has(key));
  }

  /** Leaves nothing running. @returns what was brought by then */
  async end(): Promise<News<Fact>> {
    const news = this.take();
    await this.#end(() => true);
    return news;
  }

  #start(key: string, { name, bring }: Watch<Fact>): Running {
    const scope = new CancellationScope();
    const ended = scope.run(bring).then(
      (fact) => this.#bring({ key, ok: true, fact }),
      (error: unknown) => this.#bring({ key, ok: false, error }),
    );
    return { name, scope, ended };
  }

  #bring(brought: Brought<Fact>): void {
    if (this.#running.has(brought.key)) this.#brought = [...this.#brought, brought];
  }

  async #end(isEnding: (key: string, running: Running) => boolean): Promise<void> {
    const ending = [...this.#running].filter(([key, running]) => isEnding(key, running));
    for (const [key] of ending) this.#running.delete(key);
    this.#brought = this.#brought.filter(({ key }) => this.#running.has(key));
    for (const [, { scope }] of ending) scope.cancel();
    await Promise.all(ending.map(async ([, { ended }]) => await ended));
  }
}
