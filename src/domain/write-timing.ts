/**
 * Shares of `writeTimeoutMs`, counted from the mark: when the first byte must have left, and how long the call may
 * take after that. Their sum is below 1, so no request starts after the server timed the activity out, and a slow
 * marketplace is distinguished from a lost worker.
 */
export const SEND_SHARE = 1 / 6;
export const CALL_SHARE = 2 / 3;

/** The least time that a stopping worker waits for running activities. */
export const LEAST_SHUTDOWN_GRACE_MS = 40_000;

/**
 * Limits of `writeTimeoutMs`. With less than the least no marketplace answers in time, and every order would be in
 * doubt. With the greatest a write still ends, and reports its outcome, within the least grace of a stopping worker.
 * With more, each deployment would interrupt writes and leave doubts.
 */
export const WRITE_TIMEOUT_BOUNDS_MS = { least: 1_000, greatest: 45_000 } as const;
