import path from 'node:path';
import { SEARCH_ATTRIBUTES } from '../../src/contract/search-attributes';
import {
  startProcess,
  type Environment,
  type SupervisedProcess,
} from '../../src/temporal/dev-server/supervise';
import type { OnClose } from '../../src/platform/closing';
import { openTemporal, type OpenTemporal } from '../../src/temporal/connect';

const ROOT = path.join(__dirname, '..', '..');

/** A Temporal server that a test stops, kills and starts again. */
export interface WorldServer {
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  kill(): Promise<void>;
  /** Again at the same address. */
  restart(): Promise<void>;
}

/** A worker process that a test kills and starts again. */
export interface WorldWorker {
  worker(): SupervisedProcess;
  /** What every worker process has written so far, a line each. */
  workerLines(): readonly string[];
  startWorker(): Promise<void>;
  killWorker(): Promise<void>;
}

export function withoutSettings(env: NodeJS.ProcessEnv, names: RegExp): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.test(name)));
}

/** A server of its own; with a folder its database is a file there. */
export async function startServer(
  folder: string | null,
  onClose: OnClose,
): Promise<{ readonly address: string; readonly temporal: WorldServer }> {
  const databaseFile = folder === null ? {} : { databaseFile: path.join(folder, 'temporal.db') };
  const open = async (port?: number): Promise<OpenTemporal> =>
    await openTemporal({
      env: withoutSettings(process.env, /^TEMPORAL_/),
      log: () => {},
      searchAttributes: SEARCH_ATTRIBUTES,
      embedded: { ...databaseFile, uiPort: null, ...(port === undefined ? {} : { port }) },
    });
  let { address, server } = await open();
  const kill = async (): Promise<void> => {
    server?.kill('SIGKILL');
    await server?.exited;
  };
  // Nothing of it is kept, and one that a failed test left stopped would not hear anything else.
  onClose(kill);
  return {
    address,
    temporal: {
      signal: (signal) => server?.kill(signal),
      kill,
      async restart() {
        ({ server } = await open(Number(address.slice(address.lastIndexOf(':') + 1))));
      },
    },
  };
}

/** The real worker program, as it was built. @param root of another build than that of the project */
export async function startWorkerProcess(
  env: Environment,
  onClose: OnClose,
  root = ROOT,
): Promise<WorldWorker> {
  const args = [path.join(root, 'dist', 'src', 'worker.js')];
  const lines: string[] = [];
  const startOne = async (): Promise<SupervisedProcess> =>
    await startProcess({
      ...{ name: 'worker', command: process.execPath, args, env, cwd: ROOT },
      onLine: (line) => lines.push(line),
    });
  let worker = await startOne();
  const killWorker = async (): Promise<void> => {
    worker.kill('SIGKILL');
    await worker.exited;
  };
  onClose(killWorker);
  return {
    worker: () => worker,
    workerLines: () => lines,
    async startWorker() {
      worker = await startOne();
    },
    killWorker,
  };
}
