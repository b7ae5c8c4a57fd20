/** What went wrong, for code that decides by it. Closed: each kind has its exit code in `EXIT_CODES`. */
export type ErrorKind =
  /** An argument or option is invalid; nothing was sent. */
  | 'invalidInput'
  /** An environment variable or a Temporal profile is invalid. */
  | 'invalidSettings'
  /** The accounts file is invalid, or has no such account. */
  | 'invalidAccounts'
  /** The order document, or one of its images, is invalid; nothing was started. */
  | 'invalidOrder'
  /** The order id may not be used again, or not without a statement of what was checked. */
  | 'conflict'
  /** The idempotency key came with another request before; nothing was started. */
  | 'keyReused'
  /** No shipment has this account and order id. */
  | 'notFound'
  /** The shipment ended in a way that leaves nothing to request. */
  | 'ended'
  /** The shipment has no open question. */
  | 'noQuestion'
  /** The answered question is closed, or another one is open. */
  | 'staleQuestion'
  /** The shipment, or its account, refused the request. */
  | 'refused'
  /** No late event and no unclear end of the order needs a person. */
  | 'nothingToAcknowledge'
  /** Several listings of the order need a person: the request must name one. */
  | 'severalListings'
  /** The shipment failed or was cancelled. */
  | 'failed'
  /** The marketplace, or the worker that asked it, did not answer. */
  | 'noAnswer'
  /** No worker takes the tasks of the queue. */
  | 'noWorker'
  /** Temporal did not confirm the request in time: it may still be applied, and is safe to repeat. */
  | 'notConfirmed'
  /** Temporal does not answer. */
  | 'temporalUnreachable'
  /** Temporal refused the request, such as a filter that it cannot parse. */
  | 'temporalRefused'
  /** A file cannot be stored or read. */
  | 'fileStore'
  /** A process of Consign, or the embedded Temporal server, did not start. */
  | 'processFailed';
