/** An instant without its zone could be hours wrong. */
const INSTANT = /^\d{4}-\d\d-\d\dT.+(?:Z|[+-]\d\d:?\d\d)$/i;
/** Clocks differ; an event that is dated later than this is dated wrongly. */
const CLOCK_SKEW_MS = 5 * 60_000;

/**
 * How long an event was under way.
 * @param time as the sender wrote it
 * @returns null where that is no instant, or lies in the future
 */
export function eventDelayMs(time: string, nowMs: number): number | null {
  const atMs = INSTANT.test(time) ? Date.parse(time) : Number.NaN;
  const delayMs = nowMs - atMs;
  if (Number.isNaN(delayMs) || delayMs < -CLOCK_SKEW_MS) return null;
  return Math.max(0, delayMs);
}
