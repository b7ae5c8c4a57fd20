import { decodeContent } from '../platform/network/content-coding';
import type { ConnectionError } from './errors';

/** A body that breaks off does not invalidate the status and headers before it. */
export type HttpBody =
  /** `isText` is false when invalid bytes had to be replaced. */
  | { readonly kind: 'whole'; readonly text: string; readonly isText: boolean }
  | { readonly kind: 'broken'; readonly error: ConnectionError }
  | { readonly kind: 'tooLarge'; readonly limitInBytes: number }
  | { readonly kind: 'undecodable'; readonly encoding: string };

/** What the headers say about the body's bytes. */
export interface BodyCoding {
  /** Every `Content-Encoding`. */
  readonly encodings: readonly string[];
  readonly contentType: string | null;
}

const MAX_BODY_BYTES = 8 * 1024 * 1024;
// oxlint-disable-next-line no-control-regex -- this is the question: a text has none of them
const BINARY = /[\u0000-\u0008\u000e-\u001f]/;

const hasCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code;

function charsetOf(contentType: string | null): string {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).encoding;
  } catch (error) {
    if (hasCode(error, 'ERR_ENCODING_NOT_SUPPORTED')) return 'utf-8';
    throw error;
  }
}

function isEncodedIn(charset: string, bytes: Uint8Array): boolean {
  try {
    new TextDecoder(charset, { fatal: true }).decode(bytes);
    return true;
  } catch (error) {
    if (hasCode(error, 'ERR_ENCODING_INVALID_ENCODED_DATA')) return false;
    throw error;
  }
}

function toText(bytes: Uint8Array, contentType: string | null): HttpBody {
  const charset = charsetOf(contentType);
  const text = new TextDecoder(charset).decode(bytes);
  return { kind: 'whole', text, isText: isEncodedIn(charset, bytes) && !BINARY.test(text) };
}

/** @param broken makes the error for a body that breaks off */
export async function readHttpBody(
  stream: AsyncIterable<Uint8Array>,
  { encodings, contentType }: BodyCoding,
  broken: (error: unknown) => ConnectionError,
): Promise<HttpBody> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += chunk.byteLength;
      if (size > MAX_BODY_BYTES) return { kind: 'tooLarge', limitInBytes: MAX_BODY_BYTES };
      chunks.push(chunk);
    }
  } catch (error) {
    return { kind: 'broken', error: broken(error) };
  }
  const decoded = await decodeContent(Buffer.concat(chunks), encodings, MAX_BODY_BYTES);
  switch (decoded.kind) {
    case 'decoded':
      return toText(decoded.bytes, contentType);
    case 'tooLarge':
      return { kind: 'tooLarge', limitInBytes: MAX_BODY_BYTES };
    default:
      return { kind: 'undecodable', encoding: decoded.encoding };
  }
}
