import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { FailureType } from '../domain/failure-type';
import { delayAfter, type PollPace } from '../domain/policy';
import type { CallOptions } from '../marketplace/marketplace';
import { notYet, toFailure } from './failures';

/** Below the heartbeat time-out of writes, so that a slow marketplace is told from a lost worker. */
export const WRITE_DEADLINE_MS = 25_000;
const READ_DEADLINE_MS = 20_000;

/** One attempt of a read; Temporal repeats it. Ends early when the workflow no longer wants the answer. */
export async function read<T>(call: (options: CallOptions) => Promise<T>): Promise<T> {
  const { cancellationSignal } = Context.current();
  try {
    return await call({ signal: cancellationSignal, timeoutMs: READ_DEADLINE_MS });
  } catch (error) {
    if (cancellationSignal.aborted) throw new CancelledFailure('the answer is no longer needed');
    throw toFailure(error, 'read');
  }
}

/** What a write is given to recognise that its run was reset. */
export interface WriteGuard {
  readonly originalExecutionRunId: string;
}

/**
 * The one attempt of a write. Deaf to cancellation, because a cancelled request may still book.
 *
 * Before the first byte it awaits a heartbeat that the server has recorded: a time-out without that mark was
 * never sent, one with it is in doubt, and a worker whose task was given up meanwhile cannot mark, so it does
 * not send.
 */
export async function writeOnce<T>(
  client: Client,
  guard: WriteGuard,
  call: (options: CallOptions) => Promise<T>,
): Promise<T> {
  const { info } = Context.current();
  if (info.workflowExecution?.runId !== guard.originalExecutionRunId) {
    throw ApplicationFailure.nonRetryable(
      'the workflow was reset: the write may have been made by the run before, so it is not repeated',
      FailureType.RunWasReset,
    );
  }
  try {
    await client.activity.heartbeat(info.taskToken, { sending: true });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw ApplicationFailure.nonRetryable(
      `not sent: Temporal did not take the mark (${why})`,
      FailureType.NotSent,
    );
  }
  try {
    return await call({ timeoutMs: WRITE_DEADLINE_MS });
  } catch (error) {
    throw toFailure(error, 'write');
  }
}

/** What a reading means for a poll. */
export type Reading<T> =
  | { readonly kind: 'ready'; readonly value: T }
  /** `saw`: the last answer in words, shown by Temporal's UI while the poll backs off. */
  | { readonly kind: 'pending'; readonly saw: string };

/**
 * One reading of a poll: fails benignly while there is nothing yet, so that Temporal waits and repeats it. However
 * long it takes, the history holds one activity.
 */
export async function poll<T>(
  pace: PollPace,
  take: (options: CallOptions) => Promise<Reading<T>>,
): Promise<T> {
  const reading = await read(take);
  if (reading.kind === 'ready') return reading.value;
  const { attempt } = Context.current().info;
  throw notYet(reading.saw, delayAfter(pace, attempt - 1));
}
