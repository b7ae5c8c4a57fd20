import type { LtlRate } from '../domain/rate';

/** What an attempt waits in its queue for a moment is no difference of clocks. */
const TOLERATED_MS = 5_000;

/**
 * By how many milliseconds this worker's clock is ahead of Temporal's when an attempt begins. A wait in the queue counts
 * as being ahead, so that a rate seems to expire earlier than it does, never later.
 */
export function aheadOfTemporalMs(attemptScheduledAtMs: number, workerNowMs: number): number {
  const aheadMs = workerNowMs - attemptScheduledAtMs;
  return Math.abs(aheadMs) <= TOLERATED_MS ? 0 : aheadMs;
}

/** Moves the instants of a rate from this worker's clock to Temporal's, which the workflow reads. */
export function onTemporalClock(rate: LtlRate, aheadMs: number): LtlRate {
  if (aheadMs === 0) return rate;
  const moved = (instant: string): string => new Date(Date.parse(instant) - aheadMs).toISOString();
  return {
    ...rate,
    createdAt: rate.createdAt === null ? null : moved(rate.createdAt),
    expiresAt: moved(rate.expiresAt),
  };
}
