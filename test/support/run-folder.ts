import { chmodSync } from 'node:fs';
import { RUN_FOLDER, temporaryFolder } from './temporary-folder';

/**
 * The temporary directory of this run: of all tests, and of the programs that they start, also those that they kill.
 * Jest calls this before it starts its workers, which inherit it.
 */
// oxlint-disable-next-line import/no-default-export -- what jest takes
export default function setUp(): void {
  const folder = temporaryFolder(RUN_FOLDER);
  // A database server of the tests may run as another user, and must reach its folder in this one.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
}
