import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { errorCode } from '../error-code';

/** The result of decoding a `Content-Encoding`. */
export type Decoded =
  | { readonly kind: 'decoded'; readonly bytes: Uint8Array }
  | { readonly kind: 'tooLarge' }
  /** The bytes do not match their coding, or Consign cannot decode this coding. */
  | { readonly kind: 'undecodable'; readonly encoding: string; readonly isSupported: boolean };

/** One coding is usual and two occur; a longer list is an attempt to keep Consign busy. */
const MAX_ENCODINGS = 3;

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
/** Shown to a sender whose coding is refused. */
export const SUPPORTED_ENCODINGS = 'gzip, deflate, br';

const namesIn = (headers: readonly string[]): string[] =>
  headers
    .flatMap((header) => header.split(','))
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');

/**
 * Decodes a body. Consign asks for no compression, but a gateway may compress anyway, and a file may be stored compressed.
 * @param headers every `Content-Encoding`, in the order in which the sender applied them
 * @param maxBytes holds after decoding
 */
export async function decodeContent(
  bytes: Uint8Array,
  headers: readonly string[],
  maxBytes: number,
): Promise<Decoded> {
  const names = namesIn(headers);
  // A header may repeat parts of the request, so only known names are shown.
  const isKnown = names.every((name) => KNOWN_ENCODINGS.has(name));
  const isSupported = names.length <= MAX_ENCODINGS && names.every((name) => DECODERS.has(name));
  const encoding = isKnown ? names.join(', ') : 'an unknown encoding';
  const undecodable: Decoded = { kind: 'undecodable', encoding, isSupported };
  if (!isSupported) return undecodable;
  let decoded = bytes;
  try {
    for (const decode of names.toReversed().flatMap((name) => DECODERS.get(name) ?? []))
      decoded = await decode(decoded, { maxOutputLength: maxBytes });
  } catch (error) {
    // Any other zlib error means that the bytes do not match their coding.
    return errorCode(error) === 'ERR_BUFFER_TOO_LARGE' ? { kind: 'tooLarge' } : undecodable;
  }
  return { kind: 'decoded', bytes: decoded };
}
