import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach } from '@jest/globals';

const made: string[] = [];

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder of the test's own, gone afterwards. */
export function newFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'consign-temporal-'));
  made.push(folder);
  return folder;
}

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
