import { setTimeout as delay } from 'node:timers/promises';

/** Waits until the time has passed or the signal aborts. @returns false when it was aborted */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await delay(ms, undefined, { signal });
    return true;
  } catch (error) {
    if (!signal.aborted) throw error;
    return false;
  }
}
