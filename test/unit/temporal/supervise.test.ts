import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from '@jest/globals';
import {
  describeExit,
  startProcess,
  type ProcessOptions,
  type SupervisedProcess,
} from '../../../src/temporal/dev-server/supervise';
import { groupOf, isGone, isRunning, parentOf, until } from '../../support/until';
import { temporaryFolder } from '../../support/temporary-folder';

const SUPPORT = path.join(__dirname, '..', '..', 'support');

const running: SupervisedProcess[] = [];
const parents: ChildProcess[] = [];

afterEach(async () => {
  for (const parent of parents.splice(0)) parent.kill('SIGKILL');
  for (const { kill, exited } of running.splice(0)) {
    kill('SIGKILL');
    await exited;
  }
});

async function start(script: string, options: Partial<ProcessOptions> = {}): Promise<SupervisedProcess> {
  const env = { PATH: process.env.PATH };
  const child = await startProcess({
    name: 'the child',
    command: 'sh',
    args: ['-c', script],
    env,
    ...options,
  });
  running.push(child);
  return child;
}

/** A parent process with a child of its own; answers with both pids. */
async function startFamily(then: 'wait' | 'return' | 'throw', script: string) {
  const preload = path.join(SUPPORT, 'run-typescript.js');
  const parent = spawn(
    process.execPath,
    ['--require', preload, path.join(SUPPORT, 'supervised-parent.ts'), then, 'sh', '-c', script],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  parents.push(parent);
  const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
  return { parent, childPid: Number(line) };
}

test("a process's output files are for its user only", async () => {
  const folder = temporaryFolder();
  await (
    await start('mkdir made; echo x > made/file; touch temporal.db', { cwd: folder })
  ).exited;
  const modeOf = (name: string): number => statSync(path.join(folder, name)).mode & 0o777;
  expect(['made', 'made/file', 'temporal.db'].map(modeOf)).toEqual([0o700, 0o600, 0o600]);
});

test('a process that ends by itself reports its code and its lines', async () => {
  const lines: string[] = [];
  const child = await start('echo one; echo two >&2; exit 3', { onLine: (line) => lines.push(line) });
  const exit = await child.exited;
  expect(exit).toMatchObject({ code: 3, signal: null, asked: false });
  expect(lines.toSorted()).toEqual(['one', 'two']);
});

test('a crash is reported with the last lines that were written', async () => {
  const child = await start('echo "the disk is full"; kill -SEGV $$');
  const exit = await child.exited;
  expect(describeExit('the worker', exit)).toBe(
    'the worker was ended by SIGSEGV. Its last lines:\n    the disk is full',
  );
});

test('only the last lines are kept', async () => {
  const child = await start('for i in $(seq 1 500); do echo line $i; done');
  const { lastLines } = await child.exited;
  expect(lastLines).toHaveLength(20);
  expect(lastLines.at(-1)).toBe('line 500');
});

test('a command that does not exist is refused with its name', async () => {
  const env = { PATH: process.env.PATH };
  await expect(startProcess({ name: 'the child', command: 'no-such-command', env })).rejects.toThrow(
    'the child cannot be started: spawn no-such-command ENOENT',
  );
});

test('the environment of the command is the given one and nothing else', async () => {
  const lines: string[] = [];
  const env = { PATH: process.env.PATH, COLOUR: 'green' };
  const child = await start('env', { env, onLine: (line) => lines.push(line) });
  await child.exited;
  const names = lines.map((line) => line.split('=')[0]);
  expect(lines).toContain('COLOUR=green');
  expect(names.filter((name) => name?.startsWith('NODE'))).toEqual([]);
  expect(names).not.toContain('HOME');
});

test('stop lets the process end by itself', async () => {
  let isReady = false;
  const child = await start('trap "echo goodbye; exit 0" TERM; echo ready; while :; do sleep 0.05; done', {
    onLine: () => (isReady = true),
  });
  await until(() => isReady);
  await child.stop();
  const exit = await child.exited;
  expect(exit).toMatchObject({ code: 0, asked: true });
  expect(exit.lastLines).toContain('goodbye');
});

test('stop kills a process that ignores signals', async () => {
  let isDeaf = false;
  const child = await start('trap "" TERM; echo deaf; while :; do sleep 0.05; done', {
    stopTimeoutMs: 100,
    onLine: () => (isDeaf = true),
  });
  await until(() => isDeaf);
  await child.stop();
  expect(await child.exited).toMatchObject({ signal: 'SIGKILL', asked: true });
  expect(isRunning(child.pid)).toBe(false);
});

test('stop may be called again, and after the end', async () => {
  const child = await start('exit 0');
  await child.exited;
  await child.stop();
  await child.stop();
  child.kill('SIGKILL');
  expect(await child.exited).toMatchObject({ code: 0, asked: false });
});

test('processes that the process started end with it', async () => {
  let grandchildPid = 0;
  const child = await start('sleep 300 & echo $!; wait', {
    onLine: (line) => (grandchildPid = Number(line)),
  });
  await until(() => grandchildPid > 0);
  await child.stop();
  expect(await isGone(grandchildPid)).toBe(true);
});

test('the child has its own process group, and Ctrl-C reaches only the parent', async () => {
  const child = await start('sleep 300');
  expect(groupOf(child.pid)).toBe(child.pid);
  expect(groupOf(process.pid)).not.toBe(child.pid);
});

test.each(['SIGKILL', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'the child is gone soon after its parent was ended by %s',
  async (signal) => {
    const { parent, childPid } = await startFamily('wait', 'sleep 300');
    expect(isRunning(childPid)).toBe(true);
    const endedAt = Date.now();
    parent.kill(signal);
    expect(await isGone(childPid)).toBe(true);
    expect(Date.now() - endedAt).toBeLessThan(1_500);
  },
);

test('a child that ignores signals is gone soon after its parent was killed', async () => {
  const { parent, childPid } = await startFamily(
    'wait',
    'trap "" TERM INT HUP; while :; do sleep 0.05; done',
  );
  parent.kill('SIGKILL');
  expect(await isGone(childPid)).toBe(true);
});

test.each(['return', 'throw'] as const)('a parent that ends by %s leaves no child behind', async (then) => {
  const { childPid } = await startFamily(then, 'sleep 300');
  expect(await isGone(childPid)).toBe(true);
});

test('an orphan may finish its last write if it is quick', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'written');
  const { parent, childPid } = await startFamily(
    'wait',
    // Its output goes nowhere by then: writing to the dead parent would end it at once.
    `exec >/dev/null 2>&1; trap "echo done > ${file}; exit 0" TERM; touch ${file}; while :; do sleep 0.05; done`,
  );
  await until(() => existsSync(file));
  parent.kill('SIGKILL');
  expect(await isGone(childPid)).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe('done\n');
});

test('a supervisor that is killed takes its child along', async () => {
  const child = await start('sleep 300');
  process.kill(parentOf(child.pid), 'SIGKILL');
  expect(await child.exited).toMatchObject({ signal: 'SIGKILL', asked: false });
  expect(await isGone(child.pid)).toBe(true);
});

test('signals that reach the supervisor do not end the child', async () => {
  const child = await start('sleep 300');
  const supervisorPid = parentOf(child.pid);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(supervisorPid, signal);
  child.kill('SIGUSR1');
  expect(await child.exited).toMatchObject({ signal: 'SIGUSR1' });
});
