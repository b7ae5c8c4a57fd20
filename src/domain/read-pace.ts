import type { PollPace } from './policy';

/** Of a read that got no answer: the marketplace may be away for hours, and nothing is lost by asking more slowly. */
export const READ_PACE: PollPace = { initialMs: 2_000, maximumMs: 5 * 60_000 };
