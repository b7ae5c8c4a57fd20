/**
 * Shares of `writeTimeoutMs`, counted from the mark: when the first byte must have left, and how long the call may then
 * take. Together less than the whole, so that no request begins after the server gave the activity up, and a slow
 * marketplace is told from a lost worker.
 */
export const SEND_SHARE = 1 / 6;
export const CALL_SHARE = 2 / 3;

/** A stopping worker waits at least so long for what it is doing. */
export const LEAST_SHUTDOWN_GRACE_MS = 40_000;

/**
 * What `writeTimeoutMs` may be. Less than the least and no marketplace answers in time: every order would be in doubt. With
 * the greatest a write still ends, and tells its outcome, within the least grace of a stopping worker; with more, each
 * deployment would cut writes off and leave doubts.
 */
export const WRITE_TIMEOUT_BOUNDS_MS = { least: 1_000, greatest: 45_000 } as const;
