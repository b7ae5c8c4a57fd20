import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A shell script that can be run, in place of a real program. */
export function writeExecutable(file: string, script: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

export const sha256OfFile = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex');

/** Answers `temporal --version` like the real one. */
export function versionScript(version = '1.9.1'): string {
  return `echo "temporal version ${version} (Server 1.32.0, UI 2.54.1)"`;
}
