import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder } from './temporary-folder';

const ROOT = path.join(__dirname, '..', '..');

/** The packages that a process of Node.js loads until it ends, by name. @param args as `node` takes them, in the project's folder */
export async function loadedPackages(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<readonly string[]> {
  const folder = temporaryFolder();
  const file = path.join(folder, 'packages.json');
  const probe = path.join(__dirname, 'note-loaded-packages.js');
  const child = spawn(process.execPath, ['--require', probe, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env, LOADED_PACKAGES: file },
    stdio: 'ignore',
  });
  await once(child, 'exit');
  return JSON.parse(await readFile(file, 'utf8')) as readonly string[];
}
