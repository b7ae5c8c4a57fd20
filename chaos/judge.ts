import { FailureType } from '../src/domain/failure-type';
import type { LedgerOfOrder } from './ledger-of-order';
import type { OrderCase, RunCase } from './order-case';
import { isMeant } from './refusals';

export type Verdict = ReturnType<typeof judge>;

/** The ends of an order and their names in the report. `waiting`: no answer of a person can speed it up. */
export const FATES = {
  delivered: 'delivered',
  failedBeforeBooking: 'failed before booking',
  closed: 'closed by a person',
  waiting: 'waiting for a carrier',
  stopped: 'stopped',
} as const;

/** Compares the final state of every order, and what belongs to no order, with the marketplace's ledger. Pure. */
export function judge({ cases, strangers, failingWorkflows }: RunCase) {
  const findings = (find: (order: OrderCase) => string | null) =>
    cases.flatMap((order) => {
      const why = find(order);
      return why === null ? [] : [{ orderId: order.orderId, why }];
    });
  return {
    doubleBookings: findings(findDoubleBooking),
    // A finding without an order names the reference, or the id of the workflow.
    lostOrders: [
      ...findings(findLoss),
      ...strangers.map(({ reference, what }) => ({
        orderId: reference || '(no reference)',
        why: `Consign made ${what}, but no order of the run has its reference`,
      })),
    ],
    unexplainedStops: [
      ...findings(findStop),
      ...failingWorkflows.map((workflowId) => ({ orderId: workflowId, why: 'its workflow tasks failed' })),
    ],
  };
}

export const isSpotless = (verdict: Verdict): boolean =>
  Object.values(verdict).every((findings) => findings.length === 0);

function findDoubleBooking(order: OrderCase): string | null {
  const { end, ledger } = order;
  const { live, mostLiveBookings } = ledger;
  if (end?.status === 'COMPLETED' && live.length === 1) {
    const open = stillBookable(ledger);
    if (open !== null) return `completed with a booking, but ${open} could still be booked`;
  }
  if (mostLiveBookings < 2 || isSettledByAPerson(order)) return null;
  return live.length > 1
    ? `${live.length} bookings are live at the end`
    : `${mostLiveBookings} bookings were live at the same time`;
}

/**
 * No client can prevent the booking of an acceptance that the marketplace reported as failed. Consign must find and report
 * it, and a person must undo it, unless the question about it is still open, or all trucks had delivered when it was found.
 */
function isSettledByAPerson({ end, ledger, wasAskedAboutSecond }: OrderCase): boolean {
  const { live, delivered, mostForeseen } = ledger;
  const { question = null, followed = [], deliveredToo = [] } = end ?? {};
  const isReported = live.every(
    (id) => delivered.includes(id) && (followed.includes(id) || deliveredToo.includes(id)),
  );
  const isUndone = live.length < 2 || question !== null || isReported;
  return mostForeseen < 2 && wasAskedAboutSecond && isUndone;
}

function findLoss(order: OrderCase): string | null {
  const { isAccepted, end, ledger } = order;
  const { live, mostLiveBookings } = ledger;
  const open = stillBookable(ledger);
  if (end === null) {
    if (live.length > 0) return 'booked, but has no workflow';
    if (open !== null) return `${open} could still be booked, but there is no workflow`;
    return isAccepted ? 'its start was confirmed, but there is no workflow' : null;
  }
  if (end.status === 'COMPLETED') return findLostBooking(end.followed, ledger);
  if (end.status !== 'FAILED' && !isWithdrawn(end)) return null;
  const how = end.status.toLowerCase();
  if (live.length > 0) return `${how} with a live booking`;
  if (open !== null) return `${how}, but ${open} could still be booked`;
  // Only a person may end an order that was booked: until then it must ask what to do.
  if (mostLiveBookings === 0 || (isWithdrawn(end) && order.endings.length > 0)) return null;
  return `${how}, but it was booked before: ${end.failure?.reason ?? 'no reason given'}`;
}

/** A person gave the order up, with Temporal's cancel or with Consign's. */
const isWithdrawn = (end: OrderCase['end']): boolean =>
  end?.status === 'CANCELLED' || end?.status === 'WITHDRAWN';

/** The shipment must have followed the booked listing until its delivery. */
function findLostBooking(followed: readonly string[], { live, delivered }: LedgerOfOrder): string | null {
  if (live.length === 0) return 'completed without a booking';
  const [listingId, ...others] = followed;
  if (listingId === undefined || others.length > 0 || !live.includes(listingId))
    return `completed with listing ${listed(followed) || 'none'}, but ${listed(live)} is booked`;
  return delivered.includes(listingId) ? null : `completed before listing ${listingId} was delivered`;
}

/** What a carrier could still book or confirm, in words. */
function stillBookable({ open, openAcceptances }: LedgerOfOrder): string | null {
  if (open.length > 0) return `listing ${listed(open)}`;
  return openAcceptances.length > 0 ? `acceptance ${listed(openAcceptances)}` : null;
}

const listed = (ids: readonly string[]): string => ids.join(' and ');

/** An order may end by itself before anything is booked, or because a person wants it. Any other end is a finding. */
function findStop(order: OrderCase): string | null {
  const { isAccepted, end, endings, refusals, hadTaskFailures } = order;
  if (hadTaskFailures) return 'its workflow tasks failed';
  if (end === null) return isAccepted ? null : 'its start was never confirmed';
  if (end.status === 'RUNNING' && end.circle !== null) return `asks in circles: ${end.circle}`;
  const { type, reason, refusal } = end.failure ?? { type: null, reason: 'no reason given', refusal: null };
  switch (fateOf(order)) {
    case 'delivered':
    case 'waiting':
      return null;
    case 'closed':
      return endings.length > 0 ? null : `cancelled, but no person wanted it: ${reason}`;
    case 'failedBeforeBooking': {
      const isWanted = refusal !== null && refusals.some((meant) => isMeant(refusal, meant));
      return isWanted ? null : `failed before booking, but no planned fault refused it: ${reason}`;
    }
    case 'stopped':
      break;
  }
  if (end.status === 'FAILED') return `failed as ${type ?? 'an unknown type'}: ${reason}`;
  if (end.status !== 'RUNNING') return `ended as ${end.status.toLowerCase()}`;
  const asks = end.question === null ? 'no open question' : `the open question ${end.question.kind}`;
  return `still ${end.phase ?? 'running'} with ${asks}`;
}

/**
 * Whether a running order waits for a carrier whose time has not run out: no answer can speed that up. There was enough
 * time to answer any other question.
 */
function isBeyondHelp({ end, judgedAt }: OrderCase): boolean {
  const resendFrom = end?.question?.resendFrom;
  return resendFrom !== undefined && Date.parse(resendFrom) > Date.parse(judgedAt);
}

export function fateOf(order: OrderCase): keyof typeof FATES {
  const { end } = order;
  if (end === null) return 'stopped';
  if (end.status === 'COMPLETED') return 'delivered';
  if (end.status === 'RUNNING') return isBeyondHelp(order) ? 'waiting' : 'stopped';
  if (isWithdrawn(end)) return 'closed';
  if (end.status !== 'FAILED') return 'stopped';
  return end.failure?.type === FailureType.FailedBeforeBooking ? 'failedBeforeBooking' : 'stopped';
}
