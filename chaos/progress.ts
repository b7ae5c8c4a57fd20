/** How a run stands. */
export interface Standing {
  /** How many there are to be. */
  readonly orders: number;
  /** Those whose start Temporal confirmed. */
  readonly started: number;
  readonly running: number;
  readonly ended: number;
  /** Events whose order is still looked for, or whose order is over and that a person has not seen. */
  readonly unsettled: number;
  /** How many of the orders' own questions were answered, each counted once. */
  readonly answered: number;
  /** Running orders that ask on whatever is answered, and get no more answers. */
  readonly circling: number;
}

type Look = 'goOn' | 'allEnded' | 'allCircle' | 'outOfPatience';

/**
 * Whether a run still gets on: an order was started, ended, or one of its questions was answered; once all are over, fewer
 * events are unsettled than ever. Before that, accounts in trouble and late events are answered for as long as there is
 * weather, and move no order.
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

  look({ orders, started, running, ended, unsettled, answered, circling }: Standing, now: number): Look {
    if (running === 0) this.#fewestUnsettled = Math.min(this.#fewestUnsettled, unsettled);
    const moves = `${started} ${ended} ${answered} ${this.#fewestUnsettled}`;
    if (moves !== this.#moves) this.#movedAt = now;
    this.#moves = moves;
    // What was started a moment ago may not be listed yet.
    const isAllTold = started === orders && running + ended >= orders && unsettled === 0;
    if (isAllTold && running === 0) return 'allEnded';
    if (isAllTold && running === circling) return 'allCircle';
    return now - this.#movedAt > this.patienceMs ? 'outOfPatience' : 'goOn';
  }
}
