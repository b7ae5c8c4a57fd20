import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** A program that the long tests check files with. Its Go module is built once, outside of the repository. */
export interface GoTool {
  /** Of the command, such as `github.com/prometheus/prometheus/cmd/promtool`. */
  readonly package: string;
  readonly version: string;
  readonly tags?: string;
  /** A variable that may name a program which is there already. */
  readonly variable: string;
}

/** What the tests download and build. */
export const TEST_CACHE = path.join(os.homedir(), '.cache', 'consign-test');

const programOf = ({ package: name, version }: GoTool): string =>
  path.join(TEST_CACHE, `${name.replaceAll('/', '_')}@${version}`, path.basename(name));

const hasGo = (): boolean => spawnSync('go', ['version']).status === 0;

/** Why the tool cannot run on this machine; null when it can. */
export const whyNot = (tool: GoTool): string | null =>
  process.env[tool.variable] !== undefined || existsSync(programOf(tool)) || hasGo()
    ? null
    : `Go is not installed, and ${tool.variable} names no program`;

/** Builds it the first time. @returns the path of the program */
export async function installTool(tool: GoTool): Promise<string> {
  const program = process.env[tool.variable] ?? programOf(tool);
  if (existsSync(program)) return program;
  const folder = path.dirname(program);
  await mkdir(folder, { recursive: true });
  const args = ['install', ...(tool.tags === undefined ? [] : ['-tags', tool.tags])];
  // Without C, the program does not depend on the compiler of this machine.
  const env = { GOBIN: folder, CGO_ENABLED: '0' };
  const { code, output } = await run('go', [...args, `${tool.package}@${tool.version}`], { env });
  if (code !== 0) throw new Error(`${tool.package} cannot be built:\n${output}`);
  return program;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** For its standard input. */
  readonly input?: string;
  readonly cwd?: string;
}

export interface ToolEnd {
  readonly code: number;
  readonly out: string;
  /** Of both streams. */
  readonly output: string;
}

export async function run(
  program: string,
  args: readonly string[],
  { env = {}, input = '', cwd }: RunOptions = {},
): Promise<ToolEnd> {
  return await new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, cwd, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(program, args, options, (error, out, errors) =>
      resolve({
        code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1,
        out,
        output: out + errors,
      }),
    );
    child.stdin?.end(input);
  });
}
