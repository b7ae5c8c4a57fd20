import type { FileStore } from './file-store';
import { createFolderStore } from './folder-store';
import type { FilesLocation } from './location';
import { createBucketStore } from './s3-store';

export { FileStoreError, type FileStore } from './file-store';
export { createFolderStore } from './folder-store';
export { createBucketStore, type BucketLocation } from './s3-store';

/** The store that the configuration names. Nothing is opened before it is used. */
export function createFileStore(location: FilesLocation): FileStore {
  return location.kind === 'folder' ? createFolderStore(location.folder) : createBucketStore(location);
}
