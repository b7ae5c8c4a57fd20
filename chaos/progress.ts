/** The state of a run. */
export interface Standing {
  /** How many orders the run has. */
  readonly orders: number;
  /** Orders whose start Temporal confirmed. */
  readonly started: number;
  readonly running: number;
  readonly ended: number;
  /** Events whose order is still unknown, or whose order has ended and that no person has acknowledged. */
  readonly unsettled: number;
  /** How many of the orders' own questions were answered, each counted once. */
  readonly answered: number;
}

type Look = 'goOn' | 'allEnded' | 'outOfPatience';

/**
 * Whether a run makes progress: an order was started or ended, or one of its questions was answered, or, after all orders
 * have ended, fewer events are unsettled than ever. Answers about accounts and late events are no progress before that:
 * they occur for as long as there are outages.
 */
export class Progress {
  #moves = '';
  #fewestUnsettled = Number.POSITIVE_INFINITY;
  #movedAt: number;

  /** @param now epoch milliseconds */
  constructor(
    private readonly patienceMs: number,
    now: number,
  ) {
    this.#movedAt = now;
  }

  look({ orders, started, running, ended, unsettled, answered }: Standing, now: number): Look {
    if (running === 0) this.#fewestUnsettled = Math.min(this.#fewestUnsettled, unsettled);
    const moves = `${started} ${ended} ${answered} ${this.#fewestUnsettled}`;
    if (moves !== this.#moves) this.#movedAt = now;
    this.#moves = moves;
    // An order that was started a moment ago may not be listed yet.
    const isAllCounted = started === orders && running + ended >= orders && unsettled === 0;
    if (isAllCounted && running === 0) return 'allEnded';
    return now - this.#movedAt > this.patienceMs ? 'outOfPatience' : 'goOn';
  }
}
