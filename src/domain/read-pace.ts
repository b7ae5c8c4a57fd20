import { delayAfter, type PollPace } from './policy';

/** Pace of repeating a failed read. The marketplace may be away for hours, and slow reads lose nothing. */
export const READ_PACE: PollPace = { initialMs: 2_000, maximumMs: 5 * 60_000 };

/** How long a read has waited at least between its attempts when this one begins. Milliseconds. */
export function readingForMs(attempt: number): number {
  let waitedMs = 0;
  for (let failed = 0; failed < attempt - 1; failed += 1) waitedMs += delayAfter(READ_PACE, failed);
  return waitedMs;
}
