import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { UserError } from '../../platform/user-error';
import { errorCode } from '../../platform/error-code';
import { PACKAGE_ROOT } from '../../platform/package-root';

const SUPERVISOR = join(PACKAGE_ROOT, 'bin', 'supervisor.js');
const KEPT_LINES = 20;
const DEFAULT_STOP_TIMEOUT_MS = 10_000;
/** A stray grandchild may keep the output open after the command has ended; this does not wait for its lines. */
const OUTPUT_DRAIN_MS = 500;

/** Environment variables as a parameter: only `config.ts` reads the real ones. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface ProcessOptions {
  /** Its name in messages. */
  readonly name: string;
  readonly command: string;
  readonly args?: readonly string[];
  /** The whole environment of the command: nothing is inherited. */
  readonly env: Environment;
  readonly cwd?: string;
  /** Called with each line that the command writes, to either stream. */
  readonly onLine?: (line: string, stream: 'stdout' | 'stderr') => void;
  readonly stopSignal?: NodeJS.Signals;
  /** After this time `stop()` kills it. */
  readonly stopTimeoutMs?: number;
}

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether `stop()` was called before; any other exit is a crash. */
  readonly asked: boolean;
  readonly lastLines: readonly string[];
}

export interface SupervisedProcess {
  readonly name: string;
  /** The command's own process id, not its supervisor's. Also the number of its process group. */
  readonly pid: number;
  /** Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Asks the whole process group to end, kills it after the time-out, and waits until it is gone. */
  readonly stop: () => Promise<void>;
  /** Sends a signal to the whole process group. */
  readonly kill: (signal: NodeJS.Signals) => void;
}

/** Thrown when a command could not be started at all, such as one that does not exist. */
export class ProcessStartError extends UserError {
  override readonly name = 'ProcessStartError';
  override readonly kind = 'processFailed';
}

type Report =
  | { readonly type: 'started'; readonly pid: number }
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'exited'; readonly code: number | null; readonly signal: NodeJS.Signals | null };

/**
 * Runs a command under a supervisor process, which ends it when this process is gone, whether it returned, crashed, was
 * interrupted or was killed. The command is in a separate process group: a Ctrl-C in the terminal reaches only this
 * process, which stops the others in the right order.
 */
export async function startProcess(options: ProcessOptions): Promise<SupervisedProcess> {
  const supervisor = spawn(process.execPath, [SUPERVISOR], {
    // NODE_OPTIONS for the command, such as a debugger's, must not reach the supervisor.
    env: {},
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lastLines: string[] = [];
  for (const stream of ['stdout', 'stderr'] as const) {
    readLines(supervisor[stream], (line) => {
      lastLines.push(line);
      if (lastLines.length > KEPT_LINES) lastLines.shift();
      options.onLine?.(line, stream);
    });
  }
  const ended = whenEnded(supervisor);
  const pid = await whenStarted(supervisor, options);
  return supervised(options, { pid, ended, lastLines });
}

/** Such as `ended with code 1` or `was ended by SIGTERM`. */
export const howEnded = ({ code, signal }: Pick<ProcessExit, 'code' | 'signal'>): string =>
  signal === null ? `ended with code ${code}` : `was ended by ${signal}`;

/** Such as `the worker ended with code 1`, with its last lines of output. */
export function describeExit(name: string, exit: ProcessExit): string {
  const said = exit.lastLines.map((line) => `\n    ${line}`).join('');
  return `${name} ${howEnded(exit)}${said === '' ? ' and wrote nothing' : `. Its last lines:${said}`}`;
}

function readLines(input: Readable | null, onLine: (line: string) => void): void {
  if (input === null) return;
  createInterface({ input, crlfDelay: Infinity }).on('line', onLine);
}

function whenStarted(supervisor: ChildProcess, options: ProcessOptions): Promise<number> {
  const { command, args = [], cwd, env } = options;
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void =>
      reject(new ProcessStartError(`${options.name} cannot be started: ${reason}`));
    supervisor.on('message', (report: Report) => {
      if (report.type === 'started') resolve(report.pid);
      if (report.type === 'failed') fail(report.reason);
    });
    supervisor.once('error', (error) => fail(error.message));
    supervisor.once('disconnect', () => fail('its supervisor ended'));
    supervisor.send({ command, args, cwd, env }, (error) => {
      if (error !== null) fail(error.message);
    });
  });
}

type Ending = Pick<ProcessExit, 'code' | 'signal'>;

/** Settles once the command has ended and its output has been read; a killed supervisor counts as an end. */
function whenEnded(supervisor: ChildProcess): Promise<Ending | null> {
  return new Promise((resolve) => {
    let ending: Ending | null = null;
    supervisor.on('message', (report: Report) => {
      if (report.type === 'exited') ending = { code: report.code, signal: report.signal };
    });
    supervisor.once('close', () => resolve(ending));
    // Unlike `exit`, this comes after every message has been read.
    supervisor.once('disconnect', () => {
      if (ending === null) resolve(null);
    });
    supervisor.once('exit', () => {
      setTimeout(() => {
        supervisor.stdout?.destroy();
        supervisor.stderr?.destroy();
      }, OUTPUT_DRAIN_MS).unref();
    });
  });
}

interface Running {
  readonly pid: number;
  readonly ended: Promise<Ending | null>;
  readonly lastLines: readonly string[];
}

function supervised(options: ProcessOptions, { pid, ended, lastLines }: Running): SupervisedProcess {
  let gone = false;
  let stopping: Promise<void> | null = null;
  const kill = (signal: NodeJS.Signals): void => {
    if (!gone) signalGroup(pid, signal);
  };
  const exited = ended.then((ending): ProcessExit => {
    // Without a report, the supervisor itself was killed, and only this process can end the command.
    if (ending === null) kill('SIGKILL');
    gone = true;
    return { ...(ending ?? { code: null, signal: 'SIGKILL' }), asked: stopping !== null, lastLines };
  });
  const stopNow = async (): Promise<void> => {
    kill(options.stopSignal ?? 'SIGTERM');
    const timer = setTimeout(() => kill('SIGKILL'), options.stopTimeoutMs ?? DEFAULT_STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(timer);
  };
  const stop = (): Promise<void> => (stopping ??= gone ? Promise.resolve() : stopNow());
  return { name: options.name, pid, exited, stop, kill };
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // It has just ended: that is what the caller wants, or what `exited` will report.
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}
