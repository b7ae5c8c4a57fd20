import { rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { RUN_FOLDER } from './temporary-folder';

/** Removes what the tests left. */
// oxlint-disable-next-line import/no-default-export -- what jest takes
export default function tearDown(): void {
  const folder = os.tmpdir();
  if (!path.basename(folder).startsWith(RUN_FOLDER))
    throw new Error(`${folder} is not the folder of this run, so it is not removed`);
  // A process that was killed a moment ago may still write there.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
