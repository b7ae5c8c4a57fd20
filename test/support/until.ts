import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** A machine may be several times slower than usual; a condition that comes true costs nothing of this. */
const PATIENCE_MS = 60_000;

/** Waits for a condition, so that no test depends on how fast the machine is. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  { patienceMs = PATIENCE_MS, everyMs = 20 } = {},
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await condition())) {
    if (Date.now() > deadline)
      throw new Error(`still not so after ${patienceMs} ms: ${condition.toString()}`);
    await delay(everyMs);
  }
}

/** A zombie that nobody has buried yet does not run. */
export function isRunning(pid: number): boolean {
  const state = ps('stat', pid);
  return state !== '' && !state.startsWith('Z');
}

/** True once the process is gone; a failure when it stays. */
export async function isGone(pid: number): Promise<boolean> {
  await until(() => !isRunning(pid));
  return true;
}

export function parentOf(pid: number): number {
  return Number(ps('ppid', pid));
}

export function groupOf(pid: number): number {
  return Number(ps('pgid', pid));
}

function ps(column: 'stat' | 'ppid' | 'pgid', pid: number): string {
  try {
    return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch (error) {
    // `ps` ends with 1 when there is no such process.
    if ((error as { status?: number }).status === 1) return '';
    throw error;
  }
}
