import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** The Go module of Prometheus 3.16. */
const VERSION = 'v0.316.0';
/** Of the ways to find targets, only the one that our configuration uses: the others take minutes to compile. */
const TAGS = 'remove_all_sd,enable_dns_sd';
const FOLDER = path.join(os.homedir(), '.cache', 'consign-test', `promtool-${VERSION}`);
const PROGRAM = path.join(FOLDER, 'promtool');

/** Why promtool cannot run on this machine; null when it can. */
export const WHY_NO_PROMTOOL =
  process.env.PROMTOOL !== undefined || existsSync(PROGRAM) || spawnSync('go', ['version']).status === 0
    ? null
    : 'Go is not installed, and PROMTOOL names no program';

/** Builds it the first time, outside of the repository. @returns the path of the program */
export async function installPromtool(): Promise<string> {
  if (process.env.PROMTOOL !== undefined) return process.env.PROMTOOL;
  if (existsSync(PROGRAM)) return PROGRAM;
  await mkdir(FOLDER, { recursive: true });
  const args = ['install', '-tags', TAGS, `github.com/prometheus/prometheus/cmd/promtool@${VERSION}`];
  const { code, output } = await run('go', args, { GOBIN: FOLDER });
  if (code !== 0) throw new Error(`promtool cannot be built:\n${output}`);
  return PROGRAM;
}

export interface ToolEnd {
  readonly code: number;
  /** Of both streams. */
  readonly output: string;
}

/** @param input for its standard input */
export async function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = '',
): Promise<ToolEnd> {
  return await new Promise((resolve) => {
    const child = execFile(program, args, { env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({
        code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1,
        output: stdout + stderr,
      }),
    );
    child.stdin?.end(input);
  });
}
