import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../processes/error-code';
import { absent, checked, pathOf, sha256Of, type FileStore } from './file-store';

/** A folder that starter and workers share. */
export function createFolderStore(folder: string): FileStore {
  const fileOf = (sha256: string): string => path.join(folder, pathOf(sha256));
  return {
    async put(bytes) {
      const sha256 = sha256Of(bytes);
      const file = fileOf(sha256);
      await mkdir(path.dirname(file), { recursive: true });
      // Renamed into place, so that a reader never meets half a file.
      const draft = `${file}.${randomUUID()}`;
      try {
        await writeFile(draft, bytes);
        await rename(draft, file);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      return sha256;
    },
    async get(sha256) {
      try {
        return checked(sha256, await readFile(fileOf(sha256)));
      } catch (error) {
        throw errorCode(error) === 'ENOENT' ? absent(sha256, 'this folder', error) : error;
      }
    },
  };
}
