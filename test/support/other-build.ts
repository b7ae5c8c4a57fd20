import { execFile } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from './temporary-folder';

const run = promisify(execFile);
const ROOT = path.join(__dirname, '..', '..');

/** A change of what the build made of one source of the workflows. */
export interface Change {
  /** Such as `src/workflows/phase-loop.js`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A second build of these sources, with one of them changed, in a folder of its own. */
export interface OtherBuild {
  /** Has `dist` as the project has it: its programs run from there. */
  readonly root: string;
}

/** Needs the build of the project, of which it is a copy; the bundle of workflows is made anew by the build's own program. */
export async function buildWith({ file, from, to }: Change): Promise<OtherBuild> {
  const root = temporaryFolder();
  await cp(path.join(ROOT, 'dist'), path.join(root, 'dist'), { recursive: true });
  await cp(path.join(ROOT, 'package.json'), path.join(root, 'package.json'));
  for (const name of ['node_modules', 'bin', 'examples'])
    await symlink(path.join(ROOT, name), path.join(root, name));
  const changed = path.join(root, 'dist', file);
  const source = await readFile(changed, 'utf8');
  if (source.split(from).length !== 2) throw new Error(`${file} does not have this once: ${from}`);
  await writeFile(
    changed,
    source.replace(from, () => to),
  );
  await run(process.execPath, [path.join('dist', 'src', 'worker', 'workflow-bundle.js')], { cwd: root });
  return { root };
}
