import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Connection, type ConnectionOptions } from '@temporalio/client';
import type { NativeConnectionOptions } from '@temporalio/worker';
import { PRIVATE_FOLDER } from '../platform/private-files';
import type { Environment } from './dev-server/supervise';
import { clientConnectionOf, TemporalUnreachableError } from './client-connection';
import { startDevServer, type DevServer, type DevServerOptions } from './dev-server/dev-server';
import { findCluster, TemporalSettingsError, type ExistingCluster } from './existing-cluster';
import { cliSources, findCli } from './dev-server/find-cli';
import {
  inspectNamespace,
  prepareNamespace,
  type NamespaceNeeds,
  type NamespaceReport,
  type SearchAttributeKinds,
} from './prepare-namespace';
import { messageOf } from '../platform/message-of';

export type EmbeddedOptions = Partial<
  Pick<
    DevServerOptions,
    'databaseFile' | 'port' | 'uiPort' | 'namespace' | 'logLevel' | 'onLine' | 'dynamicConfig'
  >
>;

export interface OpenTemporalOptions {
  readonly env: Environment;
  readonly log: (line: string) => void;
  readonly searchAttributes?: SearchAttributeKinds;
  /** Set on the embedded server, required of an existing cluster. */
  readonly retentionDays?: number;
  readonly embedded?: EmbeddedOptions;
  /** Whether an existing cluster is only inspected, or gets what it lacks. */
  readonly existing?: 'inspect' | 'prepare';
}

export interface OpenTemporal {
  readonly address: string;
  readonly namespace: string;
  readonly uiUrl: string | null;
  /** For `Connection.connect`. */
  readonly clientConnection: ConnectionOptions;
  /** For `NativeConnection.connect`. */
  readonly nativeConnection: NativeConnectionOptions;
  readonly description: string;
  /** What the namespace lacked when it was opened. The embedded server has been given it by then. */
  readonly namespaceReport: NamespaceReport;
  /** Null for an existing cluster. */
  readonly server: DevServer | null;
  /** Stops the embedded server; leaves an existing cluster alone. */
  close(): Promise<void>;
}

/** How long Temporal remembers a closed order: during this time a replayed feed does not book it again. */
export const RETENTION_DAYS = 90;

/** Finds Temporal, or starts the embedded server when no cluster is named, and prepares its namespace. */
export async function openTemporal(options: OpenTemporalOptions): Promise<OpenTemporal> {
  const cluster = findCluster(options.env);
  return cluster === null ? await openEmbedded(options) : await openCluster(cluster, options);
}

async function openEmbedded(options: OpenTemporalOptions): Promise<OpenTemporal> {
  const { env, log, embedded = {} } = options;
  if (env.NODE_ENV === 'production') {
    throw new TemporalSettingsError(
      'NODE_ENV is production and no Temporal cluster is named. The embedded server is for development: set TEMPORAL_ADDRESS or TEMPORAL_PROFILE.',
    );
  }
  const cli = await findCli(cliSources(env), log);
  if (embedded.databaseFile !== undefined) {
    const folder = path.dirname(path.resolve(embedded.databaseFile));
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  }
  const server = await startDevServer({
    ...embedded,
    namespace: embedded.namespace ?? 'default',
    cliPath: cli.path,
    env,
  });
  const where = embedded.databaseFile === undefined ? 'in memory' : `kept in ${embedded.databaseFile}`;
  const target: Target = {
    address: server.address,
    namespace: server.namespace,
    uiUrl: server.uiUrl,
    connectionOptions: { address: server.address },
    description: `embedded Temporal server at ${server.address}, ${where} (CLI from ${cli.source})`,
    server,
  };
  try {
    return opened(target, await withConnection(target, prepareNamespace, needsOf(options)));
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function openCluster(cluster: ExistingCluster, options: OpenTemporalOptions): Promise<OpenTemporal> {
  options.log(cluster.description);
  const target: Target = { ...cluster, server: null };
  const look = options.existing === 'prepare' ? prepareNamespace : inspectNamespace;
  return opened(target, await withConnection(target, look, needsOf(options)));
}

type Target = Omit<ExistingCluster, 'kind'> & { readonly server: DevServer | null };

function opened(target: Target, namespaceReport: NamespaceReport): OpenTemporal {
  const { address, namespace, uiUrl, description, server } = target;
  return {
    ...{ address, namespace, uiUrl, description, server, namespaceReport },
    clientConnection: clientConnectionOf(target),
    nativeConnection: target.connectionOptions,
    close: async () => await server?.stop(),
  };
}

function needsOf({
  searchAttributes = {},
  retentionDays = RETENTION_DAYS,
}: OpenTemporalOptions): NamespaceNeeds {
  return { searchAttributes, retentionDays };
}

async function withConnection(
  target: Target,
  look: typeof inspectNamespace,
  needs: NamespaceNeeds,
): Promise<NamespaceReport> {
  const connection = await connect(target);
  try {
    return await look(connection, target.namespace, needs);
  } finally {
    await connection.close();
  }
}

async function connect(target: Target): Promise<Connection> {
  try {
    return await Connection.connect(clientConnectionOf(target));
  } catch (error) {
    const reason = messageOf(error);
    throw new TemporalUnreachableError(`${target.description} does not answer: ${reason}`, { cause: error });
  }
}
