/**
 * The closed set of failure types that cross a Temporal boundary. A type outside it means a bug, or a write
 * whose outcome nobody knows.
 */
export const FailureType = {
  /** The request certainly had no effect; send it again later. */
  NotSent: 'NotSent',
  /** The marketplace refused it for a reason of the order's; repeating it changes nothing. */
  Rejected: 'Rejected',
  /** Key, permission, address, payment: true of every shipment of the account; a person must act. */
  AccountTrouble: 'AccountTrouble',
  /** The request may have had its effect. Only for writes. */
  InDoubt: 'InDoubt',
  /** A read that got no answer; Temporal retries it. */
  Unavailable: 'Unavailable',
  /** A read answered 404 where the thing must exist. */
  NotFound: 'NotFound',
  /** An answer that is not what the contract describes; names the field. */
  UnexpectedResponse: 'UnexpectedResponse',
  /** A poll whose condition does not hold yet; benign, retried. */
  NotYet: 'NotYet',
  /** A document that can never be stored, such as one that is too large. */
  DocumentRefused: 'DocumentRefused',
  /** A reset run would repeat a write. */
  RunWasReset: 'RunWasReset',
  /** The account is not configured on this worker, or for another environment than the shipment's. */
  AccountMismatch: 'AccountMismatch',
  /** The workflow gives up while nothing is booked. */
  FailedBeforeBooking: 'FailedBeforeBooking',
} as const;

export type FailureType = (typeof FailureType)[keyof typeof FailureType];
