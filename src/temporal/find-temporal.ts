import type { Environment } from '../processes/supervise';
import { cliSources, type CliSource } from './cli-sources';
import { findCluster, type ExistingCluster } from './existing-cluster';

export interface FoundCli {
  readonly kind: 'cli';
  readonly path: string;
  /** Which source it came from. */
  readonly source: string;
}

/** Thrown when there is neither a cluster nor a Temporal CLI; the message names each source and what to do. */
export class TemporalNotFoundError extends Error {
  override readonly name = 'TemporalNotFoundError';
}

export interface FindTemporalOptions {
  readonly env: Environment;
  /** Takes the one line that says what was taken. */
  readonly log: (line: string) => void;
}

/** Finds Temporal: an existing cluster when the environment names one, otherwise the CLI to run a server with. */
export async function findTemporal({ env, log }: FindTemporalOptions): Promise<ExistingCluster | FoundCli> {
  const cluster = findCluster(env);
  if (cluster === null) return await findCli(cliSources(env), log);
  log(cluster.description);
  return cluster;
}

/** Tries the sources in turn; the first that has the CLI wins. */
export async function findCli(sources: readonly CliSource[], log: (line: string) => void): Promise<FoundCli> {
  const tried = ['TEMPORAL_ADDRESS, TEMPORAL_PROFILE: not set'];
  for (const source of sources) {
    if (source.fetches) log(`Fetching the Temporal CLI, once: ${source.name}`);
    const search = await source.find();
    if (search.kind === 'found') {
      log(`Temporal CLI from ${source.name}: ${search.path}`);
      return { kind: 'cli', path: search.path, source: source.name };
    }
    tried.push(`${source.name}: ${search.reason}`);
    if (source.fetches) log(`${source.name} failed: ${search.reason}`);
  }
  throw new TemporalNotFoundError(
    `No Temporal server was found, and none can be started. Tried in this order:\n${tried
      .map((line) => `  - ${line}`)
      .join(
        '\n',
      )}\nWhat to do: install the Temporal CLI (https://docs.temporal.io/cli) so that \`temporal\` is on PATH, or set TEMPORAL_ADDRESS to a server that runs.`,
  );
}
