import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { collectTriedSwitches } from './tried-switches';

// oxlint-disable-next-line import/no-default-export -- what jest takes
export default function setUp(): void {
  collectTriedSwitches(mkdtempSync(path.join(os.tmpdir(), 'consign-switches-')));
}
