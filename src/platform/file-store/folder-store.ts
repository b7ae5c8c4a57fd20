import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../error-code';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../private-files';
import { absent, checked, pathOf, sha256Of, unreachable, type FileStore } from './file-store';

/** A folder that starter and workers share as the same user: photos and documents are for nobody else. */
export function createFolderStore(folder: string): FileStore {
  const fileOf = (sha256: string): string => path.join(folder, pathOf(sha256));
  return {
    async put(bytes) {
      const sha256 = sha256Of(bytes);
      const file = fileOf(sha256);
      // Rename into place: a reader must never see half a file.
      const draft = `${file}.${randomUUID()}`;
      try {
        await mkdir(path.dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
        await writeFile(draft, bytes, { mode: PRIVATE_FILE });
        await rename(draft, file);
      } catch (error) {
        // The first error is reported; that the draft cannot be removed either adds nothing.
        await rm(draft, { force: true }).catch(() => undefined);
        throw unreachable('the folder of CONSIGN_FILES', error);
      }
      return sha256;
    },
    async get(sha256) {
      try {
        return checked(sha256, await readFile(fileOf(sha256)));
      } catch (error) {
        if (errorCode(error) === 'ENOENT') throw absent(sha256, 'this folder', error);
        throw unreachable('the folder of CONSIGN_FILES', error);
      }
    },
  };
}
