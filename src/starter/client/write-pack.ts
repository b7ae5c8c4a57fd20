import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { zipSync, type Zippable } from 'fflate';
import { errorCode } from '../../platform/error-code';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../platform/private-files';
import { UserError } from '../../platform/user-error';
import { saveFile } from './save-documents';

/** One file of a pack. */
export interface PackFile {
  /** Below the folder of the pack, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Thrown when a pack cannot be written. */
export class PackError extends UserError {
  override readonly name = 'PackError';
  override readonly kind = 'fileStore';
}

interface PackTarget {
  /** A folder, or a file that ends in `.zip`. */
  readonly out: string;
  /** The folder within a zip file. */
  readonly name: string;
  /** Replaces existing files whose content differs. */
  readonly isForced: boolean;
}

/** Writes a pack for its user only: it contains personal data. @throws PackError */
export async function writePack(
  files: readonly PackFile[],
  { out, name, isForced }: PackTarget,
): Promise<void> {
  try {
    const isZip = out.toLowerCase().endsWith('.zip');
    if (isZip)
      await writeFolder(
        [{ path: path.basename(out), bytes: zipOf(files, name) }],
        path.dirname(out),
        isForced,
      );
    else await writeFolder(files, out, isForced);
  } catch (error) {
    const code = errorCode(error);
    if (typeof code !== 'string') throw error;
    const why = error instanceof Error ? error.message : code;
    throw new PackError(`The pack was not written: ${why}.`, { cause: error });
  }
}

async function writeFolder(files: readonly PackFile[], folder: string, isForced: boolean): Promise<void> {
  for (const file of files) {
    const target = path.join(folder, file.path);
    await mkdir(path.dirname(target), { recursive: true, mode: PRIVATE_FOLDER });
    await saveFile(target, file.bytes, isForced);
  }
}

/** Unix, as the attributes of a zip file name it. */
const UNIX = 3;
const REGULAR_FILE = 0o100_000;

function zipOf(files: readonly PackFile[], name: string): Uint8Array {
  // The mode is in the upper half of the attributes.
  const options = { os: UNIX, attrs: (REGULAR_FILE | PRIVATE_FILE) << 16 };
  const entries: Zippable = Object.fromEntries(
    files.map((file) => [`${name}/${file.path}`, [file.bytes, options]]),
  );
  return zipSync(entries);
}
