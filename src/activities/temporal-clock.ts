import type { LtlRate, RateList, ReadRates } from '../domain/rate';

/** A short wait of the attempt in its queue is no clock difference. */
const TOLERATED_MS = 5_000;

/**
 * How many milliseconds this worker's clock is ahead of Temporal's when an attempt begins. A wait in the queue counts
 * as being ahead: then a rate seems to expire earlier, never later.
 */
export function aheadOfTemporalMs(attemptScheduledAtMs: number, workerNowMs: number): number {
  const aheadMs = workerNowMs - attemptScheduledAtMs;
  return Math.abs(aheadMs) <= TOLERATED_MS ? 0 : aheadMs;
}

/** Converts a rate's instants from this worker's clock to Temporal's. */
function moveRate(rate: LtlRate, aheadMs: number): LtlRate {
  const moved = (instant: string): string => new Date(Date.parse(instant) - aheadMs).toISOString();
  return {
    ...rate,
    createdAt: rate.createdAt === null ? null : moved(rate.createdAt),
    expiresAt: moved(rate.expiresAt),
  };
}

/**
 * Rates for the workflow, on Temporal's clock. Instants on the marketplace's clock stay: two servers agree on the
 * time better than either agrees with a worker whose clock is wrong.
 */
export function onTemporalClock({ clock, ...list }: ReadRates, aheadMs: number): RateList {
  if (clock === 'marketplace' || aheadMs === 0) return list;
  return { ...list, rates: list.rates.map((rate) => moveRate(rate, aheadMs)) };
}
