import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Files by the SHA-256 of their content, so that a workflow carries a hash and never the bytes. */
export interface FileStore {
  /** @returns the hash in hex; storing the same content again changes nothing */
  put(bytes: Uint8Array): Promise<string>;
  /** @throws when the file is absent or its content does not have this hash */
  get(sha256: string): Promise<Uint8Array>;
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A folder that starter and workers share. */
export function createFolderStore(folder: string): FileStore {
  const fileOf = (sha256: string): string => path.join(folder, sha256.slice(0, 2), sha256);
  return {
    async put(bytes) {
      const sha256 = hashOf(bytes);
      const file = fileOf(sha256);
      await mkdir(path.dirname(file), { recursive: true });
      // Renamed into place, so that a reader never meets half a file.
      const draft = `${file}.${randomUUID()}`;
      await writeFile(draft, bytes);
      await rename(draft, file);
      return sha256;
    },
    async get(sha256) {
      const bytes = await readFile(fileOf(sha256));
      if (hashOf(bytes) !== sha256) throw new Error(`stored file ${sha256} is damaged`);
      return bytes;
    },
  };
}
