/** Since when readings of the followed listing fail, and when the last one failed. Both in epoch milliseconds. */
export interface FailingReading {
  readonly listingId: string;
  readonly sinceMs: number;
  readonly lastMs: number;
}

/** Twice the time limit of a brief reading. */
const SHORTEST_GAP_MS = 2 * 60_000;

/**
 * Adds a failed reading. An event starts a new watch, but must not reset the time, or an unreadable listing would
 * never be reported. After a long gap between two failures the time starts again, because a reading between them may
 * have succeeded.
 * @param toldAfterMs when Consign reports the listing
 */
export function failedAgain(
  before: FailingReading | null,
  { listingId, nowMs, toldAfterMs }: { listingId: string; nowMs: number; toldAfterMs: number },
): FailingReading {
  const gapMs = Math.max(toldAfterMs / 2, SHORTEST_GAP_MS);
  const isOne = before?.listingId === listingId && nowMs - before.lastMs <= gapMs;
  return { listingId, sinceMs: isOne ? before.sinceMs : nowMs, lastMs: nowMs };
}
