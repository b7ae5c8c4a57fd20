import type { Refusal } from '../src/domain/call-failure';
import type { Question } from '../src/domain/question';
import type { Phase } from '../src/domain/shipment-state';
import type { LedgerOfOrder, strangersOf } from './ledger-of-order';
import type { MeantRefusal } from './refusals';

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

export interface RunCase {
  readonly cases: readonly OrderCase[];
  /** What Consign's requests made, but for no order of the run. */
  readonly strangers: ReturnType<typeof strangersOf>;
  /** Ids of other workflows whose tasks Temporal reported as failing. */
  readonly failingWorkflows: readonly string[];
}
