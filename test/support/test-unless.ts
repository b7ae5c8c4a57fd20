import path from 'node:path';
import { expect, test } from '@jest/globals';

/**
 * For tests that need a program which not every machine has. The output of a run has no titles of skipped tests, so this
 * prints where some are skipped, and why.
 * @param why the program is missing; null when it is there
 */
export function testUnless(why: string | null) {
  if (why === null) return { test, unless: '' };
  const file = path.relative(process.cwd(), expect.getState().testPath ?? '');
  process.stderr.write(`${file} skips tests: ${why}.\n`);
  return { test: test.skip, unless: ` (skipped: ${why})` };
}
