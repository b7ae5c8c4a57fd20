/** What really became of the events; an event that is lost or late counts once for each. */
export interface DeliveryCounts {
  /** All that were to be sent. */
  readonly events: number;
  /** Those of which a receiver took at least one delivery. */
  readonly received: number;
  /** Withheld while the switch was off. */
  readonly off: number;
  readonly lost: number;
  readonly nobodyListens: number;
  readonly late: number;
  /** Sent once more although nobody had asked for it. */
  readonly doubled: number;
  /** Deliveries that no receiver took. */
  readonly refused: number;
  /** Of the received: the same content under a new id. */
  readonly twin: number;
  /** Of the received: other content under the id of the listing's event before. */
  readonly reusedId: number;
  readonly unknownType: number;
  readonly unknownStatus: number;
}

const none: DeliveryCounts = {
  ...{ events: 0, received: 0, off: 0, lost: 0, nobodyListens: 0, late: 0, doubled: 0, refused: 0 },
  ...{ twin: 0, reusedId: 0, unknownType: 0, unknownStatus: 0 },
};

/** What is known of deliveries for as long as the sandbox runs; the events themselves are forgotten after a while. */
export class DeliveryRecord {
  #counts = { ...none };
  #told = new Set<number>();

  count(what: keyof DeliveryCounts): void {
    this.#counts = { ...this.#counts, [what]: this.#counts[what] + 1 };
  }

  noteTold(listingId: number): void {
    this.#told.add(listingId);
  }

  counts(): DeliveryCounts {
    return this.#counts;
  }

  /** The listings of which a receiver took an event. */
  toldListings(): readonly number[] {
    return [...this.#told];
  }

  clear(): void {
    this.#counts = { ...none };
    this.#told = new Set();
  }
}
