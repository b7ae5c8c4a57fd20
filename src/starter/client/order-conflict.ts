import { ExitCode } from '../../platform/exit-code';
import { UserError } from '../../platform/user-error';
import { commandLines } from '../../domain/command-lines';
import type { LastRun } from './last-run';

/** Thrown when an order id belongs to another order, or when starting it again could book twice. */
export class OrderConflictError extends UserError {
  override readonly name = 'OrderConflictError';
  override readonly exitCode = ExitCode.Conflict;

  constructor(
    message: string,
    readonly workflowId: string,
    readonly kind: 'otherDocument' | 'withdrawn' | 'endedUnclearly',
  ) {
    super(message);
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
  const who =
    withdrawal === null
      ? `Temporal ${status === 'CANCELLED' ? 'cancelled' : 'ended'} ${workflowId}`
      : `${withdrawal.by} withdrew ${workflowId} at ${withdrawal.at}: ${withdrawal.reason.replace(/\.$/, '')}`;
  const listings = withdrawal?.listingIds ?? [];
  const known = listings.length === 0 ? '' : ` Its listings were ${listings.join(', ')}.`;
  return new OrderConflictError(`${who}.${known} ${CHECK_FIRST}`, workflowId, 'withdrawn');
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
