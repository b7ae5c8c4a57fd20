import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Answer } from './endpoint';

/** `broken` claims to be gzip and ends too early. */
export const encodings = ['gzip', 'deflate', 'br', 'broken'] as const;
export type Encoding = (typeof encodings)[number];

const compress: Readonly<Record<Encoding, (bytes: Buffer) => Buffer>> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  broken: (bytes) => gzipSync(bytes).subarray(0, 12),
};

export function bytesOf(body: unknown): { bytes: Buffer; contentType: string } {
  if (body === undefined) return { bytes: Buffer.alloc(0), contentType: '' };
  if (Buffer.isBuffer(body)) return { bytes: body, contentType: 'application/octet-stream' };
  if (typeof body === 'string') return { bytes: Buffer.from(body), contentType: 'text/plain; charset=utf-8' };
  return { bytes: Buffer.from(JSON.stringify(body)), contentType: 'application/json; charset=utf-8' };
}

/** An answer without a body stays as it is: there is nothing to compress. */
export function compressAnswer(answer: Answer, encoding: Encoding): Answer {
  const { bytes, contentType } = bytesOf(answer.body);
  if (bytes.length === 0) return answer;
  const name = encoding === 'broken' ? 'gzip' : encoding;
  return {
    ...answer,
    headers: { 'content-type': contentType, ...answer.headers, 'content-encoding': name },
    body: compress[encoding](bytes),
  };
}
