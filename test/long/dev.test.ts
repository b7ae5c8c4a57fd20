import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@jest/globals';
import { consign } from '../support/consign';
import { processesWith } from '../support/processes';
import { until } from '../support/temporal';
import { temporaryFolder } from '../support/temporary-folder';

const ROOT = path.join(__dirname, '..', '..');

/** The process of a part, told by the environment that `npm run dev` gives to all and by what it runs. */
async function pidOf(marker: string, part: RegExp): Promise<number> {
  for (const pid of await processesWith(marker)) {
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');
    if (part.test(command)) return Number(pid);
  }
  throw new Error(`no process is ${part}`);
}

/** Beyond what the loaded machine of a test may take. */
const TOLD_WITHIN_MS = 5_000;

test('npm run dev starts every part, passes doctor, restarts parts that die, and ends cleanly on Ctrl-C', async () => {
  const folder = temporaryFolder();
  const marker = `consign-dev-test-${process.pid}`;
  // At ports of its own: others may start theirs in the same moment, and find the usual ones free as well.
  const args = [path.join(ROOT, 'dist/devstack/dev.js'), '--any-ports', '--folder', folder];
  const dev = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: '1', CONSIGN_TEST_MARKER: marker },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(dev, 'exit');
  const said: string[] = [];
  createInterface(dev.stdout).on('line', (line) => said.push(line));
  await until(async () => said.some((line) => line.startsWith('Ctrl-C')));
  const text = said.join('\n');
  const urlOf = (part: string): string =>
    new RegExp(`^${part} +(http://127\\.0\\.0\\.1:\\d+)`, 'm').exec(text)?.[1] ?? '';
  expect((await fetch(urlOf("Temporal's web UI"))).status).toBe(200);
  expect((await fetch(`${urlOf('HTTP API')}/reference/`)).status).toBe(200);
  expect((await fetch(`${urlOf('Sandbox marketplace')}/_sandbox/ledger`)).status).toBe(200);

  // What it says to enter in another terminal is all that the command line needs.
  const entered = [...text.matchAll(/^ {2}export (\w+)=(.*)$/gm)].map(
    ([, name, value]) => [name, value] as const,
  );
  const before = process.env;
  process.env = { ...before, ...Object.fromEntries(entered) };
  const isClean = async (): Promise<boolean> => {
    const { code, out } = await consign('doctor', '--online');
    return code === 0 && out.trim().endsWith('All checks passed.');
  };
  try {
    // The worker says hello to its last queue a moment after it has come up.
    await until(isClean);
    for (const [name, part] of [
      ['the worker', /dist\/src\/worker\.js/],
      ['the HTTP API', /dist\/src\/starter\/api\/main\.js/],
      ['the receiver', /dist\/src\/webhooks\/main\.js/],
      ['the sandbox', /dist\/sandbox\/main\.js/],
      ['the Temporal server', /temporal server start-dev/],
    ] as const) {
      const pid = await pidOf(marker, part);
      const killedAt = Date.now();
      process.kill(pid, 'SIGKILL');
      await until(async () =>
        said.some((line) => line.endsWith(`${name} was ended by SIGKILL; restarting it`)),
      );
      expect(Date.now() - killedAt).toBeLessThan(TOLD_WITHIN_MS);
      await until(async () => said.some((line) => line.includes(`${name} was restarted`)));
      expect(await pidOf(marker, part)).not.toBe(pid);
    }
    await until(isClean);
  } finally {
    process.env = before;
    dev.kill('SIGINT');
  }
  expect(await exited).toEqual([0, null]);
  expect(await processesWith(marker)).toEqual([]);
}, 90_000);
