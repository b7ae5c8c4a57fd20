import { UserError } from '../../platform/user-error';
import { commandLines } from '../../domain/command-lines';
import type { Withdrawal } from '../../domain/shipment-result';
import type { LastRun } from './last-run';

/** Thrown when an order id belongs to another order, or when starting it again could book twice. */
export class OrderConflictError extends UserError {
  override readonly name = 'OrderConflictError';
  override readonly kind = 'conflict';

  constructor(
    message: string,
    readonly workflowId: string,
    readonly reason: 'otherDocument' | 'withdrawn' | 'endedUnclearly',
    /** Who withdrew the order, and why; null unless a person did. */
    readonly withdrawal: Withdrawal | null = null,
  ) {
    super(message);
  }

  /** For the person at the terminal: also who withdrew the order and why, which the message leaves out. */
  override explain(): string {
    if (this.withdrawal === null) return super.explain();
    const { by, reason } = this.withdrawal;
    return `${by} withdrew the order: ${reason.replace(/\.$/, '')}. ${super.explain()}`;
  }
}

const CHECK_FIRST = `Nothing was started. Check the marketplace, then run \`${commandLines.startAgain()}\`.`;

export function otherDocument(workflowId: string, last: LastRun, hash: string): OrderConflictError {
  const known = last.documentHash?.slice(0, 12) ?? 'unknown';
  return new OrderConflictError(
    `${workflowId} is ${last.status.toLowerCase()} with another document (${known}, yours is ${hash.slice(0, 12)}). ` +
      'Nothing was started. To ship something else, give it another order id. To change this order before it is ' +
      `booked, run \`${commandLines.revise()}\`.`,
    workflowId,
    'otherDocument',
  );
}

/** A feed that repeats its orders must not book an order that a person withdrew. */
export function withdrawn(workflowId: string, { withdrawal, status }: LastRun): OrderConflictError {
  const what =
    withdrawal === null
      ? `Temporal ${status === 'CANCELLED' ? 'cancelled' : 'ended'} ${workflowId}`
      : `${workflowId} was withdrawn at ${withdrawal.at}`;
  const listings = withdrawal?.listingIds ?? [];
  const known = listings.length === 0 ? '' : ` Its listings were ${listings.join(', ')}.`;
  return new OrderConflictError(`${what}.${known} ${CHECK_FIRST}`, workflowId, 'withdrawn', withdrawal);
}

const HOW: Readonly<Record<string, string>> = {
  TERMINATED: 'was terminated',
  TIMED_OUT: 'timed out',
  FAILED: 'failed',
};

export function endedUnclearly(workflowId: string, { status, listingIds }: LastRun): OrderConflictError {
  const where =
    listingIds.length === 0 ? 'its listing is unknown' : `its listing is ${listingIds.join(', ')}`;
  const how = HOW[status] ?? `ended as ${status.toLowerCase()}`;
  const text = `${workflowId} ${how}. A booking may exist; ${where}. ${CHECK_FIRST}`;
  return new OrderConflictError(text, workflowId, 'endedUnclearly');
}
