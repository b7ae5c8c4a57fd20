import { assertNever } from '../domain/assert-never';
import type { Phase } from '../domain/shipment-state';

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
  } | null;
  /** What the marketplace's own ledger says. */
  readonly ledger: {
    readonly liveBookings: number;
    /** The most that were live at one moment, as far as the ledger was looked at. */
    readonly mostLiveBookings: number;
    readonly wasBooked: boolean;
  };
  /** Temporal reported failing workflow tasks: a bug in workflow code. */
  readonly hadTaskFailures: boolean;
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

function findDoubleBooking({ ledger }: OrderCase): string | null {
  const { liveBookings, mostLiveBookings } = ledger;
  if (liveBookings > 1) return `${liveBookings} bookings are live at the end`;
  return mostLiveBookings > 1 ? `${mostLiveBookings} bookings were live at one moment` : null;
}

function findLoss({ isAccepted, end, ledger }: OrderCase): string | null {
  const { liveBookings } = ledger;
  if (end === null) {
    if (liveBookings > 0) return 'booked, and there is no workflow';
    return isAccepted ? 'its start was confirmed, and there is no workflow' : null;
  }
  if (end.status === 'COMPLETED' && liveBookings === 0) return 'completed without a booking';
  const isGivenUp = end.status === 'FAILED' || end.status === 'CANCELLED';
  return isGivenUp && liveBookings > 0 ? `${end.status.toLowerCase()} with a live booking` : null;
}

function findStop({ isAccepted, end, hadTaskFailures }: OrderCase): string | null {
  if (hadTaskFailures) return 'its workflow tasks failed';
  if (end === null) return isAccepted ? null : 'its start was never confirmed';
  switch (end.status) {
    case 'COMPLETED':
    case 'FAILED':
    case 'CANCELLED':
      return null;
    case 'RUNNING':
      return end.hasQuestion ? null : `still ${end.phase ?? 'running'} with no question open`;
    default:
      return `ended as ${end.status.toLowerCase()}`;
  }
}

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
