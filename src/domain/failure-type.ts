/**
 * The closed set of failure types that cross a Temporal boundary. Any other type means a bug, or a write whose
 * outcome is unknown.
 */
export const FailureType = {
  /** The request certainly had no effect: send it again later. */
  NotSent: 'NotSent',
  /** The marketplace refused the order itself: a repetition changes nothing. */
  Rejected: 'Rejected',
  /** Key, permission, address or payment: affects every shipment of the account, and a person must act. */
  AccountTrouble: 'AccountTrouble',
  /** The request may have taken effect. Only for writes. */
  InDoubt: 'InDoubt',
  /** A read got no answer; Temporal retries it. */
  Unavailable: 'Unavailable',
  /** A read answered 404 although the thing must exist. */
  NotFound: 'NotFound',
  /** An answer that does not match the contract. The message names the field. */
  UnexpectedResponse: 'UnexpectedResponse',
  /** A poll whose condition does not hold yet; benign, and retried. */
  NotYet: 'NotYet',
  /** A document that can never be stored, such as one that is too large. */
  DocumentRefused: 'DocumentRefused',
  /** A reset run would repeat a write. */
  RunWasReset: 'RunWasReset',
  /** The worker does not have the account, or has it for another environment than the shipment's. */
  AccountMismatch: 'AccountMismatch',
  /** An endpoint did not accept a notification; Temporal retries it. */
  NotDelivered: 'NotDelivered',
  /** An endpoint answered 410: it wants no notifications. */
  EndpointGone: 'EndpointGone',
  /** The accounts file of the worker has no endpoint of this name; another worker's may. */
  EndpointUnknown: 'EndpointUnknown',
  /** The workflow gives up while nothing is booked. */
  FailedBeforeBooking: 'FailedBeforeBooking',
} as const;

export type FailureType = (typeof FailureType)[keyof typeof FailureType];
