const none = {
  /** All that were to be sent. */
  events: 0,
  /** Those of which a receiver took at least one delivery. */
  received: 0,
  /** Withheld while the switch was off. */
  off: 0,
  lost: 0,
  nobodyListens: 0,
  late: 0,
  /** Sent once more although nobody had asked for it. */
  doubled: 0,
  /** Deliveries that no receiver took. */
  refused: 0,
  /** Of the received: the same content under a new id. */
  twin: 0,
  /** Of the received: other content under the id of the listing's event before. */
  reusedId: 0,
  unknownType: 0,
  unknownStatus: 0,
};

/** What really became of the events; an event that is lost or late counts once for each. */
export type DeliveryCounts = Readonly<typeof none>;

/** The results of all deliveries, and the listings about which a receiver took an event. */
export interface Deliveries {
  readonly counts: DeliveryCounts;
  readonly toldListings: readonly number[];
}

/** What is known of deliveries for as long as the sandbox runs; the events themselves are forgotten after a while. */
export class DeliveryRecord {
  readonly counts = { ...none };
  readonly told = new Set<number>();

  deliveries(): Deliveries {
    return { counts: { ...this.counts }, toldListings: [...this.told] };
  }

  clear(): void {
    Object.assign(this.counts, none);
    this.told.clear();
  }
}
