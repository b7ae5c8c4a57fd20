import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { request } from 'undici';
import { UserError } from '../src/platform/user-error';
import { SEARCH_ATTRIBUTES } from '../src/contract/search-attributes';
import { PRIVATE_FOLDER } from '../src/platform/private-files';
import { startProcess, type ProcessExit, type SupervisedProcess } from '../src/temporal/dev-server/supervise';
import { openTemporal, type OpenTemporal } from '../src/temporal/connect';
import { PACKAGE_ROOT } from '../src/platform/package-root';

export interface StackOptions {
  /** Where files and, when persistent, the database are stored. */
  readonly folder: string;
  readonly isPersistent: boolean;
  readonly ports: {
    readonly temporal?: number;
    readonly ui?: number;
    readonly sandbox: number;
    readonly webhooks: number;
    /** Of the HTTP API; it is not started when left out. */
    readonly api?: number;
    /** Where worker, receiver and API serve their metrics; nowhere when left out. */
    readonly metrics?: { readonly worker: number; readonly webhooks: number; readonly api?: number };
  };
  readonly env: NodeJS.ProcessEnv;
  /** The caller runs the sandbox at its port; otherwise it is a part of the stack. */
  readonly hasOwnSandbox?: boolean;
  readonly log: (line: string) => void;
}

/** Everything that Consign needs, each part in a separate process. */
export interface Stack {
  /** The environment in which the parts and the command line find each other. */
  readonly env: NodeJS.ProcessEnv;
  readonly uiUrl: string | null;
  readonly namespace: string;
  readonly sandboxUrl: string;
  readonly webhookUrl: string;
  /** Null when the stack has no HTTP API. */
  readonly apiUrl: string | null;
  /** Restarts a part that has ended, such as a killed worker. */
  start(part: PartName): Promise<SupervisedProcess>;
  partOf(part: PartName): SupervisedProcess;
  /** Kills the embedded Temporal server with SIGKILL. @throws PartFailedError for an existing cluster */
  killTemporal(): Promise<void>;
  /** Resolves when the embedded Temporal server ends; null for an existing cluster. */
  temporalExited(): Promise<ProcessExit> | null;
  /** Restarts it at the same address; with a database file it continues where it stopped. */
  startTemporal(): Promise<void>;
  /** Stops in an order that loses nothing: first API, receiver and worker, then the services that they call. */
  stop(): Promise<void>;
}

const SCRIPTS = {
  sandbox: 'sandbox/main.js',
  worker: 'src/worker.js',
  webhooks: 'src/webhooks/main.js',
  api: 'src/starter/api/main.js',
} as const;
export type PartName = keyof typeof SCRIPTS;

const DIST = path.join(PACKAGE_ROOT, 'dist');
const READY_WITHIN_MS = 20_000;

