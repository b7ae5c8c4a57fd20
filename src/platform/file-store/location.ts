import type { BucketLocation } from './s3-store';

/** Where files are kept: a folder, or a bucket. */
export type FilesLocation =
  { readonly kind: 'folder'; readonly folder: string } | ({ readonly kind: 'bucket' } & BucketLocation);

interface FilesSettings {
  /** A folder, or `s3://bucket/prefix`. */
  readonly files: string;
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
}

const BUCKET_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/;

/** @returns null when the text is a URL, but not that of a bucket */
export function parseFilesLocation({ files, endpoint, region }: FilesSettings): FilesLocation | null {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(files)) return { kind: 'folder', folder: files };
  const [, bucket, path = ''] = BUCKET_URL.exec(files) ?? [];
  if (bucket === undefined) return null;
  return {
    kind: 'bucket',
    bucket,
    prefix: path
      .split('/')
      .filter((part) => part !== '')
      .join('/'),
    endpoint: endpoint ?? null,
    // Compatible services rarely have regions, but a signature always names one.
    region: region ?? (endpoint === undefined ? null : 'us-east-1'),
  };
}
