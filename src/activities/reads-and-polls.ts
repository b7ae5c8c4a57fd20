import { setTimeout as delay } from 'node:timers/promises';
import { CancelledFailure, Context } from '@temporalio/activity';
import { spread, withJitter } from '../domain/jitter';
import { delayAfter, type PollPace } from '../domain/policy';
import { READ_PACE } from '../domain/read-pace';
import { ConnectionError, UnexpectedResponseError } from '../marketplace/errors';
import type { CallOptions } from '../marketplace/marketplace';
import { notYet, toFailure } from './failures';

const READ_DEADLINE_MS = 20_000;
/** Well within the heartbeat time-out of reads, so only a lost worker misses it. */
const HEARTBEAT_MS = 2_000;

/**
 * One attempt of a read; Temporal repeats it. Ends early when the workflow no longer wants the answer. A long call
 * sends heartbeats, so a dead worker is detected before a slow answer would time out.
 */
export async function read<T>(
  call: (options: CallOptions) => Promise<T>,
  retryDelayMs: number | null = null,
): Promise<T> {
  const context = Context.current();
  const { cancellationSignal } = context;
  // Keeps the heartbeat details of the previous attempt.
  const heartbeat = (): void => context.heartbeat(context.info.heartbeatDetails);
  const heartbeats = setInterval(heartbeat, HEARTBEAT_MS);
  try {
    return await retryGarbledAnswers(call, cancellationSignal);
  } catch (error) {
    if (cancellationSignal.aborted) throw new CancelledFailure('the answer is no longer needed');
    throw toFailure(error, 'read', retryDelayMs ?? delayAfter(READ_PACE, context.info.attempt - 1));
  } finally {
    clearInterval(heartbeats);
  }
}

/** This many invalid answers in a row come from the marketplace itself; a proxy's page appears only briefly. */
const GARBLED_IN_A_ROW = 3;
const GARBLED_DELAY_MS = 1_000;

/**
 * Repeats within one attempt, because a poll's attempts are many and far apart.
 * @throws the last call's error
 */
async function retryGarbledAnswers<T>(
  call: (options: CallOptions) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const endsAt = Date.now() + READ_DEADLINE_MS;
  let last: UnexpectedResponseError | null = null;
  for (let garbled = 1; ; garbled += 1) {
    try {
      return await call({ signal, timeoutMs: Math.max(1, endsAt - Date.now()) });
    } catch (error) {
      // The tries before have used up the deadline, and their error says more than a time-out.
      if (last !== null && error instanceof ConnectionError) throw last;
      const waitMs = withJitter(GARBLED_DELAY_MS * garbled, Math.random());
      const isInTime = Date.now() + waitMs < endsAt;
      if (!(error instanceof UnexpectedResponseError) || garbled === GARBLED_IN_A_ROW || !isInTime)
        throw error;
      last = error;
      await delay(waitMs, undefined, { signal });
    }
  }
}

/** A reading that a write depends on. Fails like a write that was not sent. */
export async function readBeforeWrite<T>(call: (options: CallOptions) => Promise<T>): Promise<T> {
  try {
    // Writes cannot be cancelled.
    return await retryGarbledAnswers(call, new AbortController().signal);
  } catch (error) {
    throw toFailure(error, 'readBeforeWrite');
  }
}

/** Least delay of a poll after a call without an answer. */
const LEAST_DELAY_MS = 1_000;

/** What a reading means for a poll. */
export type Reading<T> =
  | { readonly kind: 'ready'; readonly value: T }
  /** `saw`: the last answer in words, shown in Temporal's UI while the poll backs off. */
  | { readonly kind: 'pending'; readonly saw: string };

/**
 * One reading of a poll. Without a result it fails benignly, and Temporal waits and repeats it. However long that
 * takes, the history contains one activity.
 */
export async function poll<T>(
  pace: PollPace,
  take: (options: CallOptions) => Promise<Reading<T>>,
): Promise<T> {
  const { attempt } = Context.current().info;
  const delayMs = delayAfter(pace, attempt - 1);
  // Temporal doubles its delay with each attempt, and a poll has had many: one failure would cost minutes.
  const reading = await read(take, Math.max(delayMs, LEAST_DELAY_MS));
  if (reading.kind === 'ready') return reading.value;
  throw notYet(reading.saw, spread(delayMs, Math.random()));
}

/** How a watch starts. */
export interface WatchOptions {
  readonly pace: PollPace;
  /**
   * False: the value was just read, so the first look comes after the pace. Otherwise a value that always changes
   * would be read without a pause.
   */
  readonly isDue: boolean;
}

/** Polls until the value differs from the known one. */
export async function watch<T>(
  { pace, isDue }: WatchOptions,
  take: (options: CallOptions) => Promise<Reading<T>>,
): Promise<T> {
  if (!isDue && Context.current().info.attempt === 1)
    throw notYet('read a moment ago', spread(pace.initialMs, Math.random()));
  return await poll(pace, take);
}
