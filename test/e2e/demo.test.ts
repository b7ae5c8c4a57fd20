import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const root = path.join(__dirname, '..', '..');

test('the demo takes a furniture and an LTL order to delivered, and leaves no process', async () => {
  const marker = `consign-demo-test-${process.pid}`;
  const env = { ...process.env, NO_COLOR: '1', CONSIGN_TEST_MARKER: marker };
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(root, 'dist/demo/main.js')], {
    env,
    cwd: root,
  });
  expect(stdout).toContain('Both shipments were delivered.');
  expect(stdout.match(/Status\s+completed, transit Delivered/g)).toHaveLength(2);
  for (const fact of ['Carrier', 'Customer pays', 'Listing costs', 'Bill of lading', 'Last seen']) {
    expect(stdout.match(new RegExp(`${fact}\\s+(?!-)\\S+`, 'g'))).toHaveLength(2);
  }
  expect(await processesWith(marker)).toEqual([]);
}, 90_000);

/** Every process of the demo inherits its environment, which tells them from those of others. */
async function processesWith(marker: string): Promise<string[]> {
  const { readdir, readFile } = await import('node:fs/promises');
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      return environment.includes(marker) ? pid : null;
    }),
  );
  return found.filter((pid) => pid !== null);
}
