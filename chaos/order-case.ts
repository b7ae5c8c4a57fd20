import type { Refusal } from '../src/domain/call-failure';
import type { Question, QuestionKind } from '../src/domain/question';
import type { Phase } from '../src/domain/shipment-state';
import type { MeantRefusal } from './refusals';

/** What the marketplace's own ledger says about one order. */
export interface LedgerOfOrder {
  /** Listings whose booking has not ended. */
  readonly live: readonly string[];
  /** Those of them whose goods arrived. */
  readonly delivered: readonly string[];
  /** Listings on the market, as far as anybody but the marketplace can know of them. */
  readonly open: readonly string[];
  /** Acceptances that may yet be booked, by their execution ids. */
  readonly openAcceptances: readonly string[];
  /** The most bookings that were live at one moment. */
  readonly mostLiveBookings: number;
  /** The same without those that nobody could foresee when another rate was accepted. */
  readonly mostForeseen: number;
  /** How many of its bookings came after the marketplace had said that their acceptance failed. */
  readonly bookedAfterFailing: number;
}

/** An answer that ends the order, or its withdrawal. */
export type Ending = 'close' | 'abandon' | 'cancel' | 'withdraw';

/** An order that asks on whatever is answered. */
export interface Circle {
  /** What it asks. */
  readonly kind: QuestionKind;
  readonly answers: number;
  /** How many of them were given to this kind. */
  readonly answersToKind: number;
}

/** Everything that the judge is told about one order. */
export interface OrderCase {
  readonly orderId: string;
  /** When it was looked at; ISO. */
  readonly judgedAt: string;
  /** Temporal confirmed the start. */
  readonly isAccepted: boolean;
  /** How the workflow stood at the end; null when there is none. */
  readonly end: {
    /** As Temporal has it, or `WITHDRAWN` for a completed one whose result says so. */
    readonly status: string;
    readonly phase: Phase | null;
    readonly question: Pick<Question, 'kind' | 'resendFrom'> | null;
    /** One is open, and no answer settled it. */
    readonly circle: Circle | null;
    /** The listings that its result and its last state name; one, when all is well. */
    readonly followed: readonly string[];
    /** The listings of which it told, or a late event did, that they were delivered for the order too. */
    readonly deliveredToo: readonly string[];
    /** What it closed with; null unless it failed or was cancelled. */
    readonly failure: {
      readonly type: string | null;
      readonly reason: string;
      /** Null where no refusal ended it. */
      readonly refusal: Refusal | null;
    } | null;
  } | null;
  readonly ledger: LedgerOfOrder;
  /** The refusals of its first request that the marketplace was told to make. */
  readonly refusals: readonly MeantRefusal[];
  /** What the person did that ends an order; empty when it was left to run. */
  readonly endings: readonly Ending[];
  /** A person was asked about a possible double booking. */
  readonly wasAskedAboutSecond: boolean;
  /** Temporal reported failing workflow tasks: a bug in workflow code. */
  readonly hadTaskFailures: boolean;
}

/** Something that our requests made for no order of the run. */
export interface Stranger {
  /** Empty where it carries none. */
  readonly reference: string;
  readonly what: string;
}

/** Everything that the judge is told about a run. */
export interface RunCase {
  readonly cases: readonly OrderCase[];
  readonly strangers: readonly Stranger[];
  /** Ids of workflows that are no orders, and whose tasks Temporal reported as failing. */
  readonly failingWorkflows: readonly string[];
}
