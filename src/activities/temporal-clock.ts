import type { LtlRate, RateList, ReadRates } from '../domain/rate';

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

/** Moves the instants of a rate from this worker's clock to Temporal's. */
function moveRate(rate: LtlRate, aheadMs: number): LtlRate {
  const moved = (instant: string): string => new Date(Date.parse(instant) - aheadMs).toISOString();
  return {
    ...rate,
    createdAt: rate.createdAt === null ? null : moved(rate.createdAt),
    expiresAt: moved(rate.expiresAt),
  };
}

/**
 * Rates as the workflow reads them, on Temporal's clock. Those on the marketplace's stay: two servers agree on the time more
 * closely than a worker whose clock is wrong agrees with either.
 */
export function onTemporalClock({ clock, ...list }: ReadRates, aheadMs: number): RateList {
  if (clock === 'marketplace' || aheadMs === 0) return list;
  return { ...list, rates: list.rates.map((rate) => moveRate(rate, aheadMs)) };
}
