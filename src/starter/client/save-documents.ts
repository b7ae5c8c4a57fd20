import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cleanFileName } from '../../platform/download/file-name';
import type { ListedDocument } from '../../domain/documents';
import type { FileStore } from '../../platform/file-store';
import { FileStoreError, sha256Of } from '../../platform/file-store/file-store';
import { errorCode } from '../../platform/error-code';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../platform/private-files';

/** What became of a document that `saveDocuments` was to write. */
export type SavedDocument =
  | {
      readonly document: ListedDocument;
      readonly outcome: 'written' | 'there already';
      readonly file: string;
    }
  | { readonly document: ListedDocument; readonly outcome: 'failed'; readonly reason: string };

/** Where documents are written. */
export interface SaveOptions {
  /** Made when it does not exist. */
  readonly folder: string;
  /** Replaces existing files whose content differs. */
  readonly isForced?: boolean | undefined;
}

/** The name begins with the kind of document and its id: two documents of one name must not collide. */
export function savedNameOf({ kind, id, fileName }: ListedDocument): string {
  const name = cleanFileName(fileName);
  switch (kind) {
    case 'image':
      return `image-${id}-${name}`;
    case 'attachment':
      return `attachment-${cleanFileName(id)}-${name}`;
    default:
      return name === '' ? 'bill-of-lading' : name;
  }
}

/**
 * Writes documents into a folder, each checked against its hash. A file with the same content stays; one with different
 * content is replaced only with `isForced`.
 */
export async function saveDocuments(
  documents: readonly ListedDocument[],
  files: FileStore,
  options: SaveOptions,
): Promise<SavedDocument[]> {
  await mkdir(options.folder, { recursive: true, mode: PRIVATE_FOLDER });
  const saved: SavedDocument[] = [];
  for (const document of documents) {
    const file = path.join(options.folder, savedNameOf(document));
    try {
      const bytes = await files.get(document.sha256);
      saved.push({ document, outcome: await saveFile(file, bytes, options.isForced === true), file });
    } catch (error) {
      const isExpected = error instanceof FileStoreError || typeof errorCode(error) === 'string';
      if (!isExpected || !(error instanceof Error)) throw error;
      saved.push({ document, outcome: 'failed', reason: error.message });
    }
  }
  return saved;
}

/**
 * Writes one file for its user only. A file with the same content stays; one with different content is replaced only with
 * `isForced`.
 * @throws a system error; `EEXIST` when the file has different content
 */
export async function saveFile(
  file: string,
  bytes: Uint8Array,
  isForced: boolean,
): Promise<'written' | 'there already'> {
  if (isForced) {
    await replace(file, bytes);
    return 'written';
  }
  try {
    // Exclusive: never write through an existing file or link.
    await writeFile(file, bytes, { flag: 'wx', mode: PRIVATE_FILE });
    return 'written';
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  if (sha256Of(await readFile(file)) === sha256Of(bytes)) return 'there already';
  throw Object.assign(new Error(`${file} exists with different content; --force replaces it`), {
    code: 'EEXIST',
  });
}

/** By a rename: it replaces an existing link instead of following it. */
async function replace(file: string, bytes: Uint8Array): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, bytes, { flag: 'wx', mode: PRIVATE_FILE });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
