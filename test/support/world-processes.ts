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
  const worker = await startProgram('worker.js', { env, root }, onClose);
  return {
    ...{ worker: worker.process, workerLines: worker.lines },
    ...{ startWorker: worker.start, killWorker: worker.kill },
  };
}

/** A program of the build that a test kills and starts again. */
export interface WorldProgram {
  process(): SupervisedProcess;
  /** What all of its processes have written so far. */
  lines(): readonly string[];
  start(): Promise<void>;
  kill(): Promise<void>;
}

/** @param script below `dist/src` */
export async function startProgram(
  script: string,
  { env, root = ROOT }: { readonly env: Environment; readonly root?: string },
  onClose: OnClose,
): Promise<WorldProgram> {
  const args = [path.join(root, 'dist', 'src', script)];
  const lines: string[] = [];
  const startOne = async (): Promise<SupervisedProcess> =>
    await startProcess({
      ...{ name: script, command: process.execPath, args, env, cwd: ROOT },
      onLine: (line) => lines.push(line),
    });
  let running = await startOne();
  const kill = async (): Promise<void> => {
    running.kill('SIGKILL');
    await running.exited;
  };
  onClose(kill);
  return {
    ...{ process: () => running, lines: () => lines, kill },
    async start() {
      running = await startOne();
    },
  };
}
