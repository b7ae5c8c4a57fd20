/** Since when readings of the followed listing fail, and when the last one did; both in epoch milliseconds. */
export interface FailingReading {
  readonly listingId: string;
  readonly sinceMs: number;
  readonly lastMs: number;
}

/** Twice what a brief reading may take. */
const SHORTEST_GAP_MS = 2 * 60_000;

/**
 * Adds a reading that failed. Whatever begins a watch anew, as an event does, must not begin its time: a listing would
 * never be told to be unreadable. Of failures that are far apart nobody knows whether a reading between them succeeded.
 * @param toldAfterMs after how long it is told
 */
export function failedAgain(
  before: FailingReading | null,
  { listingId, nowMs, toldAfterMs }: { listingId: string; nowMs: number; toldAfterMs: number },
): FailingReading {
  const gapMs = Math.max(toldAfterMs / 2, SHORTEST_GAP_MS);
  const isOne = before?.listingId === listingId && nowMs - before.lastMs <= gapMs;
  return { listingId, sinceMs: isOne ? before.sinceMs : nowMs, lastMs: nowMs };
}
