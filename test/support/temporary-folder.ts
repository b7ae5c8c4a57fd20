import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** How the name of a run's own folder begins. */
export const RUN_FOLDER = 'consign-tests-';

/** A new folder. It is in the folder of the whole run, which the run removes at its end (`run-folder.ts`). */
export const temporaryFolder = (prefix = 'consign-'): string => mkdtempSync(path.join(os.tmpdir(), prefix));
