import { spawnSync } from 'node:child_process';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pause } from '../../src/platform/pause';
import { reserveFreePort } from '../../src/temporal/dev-server/free-port';
import { run } from './go-tool';
import { Service, ServiceFailedError, type Killable } from './service';

/** Why PostgreSQL cannot run on this machine; null when it can. */
export const whyNoPostgres = (): string | null =>
  spawnSync('initdb', ['--version']).status === 0 ? null : 'PostgreSQL is not installed';

export interface Postgres extends Killable {
  readonly port: number;
  /** Also removes the data. */
  close(): Promise<void>;
}

/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
const asNobody = (...command: readonly string[]): [string, string[]] => {
  const [program = '', ...args] = isRoot ? [...AS_NOBODY, ...command] : command;
  return [program, args];
};
const POLL_MS = 100;

/** A new PostgreSQL server with one user, `temporal`, in a separate folder that its process may enter. */
export async function startPostgres(password: string): Promise<Postgres> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'consign-postgres-'));
  const data = path.join(home, 'data');
  const passwordFile = path.join(home, 'password');
  await writeFile(passwordFile, password);
  if (isRoot) for (const file of [home, passwordFile]) await chown(file, NOBODY, NOBODY);
  const must = async (...command: readonly string[]): Promise<void> => {
    const { code, output } = await run(...asNobody(...command), { cwd: home });
    if (code !== 0) throw new ServiceFailedError(`${command[0]} ended with code ${code}:\n${output}`);
  };
  const login = ['-U', 'temporal', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
  // The encoding of PostgreSQL's official image. Without it, the locale of this machine would decide.
  await must('initdb', '-D', data, ...login, '-E', 'UTF8', '--no-locale');
  const port = await reserveFreePort();
  const [command, args] = asNobody(
    ...['postgres', '-D', data, '-p', String(port), '-k', home, '-h', '127.0.0.1'],
  );
  const isReady = ['-q', '-h', '127.0.0.1', '-p', String(port)];
  const service = new Service({
    ...{ name: 'PostgreSQL', command, args, env: process.env, cwd: home },
    async untilUp(signal) {
      // It refuses sessions while it recovers from a crash.
      while ((await run('pg_isready', isReady)).code !== 0) if (!(await pause(POLL_MS, signal))) return;
    },
    end: async () => await must('pg_ctl', 'stop', '-D', data, '-m', 'immediate'),
  });
  await service.start();
  return {
    port,
    start: async () => await service.start(),
    kill: async () => await service.kill(),
    async close() {
      await service.kill();
      await rm(home, { recursive: true, force: true });
    },
  };
}
