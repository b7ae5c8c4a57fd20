import { setTimeout as delay } from 'node:timers/promises';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { UserError } from '../../platform/user-error';
import { assertNever } from '../../domain/assert-never';
import {
  describeExit,
  startProcess,
  type Environment,
  type ProcessExit,
  type SupervisedProcess,
} from './supervise';
import { isListening, reserveFreePort } from './free-port';

export type DevServerLogLevel = 'debug' | 'info' | 'warn' | 'error' | 'never';

export interface DevServerOptions {
  readonly cliPath: string;
  readonly env: Environment;
  readonly namespace: string;
  /** Without a file, the server forgets everything when it stops. */
  readonly databaseFile?: string;
  /** A free one by default. */
  readonly port?: number;
  /** A free one by default; `null` for no web UI. */
  readonly uiPort?: number | null;
  /** Level of the server's log, whose lines go to `onLine`. The server writes much while it stops. */
  readonly logLevel?: DevServerLogLevel;
  readonly onLine?: (line: string) => void;
  readonly dynamicConfig?: Readonly<Record<string, string | number | boolean>>;
  readonly startTimeoutMs?: number;
}

export interface DevServer {
  readonly address: string;
  readonly uiUrl: string | null;
  readonly namespace: string;
  readonly pid: number;
  /** Resolves when it has ended, whether asked to or not. */
  readonly exited: Promise<ProcessExit>;
  readonly stop: () => Promise<void>;
  readonly kill: (signal: NodeJS.Signals) => void;
}

/** Thrown when the embedded Temporal server did not start; the message contains its last output. */
export class DevServerError extends UserError {
  override readonly name = 'DevServerError';
  override readonly kind = 'processFailed';
}

const START_TIMEOUT_MS = 15_000;
const POLL_MS = 15;
/** A server whose parent was just killed needs a moment to release its database file. */
const LOCK_WAIT_MS = 3_000;
const LOCK_POLL_MS = 200;
const PORT_ATTEMPTS = 3;

/**
 * Starts the Temporal CLI's development server and waits until its namespace answers.
 * It ends when this process ends, in whatever way.
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const lockDeadline = Date.now() + LOCK_WAIT_MS;
  for (let portAttempt = 1; ;) {
    const attempt = await tryStart(options);
    if (attempt.kind === 'running') return attempt.server;
    if (attempt.kind === 'portTaken' && attempt.wanted === null && portAttempt < PORT_ATTEMPTS) {
      portAttempt += 1;
    } else if (attempt.kind === 'databaseLocked' && Date.now() < lockDeadline) {
      await delay(LOCK_POLL_MS);
    } else {
      throw new DevServerError(whyNot(attempt, options));
    }
  }
}

type Attempt =
  | { readonly kind: 'running'; readonly server: DevServer }
  /** `wanted`: the port of the options that is taken; null for one that the server, or this function, had chosen. */
  | { readonly kind: 'portTaken'; readonly said: string; readonly wanted: number | null }
  | { readonly kind: 'databaseLocked' | 'failed'; readonly said: string };

async function tryStart(options: DevServerOptions): Promise<Attempt> {
  const port = options.port ?? (await reserveFreePort());
  if (options.port !== undefined && (await isListening(port)))
    return { kind: 'portTaken', said: '', wanted: port };
  const uiPort = options.uiPort === undefined ? await reserveFreePort() : options.uiPort;
  const child = await startProcess({
    name: 'the Temporal server',
    command: options.cliPath,
    args: cliArguments(options, port, uiPort),
    env: withoutTemporalSettings(options.env),
    onLine: options.onLine,
    // In memory there is nothing to save, and an orderly stop takes over a second.
    stopSignal: options.databaseFile === undefined ? 'SIGKILL' : 'SIGTERM',
    stopTimeoutMs: 5_000,
  });
  const address = `127.0.0.1:${port}`;
  const failure = await waitUntilUp(child, port, options);
  if (failure !== null) return failure;
  const uiUrl = uiPort === null ? null : `http://127.0.0.1:${uiPort}`;
  const { pid, exited, stop, kill } = child;
  return {
    kind: 'running',
    server: { address, uiUrl, namespace: options.namespace, pid, exited, stop, kill },
  };
}

