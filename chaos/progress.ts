export interface Standing {
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

/**
 * Whether a run makes progress: an order was started or ended, or one of its questions was answered, or, after all orders
 * have ended, fewer events are unsettled than ever. Answers about accounts and late events are no progress before that:
 * they occur for as long as there are outages.
 */
export class Progress {
  #moves = '';
  #fewestUnsettled = Number.POSITIVE_INFINITY;
  #movedAt = 0;

  constructor(private readonly patienceMs: number) {}

  /** @param now epoch milliseconds. The first look is a move. */
  look(
    { orders, started, running, ended, unsettled, answered }: Standing,
    now: number,
  ): 'goOn' | 'allEnded' | 'outOfPatience' {
    if (running === 0) this.#fewestUnsettled = Math.min(this.#fewestUnsettled, unsettled);
    const moves = `${started} ${ended} ${answered} ${this.#fewestUnsettled}`;
    if (moves !== this.#moves) this.#movedAt = now;
    this.#moves = moves;
    // An order that was started a moment ago may not be listed yet.
    if (started === orders && running === 0 && ended >= orders && unsettled === 0) return 'allEnded';
    return now - this.#movedAt > this.patienceMs ? 'outOfPatience' : 'goOn';
  }
}
