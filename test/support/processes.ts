import { readdir, readFile } from 'node:fs/promises';

/**
 * Every other process whose environment holds `marker`. A process inherits its parent's environment, which tells those
 * of one test from those of others.
 */
export async function processesWith(marker: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      return environment.includes(marker) ? pid : null;
    }),
  );
  return found.filter((pid) => pid !== null);
}
