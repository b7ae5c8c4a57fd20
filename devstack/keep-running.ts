import { messageOf } from '../src/platform/message-of';
import { pause } from '../src/platform/pause';
import { howEnded, type ProcessExit } from '../src/temporal/dev-server/supervise';

/** A part that must run until somebody stops it. */
export interface KeptPart {
  readonly name: string;
  /** The exit of the current process; called again after each start. */
  exited(): Promise<ProcessExit>;
  start(): Promise<unknown>;
  /** What is lost with its process, as a text for people. */
  readonly loses?: string;
}

/** A part that ran for longer restarts at once. One that keeps ending restarts after longer and longer pauses. */
const SOUND_MS = 60_000;
const LONGEST_PAUSE_MS = 30_000;

const growingPause = (failures: number): number =>
  failures === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** (failures - 1));

/**
 * Restarts every part that ends, for any reason, and reports it.
 * @returns stops the restarts, and waits for one in progress; the parts continue to run
 */
export function keepRunning(
  parts: readonly KeptPart[],
  say: (line: string) => void,
  pauseAfter: (failures: number) => number = growingPause,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null));
  });

  const keep = async (part: KeptPart): Promise<void> => {
    for (let failures = 0; ;) {
      const startedAt = Date.now();
      const exit = await Promise.race([part.exited(), stopped]);
      if (exit === null) return;
      if (Date.now() - startedAt > SOUND_MS) failures = 0;
      say(`${part.name} ${howEnded(exit)}; restarting it`);
      do {
        if (!(await pause(pauseAfter(failures), signal))) return;
        failures += 1;
      } while (!(await hasStarted(part, say)));
      say(`${part.name} was restarted${part.loses === undefined ? '' : `: ${part.loses}`}`);
    }
  };

  const keeping = Promise.all(parts.map(keep));
  return async () => {
    stopping.abort();
    await keeping;
  };
}

async function hasStarted(part: KeptPart, say: (line: string) => void): Promise<boolean> {
  try {
    await part.start();
    return true;
  } catch (error) {
    say(`${part.name} does not start: ${messageOf(error)}`);
    return false;
  }
}
