import { existsSync } from 'node:fs';
import path from 'node:path';

function rootAbove(folder: string): string {
  if (existsSync(path.join(folder, 'package.json'))) return folder;
  const parent = path.dirname(folder);
  if (parent === folder) throw new Error(`no package.json above ${__dirname}`);
  return rootAbove(parent);
}

/** The folder of this package: compiled files lie deeper in it than their sources. */
export const PACKAGE_ROOT = rootAbove(__dirname);
