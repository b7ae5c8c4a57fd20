import { UserError } from '../user-error';
import { createHash } from 'node:crypto';

/** Files by the SHA-256 of their content: a workflow carries the hash and never the bytes. */
export interface FileStore {
  /**
   * @returns the hash in hex; storing the same content again changes nothing
   * @throws FileStoreError
   */
  put(bytes: Uint8Array): Promise<string>;
  /** @throws FileStoreError when the file is absent or its content does not have this hash */
  get(sha256: string): Promise<Uint8Array>;
}

/** Thrown when a file cannot be stored or read: the store does not work, or the file is absent or damaged. */
export class FileStoreError extends UserError {
  override readonly name = 'FileStoreError';
  override readonly kind = 'fileStore';

  constructor(
    message: string,
    readonly reason: 'absent' | 'damaged' | 'badAddress' | 'unreachable',
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Where a file is below the root of its store: in one of 256 folders, to keep each of them small. */
export function pathOf(sha256: string): string {
  // It becomes part of a path: accept nothing but a hash.
  if (!/^[0-9a-f]{64}$/.test(sha256)) {
    throw new FileStoreError('the name of a stored file must be its SHA-256 in hex', 'badAddress');
  }
  return `${sha256.slice(0, 2)}/${sha256}`;
}

/** The bytes, if they match their hash. @throws FileStoreError */
export function checked(sha256: string, bytes: Uint8Array): Uint8Array {
  if (sha256Of(bytes) !== sha256) throw new FileStoreError(`stored file ${sha256} is damaged`, 'damaged');
  return bytes;
}

export function absent(sha256: string, where: string, cause?: unknown): FileStoreError {
  const text = `stored file ${sha256} is not in ${where}; starter and workers must share CONSIGN_FILES`;
  return new FileStoreError(text, 'absent', cause);
}

/** The error for a store that cannot write or read a file. */
export function unreachable(where: string, error: unknown): FileStoreError {
  if (error instanceof FileStoreError) return error;
  const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new FileStoreError(`${where} cannot be used: ${why}`, 'unreachable', error);
}
