import { constants } from 'node:fs';
import { access, chmod, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { errorCode } from '../processes/error-code';
import type { Environment } from '../processes/supervise';

/** The version that is fetched when none is installed: the one that the tests run against. */
export const CLI_VERSION = '1.9.1';

/** Where a fetched copy is kept, by the conventions of the platform. */
export function cachedCliPath(env: Environment): string {
  return path.join(cacheFolder(env), 'consign', 'temporal-cli', CLI_VERSION, 'temporal');
}

/**
 * Fetches into a folder of its own, then moves the binary into place in one step: any number of
 * processes may do this at once, and one that dies half way leaves no half a binary behind.
 */
export async function putIntoCache(
  env: Environment,
  fetchInto: (folder: string) => Promise<string>,
): Promise<string> {
  const target = cachedCliPath(env);
  const versionFolder = path.dirname(target);
  await mkdir(versionFolder, { recursive: true });
  const folder = await mkdtemp(path.join(versionFolder, 'fetching-'));
  try {
    const binary = await fetchInto(folder);
    await chmod(binary, 0o755);
    await rename(binary, target);
    return target;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
