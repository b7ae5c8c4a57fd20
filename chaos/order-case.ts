import type { Refusal } from '../src/domain/call-failure';
import type { Question } from '../src/domain/question';
import type { Phase } from '../src/domain/shipment-state';
import type { MeantRefusal } from './refusals';

/** What the marketplace's own ledger says about one order. */
export interface LedgerOfOrder {
  /** Listings whose booking has not ended. */
  readonly live: readonly string[];
  /** Those of them whose goods arrived. */
  readonly delivered: readonly string[];
  /** Listings on the market that a client of the marketplace can know about. */
  readonly open: readonly string[];
  /** Acceptances that may still be booked, by their execution ids. */
  readonly openAcceptances: readonly string[];
  /** The most bookings that were live at the same time. */
  readonly mostLiveBookings: number;
  /** The same without bookings that nobody could foresee when another rate was accepted. */
  readonly mostForeseen: number;
  /** How many of its bookings came after the marketplace had reported their acceptance as failed. */
  readonly bookedAfterFailing: number;
  /** How many of these no client could know about. They are left out above. */
  readonly unknowable: number;
}

/** An answer that ends the order, or its withdrawal. */
export type Ending = 'close' | 'abandon' | 'withdraw';

/** Everything that the judge knows about one order. */
export interface OrderCase {
  readonly orderId: string;
  /** When it was read; ISO. */
  readonly judgedAt: string;
  /** Temporal confirmed the start. */
  readonly isAccepted: boolean;
  /** The workflow at the end; null when there is none. */
  readonly end: {
    /** Temporal's status, or `WITHDRAWN` for a completed workflow whose result says so. */
    readonly status: string;
    readonly phase: Phase | null;
    readonly question: Pick<Question, 'kind' | 'resendFrom'> | null;
    /** A question is open that no answer settled: which, and how often it was answered. */
    readonly circle: string | null;
    /** The listings that its result and its last state name: exactly one in a good case. */
    readonly followed: readonly string[];
    /** The listings that it, or a late event, reported as also delivered for the order. */
    readonly deliveredToo: readonly string[];
    /** Its failure; null unless it failed or was cancelled. */
    readonly failure: {
      readonly type: string | null;
      readonly reason: string;
      /** Null when no refusal ended it. */
      readonly refusal: Refusal | null;
    } | null;
  } | null;
  readonly ledger: LedgerOfOrder;
  /** The planned refusals of its first request. */
  readonly refusals: readonly MeantRefusal[];
  /** What the person did to end the order; empty when it was left to run. */
  readonly endings: readonly Ending[];
  /** A person was asked about a possible double booking. */
  readonly wasAskedAboutSecond: boolean;
  /** Temporal reported failing workflow tasks: a bug in workflow code. */
  readonly hadTaskFailures: boolean;
}

/** Something that Consign's requests made, but for no order of the run. */
export interface Stranger {
  /** Empty when it has no reference. */
  readonly reference: string;
  readonly what: string;
}

/** Everything that the judge knows about a run. */
export interface RunCase {
  readonly cases: readonly OrderCase[];
  readonly strangers: readonly Stranger[];
  /** Ids of other workflows whose tasks Temporal reported as failing. */
  readonly failingWorkflows: readonly string[];
}
