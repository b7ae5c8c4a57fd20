import type { S3Client } from '@aws-sdk/client-s3';
import type { Dispatcher } from 'undici';
import { createDispatcher } from '../network/dispatcher';
import { absent, checked, pathOf, sha256Of, unreachable, type FileStore } from './file-store';

/** Where a bucket is. It has no credentials: the SDK finds them as for every AWS tool. */
export interface BucketLocation {
  readonly bucket: string;
  /** Without slashes at its ends; empty for the bucket's root. */
  readonly prefix: string;
  /** The endpoint of an S3-compatible service; null for AWS itself. */
  readonly endpoint: string | null;
  /** Null leaves it to the SDK (`AWS_REGION`, the profile). */
  readonly region: string | null;
}

/** Limit of a whole put or get with its retries; below the heartbeat time-out of the activity that waits for it. */
const TIMEOUT_MS = 25_000;

/** The parts of an SDK request that a store uses. */
interface SignedRequest {
  readonly method: Dispatcher.HttpMethod;
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** Used because the SDK's own handler does not support proxies. */
function createRequestHandler() {
  const dispatcher = createDispatcher();
  async function handle(
    request: SignedRequest,
    { abortSignal }: { readonly abortSignal?: AbortSignal } = {},
  ) {
    const { method, protocol, hostname, port, path, query, headers, body } = request;
    const { statusCode, ...answer } = await dispatcher.request({
      origin: `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`,
      ...{ method, path, query, headers, body, signal: abortSignal },
    });
    return { response: { statusCode, headers: answer.headers, body: answer.body } };
  }
  return { handle };
}

async function openClient({ endpoint, region }: BucketLocation): Promise<S3Client> {
  // Loaded on first use, because it is large and a folder store does not need it.
  const { S3Client } = await import('@aws-sdk/client-s3');
  return new S3Client({
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    ...(region === null ? {} : { region }),
    // The signature covers the SHA-256 of the body already; compatible services refuse the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // undici, which sends the requests, cannot wait for a `100 Continue`.
    expectContinueHeader: false,
    requestHandler: createRequestHandler(),
  });
}

/** A bucket at S3 or a compatible service, for starters and workers on different machines. */
export function createBucketStore(location: BucketLocation, timeoutMs = TIMEOUT_MS): FileStore {
  const { bucket, prefix } = location;
  let opened: Promise<S3Client> | null = null;
  const client = async (): Promise<S3Client> => await (opened ??= openClient(location));
  const keyOf = (sha256: string): string => (prefix === '' ? '' : `${prefix}/`) + pathOf(sha256);
  return {
    async put(bytes) {
      const sha256 = sha256Of(bytes);
      const { PutObjectCommand } = await import('@aws-sdk/client-s3');
      const command = new PutObjectCommand({ Bucket: bucket, Key: keyOf(sha256), Body: bytes });
      try {
        await (await client()).send(command, { abortSignal: AbortSignal.timeout(timeoutMs) });
        return sha256;
      } catch (error) {
        throw unreachable(`bucket ${bucket}`, error);
      }
    },
    async get(sha256) {
      const { GetObjectCommand, NoSuchKey } = await import('@aws-sdk/client-s3');
      const command = new GetObjectCommand({ Bucket: bucket, Key: keyOf(sha256) });
      try {
        const abortSignal = AbortSignal.timeout(timeoutMs);
        const { Body } = await (await client()).send(command, { abortSignal });
        return checked(sha256, (await Body?.transformToByteArray()) ?? new Uint8Array());
      } catch (error) {
        if (error instanceof NoSuchKey) throw absent(sha256, `bucket ${bucket}`, error);
        throw unreachable(`bucket ${bucket}`, error);
      }
    },
  };
}
