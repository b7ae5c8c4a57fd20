import { assertNever } from '../domain/assert-never';
import type { QuestionKind } from '../domain/question';
import type { Phase } from '../domain/shipment-state';

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
  /** How many of its bookings came after the marketplace had said that their acceptance failed. */
  readonly bookedAfterFailing: number;
}

/** Everything that the judge is told about one order. */
export interface OrderCase {
  readonly orderId: string;
  /** Temporal confirmed the start. */
  readonly isAccepted: boolean;
  /** How the workflow stood at the end; null when there is none. */
  readonly end: {
    readonly status: string;
    readonly phase: Phase | null;
    /** One is open that an answer would settle. */
    readonly hasQuestion: boolean;
    /** One is open, and no answer settled it. */
    readonly circle: Circle | null;
    /** The listings that its result and its last state name; one, when all is well. */
    readonly followed: readonly string[];
    /** The listings of which it told that they were delivered for the order too. */
    readonly deliveredToo: readonly string[];
  } | null;
  readonly ledger: LedgerOfOrder;
  /** A person was asked about a possible double booking. */
  readonly wasAskedAboutSecond: boolean;
  /** Temporal reported failing workflow tasks: a bug in workflow code. */
  readonly hadTaskFailures: boolean;
}

/** An order that asks on whatever is answered. */
export interface Circle {
  /** What it asks. */
  readonly kind: QuestionKind;
  readonly answers: number;
  /** How many of them were given to this kind. */
  readonly answersToKind: number;
}

export interface Finding {
  readonly orderId: string;
  readonly why: string;
}

export interface Verdict {
  readonly doubleBookings: readonly Finding[];
  readonly lostOrders: readonly Finding[];
  readonly unexplainedStops: readonly Finding[];
}

/** What became of an order, for the counts; `waiting` has an open question. */
export type Fate = 'delivered' | 'failedBeforeBooking' | 'closed' | 'waiting' | 'stopped';

/** Holds the final state of every order against the marketplace's ledger. Pure. */
export function judge(cases: readonly OrderCase[]): Verdict {
  const findings = (find: (order: OrderCase) => string | null): Finding[] =>
    cases.flatMap((order) => {
      const why = find(order);
      return why === null ? [] : [{ orderId: order.orderId, why }];
    });
  return {
    doubleBookings: findings(findDoubleBooking),
    lostOrders: findings(findLoss),
    unexplainedStops: findings(findStop),
  };
}

export const isSpotless = ({ doubleBookings, lostOrders, unexplainedStops }: Verdict): boolean =>
  doubleBookings.length + lostOrders.length + unexplainedStops.length === 0;

function findDoubleBooking(order: OrderCase): string | null {
  const { end, ledger } = order;
  const { live, mostLiveBookings } = ledger;
  if (end?.status === 'COMPLETED' && live.length === 1) {
    const open = stillBookable(ledger);
    if (open !== null) return `completed with a booking, and ${open} could still be booked`;
  }
  if (mostLiveBookings < 2 || isSettledByAPerson(order)) return null;
  return live.length > 1
    ? `${live.length} bookings are live at the end`
    : `${mostLiveBookings} bookings were live at one moment`;
}

/**
 * No client can prevent the booking of an acceptance that was said to have failed. It has to be found and told, and a
 * person has to undo it: or the question about it is still open, or it was found when all trucks had delivered.
 */
function isSettledByAPerson({ end, ledger, wasAskedAboutSecond }: OrderCase): boolean {
  const { live, delivered, mostLiveBookings, bookedAfterFailing } = ledger;
  const { hasQuestion = false, followed = [], deliveredToo = [] } = end ?? {};
  const isTold = live.every(
    (id) => delivered.includes(id) && (followed.includes(id) || deliveredToo.includes(id)),
  );
  const isUndone = live.length < 2 || hasQuestion || isTold;
  return mostLiveBookings - bookedAfterFailing < 2 && wasAskedAboutSecond && isUndone;
}

function findLoss({ isAccepted, end, ledger }: OrderCase): string | null {
  const { live } = ledger;
  const open = stillBookable(ledger);
  if (end === null) {
    if (live.length > 0) return 'booked, and there is no workflow';
    if (open !== null) return `${open} could still be booked, and there is no workflow`;
    return isAccepted ? 'its start was confirmed, and there is no workflow' : null;
  }
  if (end.status === 'COMPLETED') return findLostBooking(end.followed, ledger);
  if (end.status !== 'FAILED' && end.status !== 'CANCELLED') return null;
  const how = end.status.toLowerCase();
  if (live.length > 0) return `${how} with a live booking`;
  return open === null ? null : `${how}, and ${open} could still be booked`;
}

/** The truck that is booked must be the one that was followed, to its end. */
function findLostBooking(
  followed: readonly string[],
  { live, delivered }: Pick<LedgerOfOrder, 'live' | 'delivered'>,
): string | null {
  if (live.length === 0) return 'completed without a booking';
  const [listingId, ...others] = followed;
  if (listingId === undefined || others.length > 0 || !live.includes(listingId))
    return `completed with listing ${listed(followed) || 'none'}, and ${listed(live)} is booked`;
  return delivered.includes(listingId) ? null : `completed before listing ${listingId} was delivered`;
}

/** What a carrier could still take or confirm, in words. */
function stillBookable({ open, openAcceptances }: LedgerOfOrder): string | null {
  if (open.length > 0) return `listing ${listed(open)}`;
  return openAcceptances.length > 0 ? `acceptance ${listed(openAcceptances)}` : null;
}

const listed = (ids: readonly string[]): string => ids.join(' and ');

function findStop({ isAccepted, end, hadTaskFailures }: OrderCase): string | null {
  if (hadTaskFailures) return 'its workflow tasks failed';
  if (end === null) return isAccepted ? null : 'its start was never confirmed';
  switch (end.status) {
    case 'COMPLETED':
    case 'FAILED':
    case 'CANCELLED':
      return null;
    case 'RUNNING':
      if (end.circle !== null) return inCircles(end.circle);
      return end.hasQuestion ? null : `still ${end.phase ?? 'running'} with no question open`;
    default:
      return `ended as ${end.status.toLowerCase()}`;
  }
}

const inCircles = ({ kind, answers, answersToKind }: Circle): string =>
  `goes round in circles: asks ${kind} again after ${answers} answers, ${answersToKind} of them to ${kind}`;

export function fateOf({ end }: OrderCase): Fate {
  if (end === null) return 'stopped';
  if (end.status === 'COMPLETED') return 'delivered';
  if (end.status === 'RUNNING') return end.hasQuestion ? 'waiting' : 'stopped';
  if (end.status === 'CANCELLED') return 'closed';
  if (end.status !== 'FAILED') return 'stopped';
  return end.phase === 'cancelled' ? 'closed' : 'failedBeforeBooking';
}

export function nameOf(fate: Fate): string {
  switch (fate) {
    case 'delivered':
      return 'delivered';
    case 'failedBeforeBooking':
      return 'failed before booking';
    case 'closed':
      return 'closed by a person';
    case 'waiting':
      return 'waiting for a person';
    case 'stopped':
      return 'stopped';
    default:
      return assertNever(fate);
  }
}
