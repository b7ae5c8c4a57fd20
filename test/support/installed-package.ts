import { execFile, spawn } from 'node:child_process';
import { chmod, cp, mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Ended } from './consign';
import { withoutSettings } from './world-processes';
import { temporaryFolder } from './temporary-folder';

const run = promisify(execFile);
const ROOT = path.join(__dirname, '..', '..');

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** What `npm pack --json` says of a tarball. */
interface Packed {
  readonly filename: string;
  /** In bytes, as it travels. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** A project of somebody else that has the package, as `npm install` of its tarball leaves it. */
export interface InstalledPackage {
  readonly folder: string;
  readonly packed: Packed;
  /** What is installed, such as the script of a command: below `node_modules`. */
  pathOf(...parts: readonly string[]): string;
  /** Runs a program in the project's folder. */
  run(program: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended>;
  /** Compiles files of the project as strictly as TypeScript can; what it says of them and of the package's own types, empty when all is well. */
  compile(...files: readonly string[]): Promise<string>;
}

/**
 * Packs the package and installs the tarball in an empty folder. Needs the build, and no registry: the packages that it
 * says it depends on, and no others, are linked to those of this project.
 */
export async function installPackage(): Promise<InstalledPackage> {
  const folder = temporaryFolder();
  const pathOf = (...parts: readonly string[]): string => path.join(folder, 'node_modules', ...parts);
  const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await run('npm', packing, { cwd: ROOT });
  const [packed] = JSON.parse(stdout) as readonly Packed[];
  if (packed === undefined) throw new Error('npm packed nothing');
  await mkdir(pathOf('consign'), { recursive: true });
  const tarball = path.join(folder, packed.filename);
  await run('tar', ['-xzf', tarball, '-C', pathOf('consign'), '--strip-components=1']);
  const { bin, dependencies } = JSON.parse(
    await readFile(pathOf('consign', 'package.json'), 'utf8'),
  ) as Manifest;
  for (const name of [...Object.keys(dependencies), '@types/node']) {
    await mkdir(path.dirname(pathOf(name)), { recursive: true });
    await symlink(path.join(ROOT, 'node_modules', name), pathOf(name));
  }
  await mkdir(pathOf('.bin'));
  for (const [name, script] of Object.entries(bin)) {
    await chmod(pathOf('consign', script), 0o755);
    await symlink(path.join('..', 'consign', script), pathOf('.bin', name));
  }
  // As a user is told to do it.
  await cp(pathOf('consign', 'examples'), path.join(folder, 'examples'), { recursive: true });

  const runProgram: InstalledPackage['run'] = async (program, args, env = {}) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...withoutSettings(process.env, /^(TEMPORAL|CONSIGN|SANDBOX)_/), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number>((resolve, reject) => {
      child.once('close', (code) => resolve(code ?? -1));
      child.once('error', reject);
    });
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { out, err, code };
  };
  return {
    ...{ folder, packed, pathOf, run: runProgram },
    async compile(...files) {
      const flags = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
      const tsc = path.join(ROOT, 'node_modules', '.bin', 'tsc');
      const { out } = await runProgram(tsc, [...flags, '--skipLibCheck', 'false', ...files]);
      // One error a paragraph. What others declare is theirs: Temporal's types lack those of `ms`.
      return out
        .split(/\n(?! )/)
        .filter((error) => !error.includes(path.join(ROOT, 'node_modules').slice(1)))
        .join('\n');
    },
  };
}