/** Starts the Temporal server, the sandbox marketplace, the worker, the webhook receiver and the HTTP API. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { folder, log, ports } = options;
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const openAt = async (port?: number, uiPort?: number): Promise<OpenTemporal> =>
    await openTemporal({
      env: options.env,
      log,
      searchAttributes: SEARCH_ATTRIBUTES,
      embedded: {
        ...(options.isPersistent ? { databaseFile: path.join(folder, 'temporal.db') } : {}),
        ...(port === undefined ? {} : { port }),
        ...(uiPort === undefined ? {} : { uiPort }),
      },
    });
  let temporal = await openAt(ports.temporal, ports.ui);
  const { address, uiUrl, namespace } = temporal;
  const sandboxUrl = `http://127.0.0.1:${ports.sandbox}`;
  const webhookUrl = `http://127.0.0.1:${ports.webhooks}`;
  const apiUrl = ports.api === undefined ? null : `http://127.0.0.1:${ports.api}`;
  const secret = options.env.CONSIGN_WEBHOOK_SECRET ?? 'demo-webhook-secret';
  // The user's proxy cannot reach this machine.
  const direct = [options.env.no_proxy, options.env.NO_PROXY, '127.0.0.1'].filter(
    (hosts) => hosts !== undefined,
  );
  const noProxy = direct.join(',');
  const env: NodeJS.ProcessEnv = {
    ...options.env,
    ...{ NO_PROXY: noProxy, no_proxy: noProxy },
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    SANDBOX_URL: sandboxUrl,
    SANDBOX_PORT: String(ports.sandbox),
    SANDBOX_WEBHOOK_URL: `${webhookUrl}/webhooks/acme/${secret}`,
    WEBHOOK_PORT: String(ports.webhooks),
    ...(ports.api === undefined ? {} : { API_PORT: String(ports.api) }),
    CONSIGN_FILES: path.join(folder, 'files'),
    CONSIGN_LOG_LEVEL: options.env.CONSIGN_LOG_LEVEL ?? 'warn',
  };
  const metricsAddressOf = (name: PartName): string => {
    const port = name === 'sandbox' ? undefined : ports.metrics?.[name];
    return port === undefined ? '' : `127.0.0.1:${port}`;
  };
  const parts = new Map<PartName, SupervisedProcess>();
  const stop = async (): Promise<void> => {
    for (const part of [...parts.values()].toReversed()) await part.stop();
    await temporal.close();
  };
  const start = async (name: PartName): Promise<SupervisedProcess> => {
    const part = await startProcess({
      name,
      command: process.execPath,
      args: [path.join(DIST, SCRIPTS[name])],
      // One address for all would be in use for the second part.
      env: { ...env, CONSIGN_METRICS_ADDRESS: metricsAddressOf(name) },
      stopTimeoutMs: 45_000,
      onLine: (line, stream) => {
        if (stream === 'stderr') log(`${name}: ${line}`);
      },
    });
    parts.set(name, part);
    return part;
  };
  const partOf = (name: PartName): SupervisedProcess => {
    const part = parts.get(name);
    if (part === undefined) throw new PartFailedError(`${name} was not started`);
    return part;
  };
  try {
    const sandbox = options.hasOwnSandbox === true ? null : await start('sandbox');
    await start('worker');
    const webhooks = await start('webhooks');
    const api = apiUrl === null ? null : await start('api');
    await Promise.all([
      ...(sandbox === null ? [] : [answers(`${sandboxUrl}/_sandbox/health`, sandbox)]),
      answers(`${webhookUrl}/health`, webhooks),
      ...(api === null ? [] : [answers(`${apiUrl}/health`, api)]),
    ]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    env,
    ...{ uiUrl, namespace, sandboxUrl, webhookUrl, apiUrl, start, partOf, stop },
    async killTemporal() {
      const { server } = temporal;
      if (server === null)
        throw new PartFailedError(`the cluster at ${address} was not started here, so it is not killed`);
      server.kill('SIGKILL');
      await server.exited;
    },
    temporalExited: () => temporal.server?.exited ?? null,
    async startTemporal() {
      temporal = await openAt(portOf(address), uiUrl === null ? undefined : portOf(uiUrl));
    },
  };
}

const portOf = (address: string): number => Number(address.slice(address.lastIndexOf(':') + 1));

/** Thrown when a part does not start; contains its last output. */
export class PartFailedError extends UserError {
  override readonly name = 'PartFailedError';
  override readonly kind = 'processFailed';
}

async function answers(url: string, part: SupervisedProcess): Promise<void> {
  const crashed = part.exited.then(({ code, lastLines }) => {
    throw new PartFailedError(`${part.name} ended with code ${code}:\n${lastLines.join('\n')}`);
  });
  const deadline = Date.now() + READY_WITHIN_MS;
  const poll = async (): Promise<void> => {
    for (;;) {
      const isUp = await request(url, { headersTimeout: 2_000 }).then(
        async ({ statusCode, body }) => {
          await body.dump();
          return statusCode === 200;
        },
        // The part refuses connections while it starts; the deadline below ends the wait.
        () => false,
      );
      if (isUp) return;
      if (Date.now() > deadline)
        throw new PartFailedError(`${url} does not answer after ${READY_WITHIN_MS} ms`);
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
    }
  };
  await Promise.race([poll(), crashed]);
}
