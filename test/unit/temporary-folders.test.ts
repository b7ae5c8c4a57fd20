import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { RUN_FOLDER, temporaryFolder } from '../support/temporary-folder';

const TESTS = path.join(__dirname, '..');
const SUPPORT = path.join(TESTS, 'support');

test('whatever a test or a program of its leaves in a temporary folder is in the folder of the run', () => {
  expect(path.basename(os.tmpdir())).toMatch(new RegExp(`^${RUN_FOLDER}`));
  expect(path.dirname(temporaryFolder())).toBe(os.tmpdir());
  const ofProgram = execFileSync(process.execPath, ['-p', 'os.tmpdir()'], { encoding: 'utf8' });
  expect(ofProgram.trim()).toBe(os.tmpdir());
});

/** The teardown in a process whose temporary directory is this one. */
function tearDownIn(folder: string): void {
  const script = `require(${JSON.stringify(path.join(SUPPORT, 'run-folder-teardown.ts'))}).default()`;
  execFileSync(process.execPath, ['--require', path.join(SUPPORT, 'run-typescript.js'), '--eval', script], {
    env: { ...process.env, TMPDIR: folder },
    stdio: 'pipe',
  });
}

test('the folder of a run is removed at its end, with all that is in it', () => {
  const folder = temporaryFolder(RUN_FOLDER);
  mkdtempSync(path.join(folder, 'left-'));
  tearDownIn(folder);
  expect(existsSync(folder)).toBe(false);
});

test('a temporary directory that is no folder of a run is not removed', () => {
  const folder = temporaryFolder();
  expect(() => tearDownIn(folder)).toThrow('is not the folder of this run');
  expect(existsSync(folder)).toBe(true);
});

test('no other file of the tests makes temporary folders in its own way', () => {
  const own = ['support/temporary-folder.ts', 'unit/temporary-folders.test.ts'];
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.[jt]s$/.test(name),
  );
  const makers = files.filter((name) =>
    /mkdtemp|tmpdir\(/.test(readFileSync(path.join(TESTS, name), 'utf8')),
  );
  expect(makers.toSorted()).toEqual([...own, 'support/run-folder-teardown.ts'].toSorted());
});
