import type { PollPace } from './policy';

/** Pace of repeating a failed read. The marketplace may be away for hours, and slow reads lose nothing. */
export const READ_PACE: PollPace = { initialMs: 2_000, maximumMs: 5 * 60_000 };
