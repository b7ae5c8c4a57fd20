import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { refusal, type Refusal } from './refusal';

type Decode = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);
/** For the sender whose coding was refused. */
export const CODINGS = 'gzip, deflate, br';

/** The decoded body, which must respect the same limit as any other. */
export async function decodeContent(
  body: Buffer,
  contentEncoding: string | undefined,
  limitInBytes: number,
): Promise<Buffer | Refusal> {
  const codings = (contentEncoding ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const decoders = codings.flatMap((coding) => DECODERS.get(coding) ?? []);
  if (decoders.length < codings.length)
    return refusal('unknownCoding', `the content coding is unknown; use one of ${CODINGS}`);
  let bytes = body;
  try {
    // The coding that was applied last stands last.
    for (const decode of decoders.toReversed())
      bytes = await decode(bytes, { maxOutputLength: limitInBytes });
    return bytes;
  } catch (error) {
    return isTooLarge(error)
      ? refusal('tooLarge', `the decoded body is larger than ${limitInBytes} bytes`)
      : refusal('unreadableCoding', 'the body does not match its content coding');
  }
}

const isTooLarge = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
