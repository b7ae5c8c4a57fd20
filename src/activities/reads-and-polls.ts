import { setTimeout as delay } from 'node:timers/promises';
import { CancelledFailure, Context } from '@temporalio/activity';
import { spread, withJitter } from '../domain/jitter';
import { delayAfter, type PollPace } from '../domain/policy';
import { READ_PACE } from '../domain/read-pace';
import { ConnectionError, UnexpectedResponseError } from '../marketplace/errors';
import type { CallOptions } from '../marketplace/marketplace';
import { notYet, toFailure } from './failures';

const READ_DEADLINE_MS = 20_000;
/** Well within the heartbeat time-out of reads, so that only a lost worker misses it. */
const SIGN_OF_LIFE_MS = 2_000;

/**
 * One attempt of a read; Temporal repeats it. Ends early when the workflow no longer wants the answer. A call that
 * takes long gives signs of life, so that a worker that died is noticed before a slow answer would be.
 */
export async function read<T>(
  call: (options: CallOptions) => Promise<T>,
  retryDelayMs: number | null = null,
): Promise<T> {
  const context = Context.current();
  const { cancellationSignal } = context;
  // What the attempt before left for the next one is kept.
  const signOfLife = (): void => context.heartbeat(context.info.heartbeatDetails);
  const signsOfLife = setInterval(signOfLife, SIGN_OF_LIFE_MS);
  try {
    return await callAgainWhenGarbled(call, cancellationSignal);
  } catch (error) {
    if (cancellationSignal.aborted) throw new CancelledFailure('the answer is no longer needed');
    throw toFailure(error, 'read', retryDelayMs ?? delayAfter(READ_PACE, context.info.attempt - 1));
  } finally {
    clearInterval(signsOfLife);
  }
}

/** So many answers in a row that make no sense are the marketplace's, and no proxy's page of a moment. */
const GARBLED_IN_A_ROW = 3;
const GARBLED_DELAY_MS = 1_000;

/** Within one attempt, because those of a poll are many and far apart. @throws whatever the last call threw */
async function callAgainWhenGarbled<T>(
  call: (options: CallOptions) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const endsAt = Date.now() + READ_DEADLINE_MS;
  let last: UnexpectedResponseError | null = null;
  for (let garbled = 1; ; garbled += 1) {
    try {
      return await call({ signal, timeoutMs: Math.max(1, endsAt - Date.now()) });
    } catch (error) {
      // A deadline that the tries before have used up tells less than what they brought.
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

/** A reading that a write depends on. It fails as a write that was not sent. */
export async function readBeforeWrite<T>(call: (options: CallOptions) => Promise<T>): Promise<T> {
  try {
    // Nobody cancels a write.
    return await callAgainWhenGarbled(call, new AbortController().signal);
  } catch (error) {
    throw toFailure(error, 'readBeforeWrite');
  }
}

/** Of a poll that got no answer. */
const LEAST_DELAY_MS = 1_000;

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
  const { attempt } = Context.current().info;
  const delayMs = delayAfter(pace, attempt - 1);
  // Temporal doubles its delay with each attempt, and a poll has had many: one failure would cost it minutes.
  const reading = await read(take, Math.max(delayMs, LEAST_DELAY_MS));
  if (reading.kind === 'ready') return reading.value;
  throw notYet(reading.saw, spread(delayMs, Math.random()));
}

/** How a watch is begun: of something that is known already, or not. */
export interface WatchOptions {
  readonly pace: PollPace;
  /**
   * False: it was read a moment ago, so that the first look comes after the pace. What changes with each reading would be
   * asked for without a pause.
   */
  readonly isDue: boolean;
}

/** A poll for what differs from what is known. */
export async function watch<T>(
  { pace, isDue }: WatchOptions,
  take: (options: CallOptions) => Promise<Reading<T>>,
): Promise<T> {
  if (!isDue && Context.current().info.attempt === 1)
    throw notYet('read a moment ago', spread(pace.initialMs, Math.random()));
  return await poll(pace, take);
}
