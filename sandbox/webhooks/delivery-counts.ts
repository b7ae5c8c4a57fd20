export const noDeliveries = {
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
export type DeliveryCounts = Readonly<typeof noDeliveries>;
