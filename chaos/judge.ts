import { assertNever } from '../src/domain/assert-never';
import { FailureType } from '../src/domain/failure-type';
import type { Question } from '../src/domain/question';
import type { Circle, LedgerOfOrder, OrderCase, RunCase } from './order-case';
import { isMeant } from './refusals';

export interface Finding {
  /** Of what is no order: its reference, or the id of its workflow. */
  readonly orderId: string;
  readonly why: string;
}

export interface Verdict {
  readonly doubleBookings: readonly Finding[];
  readonly lostOrders: readonly Finding[];
  readonly unexplainedStops: readonly Finding[];
}

/** What became of an order, for the counts; `waiting` is for what no answer of a person can hurry. */
export type Fate = 'delivered' | 'failedBeforeBooking' | 'closed' | 'waiting' | 'stopped';

/** Holds the final state of every order, and what belongs to none, against the marketplace's ledger. Pure. */
export function judge({ cases, strangers, failingWorkflows }: RunCase): Verdict {
  const findings = (find: (order: OrderCase) => string | null): Finding[] =>
    cases.flatMap((order) => {
      const why = find(order);
      return why === null ? [] : [{ orderId: order.orderId, why }];
    });
  return {
    doubleBookings: findings(findDoubleBooking),
    lostOrders: [
      ...findings(findLoss),
      ...strangers.map(({ reference, what }) => ({
        orderId: reference || '(no reference)',
        why: `${what} was made by us, and no order of the run has its reference`,
      })),
    ],
    unexplainedStops: [
      ...findings(findStop),
      ...failingWorkflows.map((workflowId) => ({ orderId: workflowId, why: 'its workflow tasks failed' })),
    ],
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
  const { live, delivered, mostForeseen } = ledger;
  const { question = null, followed = [], deliveredToo = [] } = end ?? {};
  const isTold = live.every(
    (id) => delivered.includes(id) && (followed.includes(id) || deliveredToo.includes(id)),
  );
  const isUndone = live.length < 2 || question !== null || isTold;
  return mostForeseen < 2 && wasAskedAboutSecond && isUndone;
}

function findLoss(order: OrderCase): string | null {
  const { isAccepted, end, ledger } = order;
  const { live, mostLiveBookings } = ledger;
  const open = stillBookable(ledger);
  if (end === null) {
    if (live.length > 0) return 'booked, and there is no workflow';
    if (open !== null) return `${open} could still be booked, and there is no workflow`;
    return isAccepted ? 'its start was confirmed, and there is no workflow' : null;
  }
  if (end.status === 'COMPLETED') return findLostBooking(end.followed, ledger);
  if (end.status !== 'FAILED' && !isWithdrawn(end)) return null;
  const how = end.status.toLowerCase();
  if (live.length > 0) return `${how} with a live booking`;
  if (open !== null) return `${how}, and ${open} could still be booked`;
  if (mostLiveBookings === 0 || isClosedByAPerson(order)) return null;
  return `${how}, and it was booked before: ${end.failure?.reason ?? 'without a reason'}`;
}

/** Once it was booked only a person may end an order: it stays, and asks what is to become of it. */
const isClosedByAPerson = ({ end, endings }: OrderCase): boolean => isWithdrawn(end) && endings.length > 0;

/** It closed as an order does that a person gave up, whether Temporal was asked to cancel it or Consign was. */
const isWithdrawn = (end: OrderCase['end']): boolean =>
  end?.status === 'CANCELLED' || end?.status === 'WITHDRAWN';

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

function findStop(order: OrderCase): string | null {
  const { isAccepted, end, hadTaskFailures } = order;
  if (hadTaskFailures) return 'its workflow tasks failed';
  if (end === null) return isAccepted ? null : 'its start was never confirmed';
  switch (end.status) {
    case 'COMPLETED':
      return null;
    case 'FAILED':
    case 'CANCELLED':
    case 'WITHDRAWN':
      return findUnexplainedEnd(order);
    case 'RUNNING':
      if (end.circle !== null) return inCircles(end.circle);
      return isBeyondHelp(order) ? null : `still ${end.phase ?? 'running'} with ${open(end.question)}`;
    default:
      return `ended as ${end.status.toLowerCase()}`;
  }
}

const inCircles = ({ kind, answers, answersToKind }: Circle): string =>
  `goes round in circles: asks ${kind} again after ${answers} answers, ${answersToKind} of them to ${kind}`;

const open = (question: Pick<Question, 'kind'> | null): string =>
  question === null ? 'no question open' : `the question ${question.kind} open`;

/**
 * Whether an order that still runs waits for what no answer can hurry: a carrier whose time is not over. Any other
 * question a person has had the time to answer.
 */
function isBeyondHelp({ end, judgedAt }: OrderCase): boolean {
  const resendFrom = end?.question?.resendFrom;
  return resendFrom !== undefined && Date.parse(resendFrom) > Date.parse(judgedAt);
}

/** An order ends by itself before anything is booked, or because a person wants it; no other failure may leave it. */
function findUnexplainedEnd({ end, endings, refusals }: OrderCase): string | null {
  const { reason, refusal } = end?.failure ?? { reason: 'without a reason', refusal: null };
  if (isWithdrawn(end)) return endings.length > 0 ? null : `cancelled, and no person wanted it: ${reason}`;
  if (end?.failure?.type === FailureType.FailedBeforeBooking) {
    const isWanted = refusal !== null && refusals.some((meant) => isMeant(refusal, meant));
    return isWanted ? null : `failed before booking, and nothing was meant to refuse it: ${reason}`;
  }
  return `failed as ${end?.failure?.type ?? 'nothing of ours'}: ${reason}`;
}

export function fateOf(order: OrderCase): Fate {
  const { end } = order;
  if (end === null) return 'stopped';
  if (end.status === 'COMPLETED') return 'delivered';
  if (end.status === 'RUNNING') return isBeyondHelp(order) ? 'waiting' : 'stopped';
  if (isWithdrawn(end)) return 'closed';
  return end.failure?.type === FailureType.FailedBeforeBooking ? 'failedBeforeBooking' : 'stopped';
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
      return 'waiting for a carrier';
    case 'stopped':
      return 'stopped';
    default:
      return assertNever(fate);
  }
}
