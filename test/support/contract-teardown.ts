import { readdirSync } from 'node:fs';
import path from 'node:path';
import { forgetTriedSwitches, readTriedSwitches, untriedSwitches } from './tried-switches';

const FOLDER = path.join(__dirname, '..', 'contract');

/**
 * After a run of all contract tests: every value of every switch that a client can notice was met by one. A run of some
 * of them proves nothing about that.
 */
// oxlint-disable-next-line import/no-default-export -- what jest takes
export default function tearDown({ testNamePattern }: { readonly testNamePattern?: string }): void {
  const tried = readTriedSwitches();
  forgetTriedSwitches();
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.test.ts'));
  if ((testNamePattern ?? '') !== '' || files.some((file) => !tried.has(file))) return;
  const untried = untriedSwitches([...tried.values()].flat());
  if (untried.length > 0) throw new Error(`no contract test makes a request under: ${untried.join(', ')}`);
}
