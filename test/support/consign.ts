import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import { jest } from '@jest/globals';
import { main } from '../../src/starter/cli/cli';

const ROOT = path.join(__dirname, '..', '..');

/** What a command line printed, and how it ended. */
export interface Ended {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** Runs the command line in this process, one at a time: the exit code and the output are the process's own. */
export async function consign(...args: readonly string[]): Promise<Ended> {
  // `--accounts` is kept in the environment, which this process has for all of its commands.
  const env = { ...process.env };
  const out: string[] = [];
  const err: string[] = [];
  const keep = (into: string[]) => (chunk: unknown) => into.push(String(chunk)) > 0;
  const spies = [
    jest.spyOn(process.stdout, 'write').mockImplementation(keep(out)),
    jest.spyOn(process.stderr, 'write').mockImplementation(keep(err)),
  ];
  try {
    await main(['node', 'consign', ...args]);
    return { out: out.join(''), err: err.join(''), code: Number(process.exitCode ?? 0) };
  } finally {
    process.env = env;
    process.exitCode = undefined;
    for (const spy of spies) spy.mockRestore();
  }
}

/** Runs `bin/consign.js`, as a user does, in the project's folder. */
export async function consignProcess(
  args: readonly string[],
  { env = {}, stdin = '' }: { readonly env?: NodeJS.ProcessEnv; readonly stdin?: string } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [path.join(ROOT, 'bin', 'consign.js'), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
  });
  child.stdin.end(stdin);
  const ended = new Promise<number>((resolve) => {
    child.once('close', (code) => resolve(code ?? -1));
  });
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { out, err, code };
}
