import { CancellationScope } from '@temporalio/workflow';

/** What is waited for. Plain JSON: two that are equal are the same. */
interface Wanted {
  readonly kind: string;
}

/** Cancellable work (a poll, a timer) that brings one fact. */
export type Bring<Want, Fact> = (want: Want) => Promise<Fact>;

type Brought<Fact> = { readonly key: string } & (
  { readonly ok: true; readonly fact: Fact } | { readonly ok: false; readonly error: unknown }
);

interface Running {
  readonly kind: string;
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
export class Watches<Want extends Wanted, Fact> {
  readonly #bringFact: Bring<Want, Fact>;
  readonly #running = new Map<string, Running>();
  /** In the order in which they came; not taken yet. */
  #brought: readonly Brought<Fact>[] = [];

  constructor(bring: Bring<Want, Fact>) {
    this.#bringFact = bring;
  }

  /** Starts those that do not run yet, and ends those that are not wanted any more with whatever they brought. */
  async keep(wants: readonly Want[]): Promise<void> {
    const keys = new Set<string>();
    for (const want of wants) {
      const key = JSON.stringify(want);
      keys.add(key);
      if (!this.#running.has(key)) this.#running.set(key, this.#start(key, want));
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

  /** Drops what the watches of this kind brought and nobody took: they begin anew if they are still wanted. */
  forget(kind: Want['kind']): void {
    for (const { key } of this.#brought) if (this.#running.get(key)?.kind === kind) this.#running.delete(key);
    this.#brought = this.#brought.filter(({ key }) => this.#running.has(key));
  }

  /** Leaves nothing running. @returns what was brought by then */
  async end(): Promise<News<Fact>> {
    const news = this.take();
    await this.#end(() => true);
    return news;
  }

  #start(key: string, want: Want): Running {
    const scope = new CancellationScope();
    const ended = scope
      .run(async () => await this.#bringFact(want))
      .then(
        (fact) => this.#bring({ key, ok: true, fact }),
        (error: unknown) => this.#bring({ key, ok: false, error }),
      );
    return { kind: want.kind, scope, ended };
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
