import { randomBytes } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../src/platform/error-code';

export interface EncryptionFile {
  readonly writeWith: string;
  /** Ids; only the one that encrypts when left out. */
  readonly keys?: readonly string[];
  readonly codecServer?: object;
}

/**
 * Writes an encryption file into the folder, and a file for each key that is not there yet. One that processes read is
 * replaced as a whole.
 * @returns the variables that name it
 */
export async function writeEncryptionFile(
  folder: string,
  { writeWith, keys = [writeWith], codecServer }: EncryptionFile,
): Promise<{ readonly CONSIGN_ENCRYPTION: string }> {
  const fileOf = (id: string): string => path.join(folder, `${id}.key`);
  for (const id of keys) await writeOnce(fileOf(id), randomBytes(32).toString('base64'));
  const references = Object.fromEntries(keys.map((id) => [id, { file: fileOf(id) }]));
  const file = path.join(folder, 'encryption.yaml');
  // JSON is YAML too.
  await writeFile(`${file}.new`, JSON.stringify({ writeWith, keys: references, codecServer }));
  await rename(`${file}.new`, file);
  return { CONSIGN_ENCRYPTION: file };
}

async function writeOnce(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
