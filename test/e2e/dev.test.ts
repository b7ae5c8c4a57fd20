import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@jest/globals';
import { consign, type Ended } from '../support/consign';
import { processesWith } from '../support/processes';
import { until } from '../support/temporal';

const ROOT = path.join(__dirname, '..', '..');

test('npm run dev starts every part, which doctor finds well, and ends cleanly on Ctrl-C', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'consign-dev-'));
  const marker = `consign-dev-test-${process.pid}`;
  const dev = spawn(process.execPath, [path.join(ROOT, 'dist/demo/dev.js'), '--folder', folder], {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: '1', CONSIGN_TEST_MARKER: marker },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(dev, 'exit');
  const said: string[] = [];
  for await (const line of createInterface(dev.stdout)) {
    said.push(line);
    if (line.startsWith('Ctrl-C')) break;
  }
  dev.stdout.resume();
  const text = said.join('\n');
  const urlOf = (part: string): string =>
    new RegExp(`^${part} +(http://127\\.0\\.0\\.1:\\d+)`, 'm').exec(text)?.[1] ?? '';
  expect((await fetch(urlOf("Temporal's web UI"))).status).toBe(200);
  expect((await fetch(`${urlOf('Sandbox marketplace')}/_sandbox/ledger`)).status).toBe(200);

  // What it says to enter in another terminal is all that the command line needs.
  const entered = [...text.matchAll(/^ {2}export (\w+)=(.*)$/gm)].map(
    ([, name, value]) => [name, value] as const,
  );
  const before = process.env;
  process.env = { ...before, ...Object.fromEntries(entered) };
  const doctor = async (): Promise<Ended> =>
    await consign('doctor', '--online', '--webhooks', urlOf('Webhook receiver'));
  // The worker says hello to its last queue a moment after it has come up.
  try {
    await until(async () => (await doctor()).code === 0);
    expect((await doctor()).out).toContain('Nothing is wrong.');
  } finally {
    process.env = before;
    dev.kill('SIGINT');
  }
  expect(await exited).toEqual([0, null]);
  expect(await processesWith(marker)).toEqual([]);
  await rm(folder, { recursive: true, force: true });
}, 90_000);
