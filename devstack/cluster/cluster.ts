import { randomInt } from 'node:crypto';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import type { OnClose } from '../../src/platform/closing';
import { PACKAGE_ROOT } from '../../src/platform/package-root';
import { UserError } from '../../src/platform/user-error';
import { untilAnswers } from '../../src/temporal/dev-server/dev-server';
import { cliSources, findCli } from '../../src/temporal/dev-server/find-cli';
import { isListening } from '../../src/temporal/dev-server/free-port';
import type { Environment } from '../../src/temporal/dev-server/supervise';
import { installTool, run, whyNot } from './go-tool';
import { startPostgres, whyNoPostgres } from './postgres';
import { Service, ServiceFailedError, type Killable } from './service';

/** Of the version that docker-compose.yml names; a test compares them. */
export const TEMPORAL_VERSION = 'v1.32.0';
export const SQL_TOOL = {
  package: 'go.temporal.io/server/cmd/tools/sql',
  version: TEMPORAL_VERSION,
  variable: 'TEMPORAL_SQL_TOOL',
};
const SERVER = {
  package: 'go.temporal.io/server/cmd/server',
  version: TEMPORAL_VERSION,
  variable: 'TEMPORAL_SERVER',
};
const DEPLOY = path.join(PACKAGE_ROOT, 'deploy', 'temporal');
const USER = 'temporal';
const PASSWORD = 'a-password';
const NAMESPACE = 'default';
/** Exists from the first start on. */
const SYSTEM_NAMESPACE = 'temporal-system';

/** Why no cluster can run on this machine; null when it can. */
export const whyNoCluster = (): string | null => whyNot(SERVER) ?? whyNot(SQL_TOOL) ?? whyNoPostgres();

/** A Temporal server on PostgreSQL, prepared as docker-compose.yml does it. */
export interface Cluster {
  /** What the processes of Consign need to find it. */
  readonly env: Readonly<Record<'TEMPORAL_ADDRESS' | 'TEMPORAL_NAMESPACE', string>>;
  readonly server: Killable;
  readonly database: Killable & { readonly port: number };
}

interface ClusterOptions {
  /** For programs under the names that the steps call. */
  readonly folder: string;
  readonly env: Environment;
  /** Called with what the steps and the server write. */
  readonly log: (line: string) => void;
}

/** @throws UserError when this machine has not what it needs */
export async function startCluster({ folder, env, log }: ClusterOptions, onClose: OnClose): Promise<Cluster> {
  const why = whyNoCluster();
  if (why !== null) throw new UserError(`A Temporal cluster cannot run here: ${why}.`);
  const programs = {
    'temporal-sql-tool': await installTool(SQL_TOOL),
    temporal: (await findCli(cliSources(env), log)).path,
  };
  for (const [name, program] of Object.entries(programs)) await symlink(program, path.join(folder, name));
  const step = async (command: string, args: readonly string[], settings: object): Promise<void> => {
    const given = { ...settings, PATH: `${folder}:${env.PATH ?? ''}` };
    const { code, output } = await run(command, args, { env: given });
    for (const line of output.trim().split('\n')) log(`${args.join(' ')}: ${line}`);
    if (code !== 0)
      throw new ServiceFailedError(`${command} ${args.join(' ')} ended with code ${code}:\n${output}`);
  };
  const database = await startPostgres(PASSWORD);
  onClose(async () => await database.close());
  await step('sh', [path.join(DEPLOY, 'create-schema.sh')], {
    ...{ SQL_PLUGIN: 'postgres12', SQL_HOST: '127.0.0.1', SQL_PORT: String(database.port) },
    ...{ SQL_USER: USER, SQL_PASSWORD: PASSWORD },
  });
  const { server, port } = await serverOn(database.port, log);
  await server.start();
  onClose(async () => await server.kill());
  const address = { TEMPORAL_ADDRESS: `127.0.0.1:${port}`, TEMPORAL_NAMESPACE: NAMESPACE };
  await step('sh', [path.join(DEPLOY, 'create-namespace.sh')], address);
  await step(process.execPath, [path.join(PACKAGE_ROOT, 'bin', 'consign.js'), 'setup'], address);
  return { env: address, server, database };
}

const PORTS = [
  ...['FRONTEND_GRPC_PORT', 'FRONTEND_HTTP_PORT', 'FRONTEND_MEMBERSHIP_PORT'],
  ...['HISTORY_GRPC_PORT', 'HISTORY_MEMBERSHIP_PORT', 'MATCHING_GRPC_PORT', 'MATCHING_MEMBERSHIP_PORT'],
  ...['WORKER_GRPC_PORT', 'WORKER_MEMBERSHIP_PORT'],
];

/**
 * Temporal's schema for PostgreSQL has room for ports up to 32767, and the server does not start with a higher one
 * (seen). The system itself gives out higher ones, so these stay free.
 */
async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(20_000, 32_768);
    if (!(await isListening(port))) ports.add(port);
  }
  return [...ports];
}

/** The server with the settings of docker-compose.yml, at ports that are free. */
async function serverOn(
  databasePort: number,
  log: (line: string) => void,
): Promise<{ readonly server: Service; readonly port: number }> {
  const command = await installTool(SERVER);
  const ports = await freePorts(PORTS.length);
  const [port = 0] = ports;
  const server = new Service({
    ...{ name: 'the Temporal server', command, args: ['start'] },
    env: {
      ...{ DB: 'postgres12', POSTGRES_SEEDS: '127.0.0.1', DB_PORT: String(databasePort) },
      ...{ POSTGRES_USER: USER, POSTGRES_PWD: PASSWORD, BIND_ON_IP: '127.0.0.1' },
      ...{ DYNAMIC_CONFIG_FILE_PATH: path.join(DEPLOY, 'dynamic-config.yaml'), LOG_LEVEL: 'error' },
      ...Object.fromEntries(PORTS.map((name, index) => [name, String(ports[index])])),
    },
    onLine: (line) => log(`temporal: ${line}`),
    untilUp: async (signal) => await untilAnswers(port, SYSTEM_NAMESPACE, signal),
    end: (running) => running.kill('SIGKILL'),
  });
  return { server, port };
}
