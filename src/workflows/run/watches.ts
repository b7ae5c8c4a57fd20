import { CancellationScope } from '@temporalio/workflow';

/** Something to wait for. Plain JSON: two equal wants are the same want. */
interface Wanted {
  readonly kind: string;
}

/** Cancellable work (a poll, a timer) that returns one fact. */
export type Bring<Want, Fact> = (want: Want) => Promise<Fact>;

type Brought<Fact> = { readonly key: string } & (
  { readonly ok: true; readonly fact: Fact } | { readonly ok: false; readonly error: unknown }
);

interface Running {
  readonly kind: string;
  readonly scope: CancellationScope;
  readonly ended: Promise<void>;
}

export interface News<Fact> {
  /** In the order of arrival. */
  readonly facts: readonly Fact[];
  /** The failure of the first watch that failed; null when none did. */
  readonly failure: { readonly error: unknown } | null;
}

/**
 * Watches that run side by side. A watch continues as long as it is wanted, whatever the others return, because each
 * start costs an activity or timer in the history, and a call to the marketplace.
 */
export class Watches<Want extends Wanted, Fact> {
  readonly #bringFact: Bring<Want, Fact>;
  readonly #running = new Map<string, Running>();
  /** In the order of arrival; not taken yet. */
  #brought: readonly Brought<Fact>[] = [];

  constructor(bring: Bring<Want, Fact>) {
    this.#bringFact = bring;
  }

  /** Starts wanted watches that do not run, and ends unwanted ones together with their results. */
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

  /** Takes all results. Their watches start again if they are still wanted. */
  take(): News<Fact> {
    const brought = this.#brought;
    this.#brought = [];
    for (const { key } of brought) this.#running.delete(key);
    const facts = brought.flatMap((one) => (one.ok ? [one.fact] : []));
    const [failure = null] = brought.flatMap((one) => (one.ok ? [] : [{ error: one.error }]));
    return { facts, failure };
  }

  /** Drops untaken results of this kind; their watches start again if they are still wanted. */
  forget(kind: Want['kind']): void {
    for (const { key } of this.#brought) if (this.#running.get(key)?.kind === kind) this.#running.delete(key);
    this.#brought = this.#brought.filter(({ key }) => this.#running.has(key));
  }

  /**
   * Ends all watches.
   * @returns the results so far
   */
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
