import type { IsoInstant } from './shipment';

/** The one attempt of a write, by which its own outcome is recognised when it is told late. */
export interface WriteAttempt {
  /** Ids of activities begin again with each run. */
  readonly runId: string;
  readonly activityId: string;
}

/** A write that may have had its effect. It stands in the state until it is settled, whatever goes wrong meanwhile. */
export interface OpenDoubt {
  /** `creating the listing`, for the question. */
  readonly what: string;
  readonly reason: string;
  /** It was sent again and refused: a person who has seen that nothing exists confirms that the refusal was true. */
  readonly isRefusal: boolean;
  /** The attempt that may still tell its outcome; null where it has told all that it knows. */
  readonly attempt: WriteAttempt | null;
  /** The send that a listing must name to be the outcome; null: any of this order's. */
  readonly sendId: string | null;
  /** An acceptance is not sent again while the carrier may still answer the first one; null: at once. */
  readonly resendFrom: IsoInstant | null;
  /** Of an acceptance only a booked listing is the outcome: an open one may be what another one left behind. */
  readonly onlyLive: boolean;
  /** From then on a person is asked; an event or a late outcome may come before. */
  readonly askAt: IsoInstant;
}