/** As in `deploy/temporal/dynamic-config.yaml`, which says why. */
const DYNAMIC_CONFIG = { 'history.workflowTaskRetryMaxInterval': '1m' };

function cliArguments(options: DevServerOptions, port: number, uiPort: number | null): string[] {
  const dynamicConfig = Object.entries({ ...DYNAMIC_CONFIG, ...options.dynamicConfig }).flatMap(
    ([key, value]) => ['--dynamic-config-value', `${key}=${JSON.stringify(value)}`],
  );
  // Without SQLite's lock, two servers on one file both start and corrupt each other's data (seen).
  const database =
    options.databaseFile === undefined
      ? []
      : ['--db-filename', options.databaseFile, '--sqlite-pragma', 'locking_mode=exclusive'];
  return [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port)],
    ...(uiPort === null ? ['--headless'] : ['--ui-port', String(uiPort)]),
    ...['--namespace', options.namespace, '--log-level', options.logLevel ?? 'never'],
    ...database,
    ...dynamicConfig,
  ];
}

async function waitUntilUp(
  child: SupervisedProcess,
  port: number,
  options: DevServerOptions,
): Promise<Exclude<Attempt, { kind: 'running' }> | null> {
  const timeoutMs = options.startTimeoutMs ?? START_TIMEOUT_MS;
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(timeoutMs)]);
  const result = await Promise.race([child.exited, untilAnswers(port, options.namespace, signal)]);
  over.abort();
  if (result === 'answers') return null;
  if (result === 'silent') {
    await child.stop();
    return { kind: 'failed', said: `it did not answer within ${timeoutMs / 1000} s` };
  }
  const said = describeExit('it', result);
  if (said.includes('address already in use')) {
    const isNamed = (port: number): boolean => new RegExp(`\\b${port}\\b`).test(said);
    const wanted = [options.port, options.uiPort].find((port) => port != null && isNamed(port));
    return { kind: 'portTaken', said, wanted: wanted ?? null };
  }
  return { kind: said.includes('database is locked') ? 'databaseLocked' : 'failed', said };
}

/** The namespace is created while the server starts, so only its answer shows that the start is complete. */
export async function untilAnswers(
  port: number,
  namespace: string,
  signal: AbortSignal,
): Promise<'answers' | 'silent'> {
  // A refused gRPC connection waits a whole second before its next attempt, so do not try it too early.
  while (!(await isListening(port))) {
    if (signal.aborted) return 'silent';
    await delay(POLL_MS);
  }
  const connection = Connection.lazy({ address: `127.0.0.1:${port}` });
  try {
    while (!signal.aborted) {
      if (await hasNamespace(connection, namespace)) return 'answers';
      await delay(POLL_MS);
    }
    return 'silent';
  } finally {
    await connection.close();
  }
}

/** Any refusal means "not yet": the caller limits the wait. */
async function hasNamespace(connection: Connection, namespace: string): Promise<boolean> {
  try {
    await connection.withDeadline(Date.now() + 2_000, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
    return true;
  } catch (error) {
    if (isGrpcServiceError(error)) return false;
    throw error;
  }
}

/** Without the user's own Temporal settings, which are for other servers. */
function withoutTemporalSettings(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('TEMPORAL_')));
}

function whyNot(attempt: Exclude<Attempt, { kind: 'running' }>, options: DevServerOptions): string {
  switch (attempt.kind) {
    case 'portTaken':
      return attempt.wanted === null
        ? `The Temporal server found no free port. Run the command again, or set TEMPORAL_ADDRESS to the address of a running server. ${attempt.said}`.trim()
        : `The Temporal server cannot use port ${attempt.wanted}: another program listens there. If it is the Temporal server you want, set TEMPORAL_ADDRESS; otherwise stop it or choose another port. ${attempt.said}`.trim();
    case 'databaseLocked':
      return `Another Temporal server uses the database file ${options.databaseFile}. Stop it, or choose another file; two servers must not share a file.`;
    case 'failed':
      return `The Temporal server did not start (${options.cliPath}): ${attempt.said}`;
    default:
      return assertNever(attempt);
  }
}
