import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import type { ConnectionError } from './errors';

/** A body that broke off does not undo the status and the headers that came before it. */
export type HttpBody =
  /** `isText` is false where bytes had to be replaced to make a text of it. */
  | { readonly kind: 'whole'; readonly text: string; readonly isText: boolean }
  | { readonly kind: 'broken'; readonly error: ConnectionError }
  | { readonly kind: 'tooLarge'; readonly limitInBytes: number }
  | { readonly kind: 'undecodable'; readonly encoding: string };

/** What the headers say about the bytes of a body. */
export interface BodyCoding {
  /** `Content-Encoding`, in the order in which the sender applied them. */
  readonly encodings: readonly string[];
  readonly contentType: string | null;
}

const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** One is usual and two are met; a longer list is an attempt to keep us busy. */
const MAX_ENCODINGS = 3;
/** Control characters other than tab, line feed, vertical tab, form feed and carriage return. */
// oxlint-disable-next-line no-control-regex -- this is the question: a text has none of them
const BINARY = /[\u0000-\u0008\u000e-\u001f]/;

type Decode = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>;

const inflateWrapped: Decode = promisify(inflate);
const inflateBare: Decode = promisify(inflateRaw);
/** Senders disagree whether `deflate` has the header of zlib, whose first byte ends in 8. */
const decodeDeflate: Decode = async (bytes, options) =>
  await (((bytes[0] ?? 0) & 0x0f) === 8 ? inflateWrapped : inflateBare)(bytes, options);

const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', decodeDeflate],
  ['br', promisify(brotliDecompress)],
]);

/** Zstandard is known by its name only. */
const KNOWN_ENCODINGS: ReadonlySet<string> = new Set([...DECODERS.keys(), 'zstd']);

const hasCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code;

/** Consign asks for no compression; a gateway may compress all the same. The limit holds after decoding. */
async function decode(bytes: Uint8Array, encodings: readonly string[]): Promise<Uint8Array | HttpBody> {
  // A header may repeat what the request held, so that only names that are known are shown.
  const known = encodings.filter((name) => KNOWN_ENCODINGS.has(name));
  const encoding = known.length === encodings.length ? known.join(', ') : 'an encoding that is not known';
  const decoders = encodings.toReversed().map((name) => DECODERS.get(name));
  if (decoders.length > MAX_ENCODINGS) return { kind: 'undecodable', encoding };
  let decoded = bytes;
  for (const decoder of decoders) {
    if (decoder === undefined) return { kind: 'undecodable', encoding };
    try {
      decoded = await decoder(decoded, { maxOutputLength: MAX_BODY_BYTES });
    } catch (error) {
      // Whatever zlib says is wrong with them, the bytes are not what the sender says that they are.
      return hasCode(error, 'ERR_BUFFER_TOO_LARGE')
        ? { kind: 'tooLarge', limitInBytes: MAX_BODY_BYTES }
        : { kind: 'undecodable', encoding };
    }
  }
  return decoded;
}

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

const namesOf = (headers: readonly string[]): string[] =>
  headers
    .flatMap((header) => header.split(','))
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');

/** @param broken makes the error of a body whose bytes stopped coming */
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
  const decoded = await decode(Buffer.concat(chunks), namesOf(encodings));
  return decoded instanceof Uint8Array ? toText(decoded, contentType) : decoded;
}
