import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const ROOT = path.join(__dirname, '..', '..');

/** The packages that a process of Node.js loads until it ends, by name. @param args as `node` takes them, in the project's folder */
export async function loadedPackages(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<readonly string[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'consign-loaded-'));
  const file = path.join(folder, 'packages.json');
  try {
    const probe = path.join(__dirname, 'note-loaded-packages.js');
    const child = spawn(process.execPath, ['--require', probe, ...args], {
      cwd: ROOT,
      env: { ...process.env, ...env, LOADED_PACKAGES: file },
      stdio: 'ignore',
    });
    await once(child, 'exit');
    return JSON.parse(await readFile(file, 'utf8')) as readonly string[];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
