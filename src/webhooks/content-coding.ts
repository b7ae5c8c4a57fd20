import { decodeContent, SUPPORTED_ENCODINGS } from '../platform/network/content-coding';
import { refusal, type Refusal } from './refusal';

/** The decoded body, which must respect the same limit as any other. */
export async function decodeBody(
  body: Buffer,
  contentEncoding: string | undefined,
  limitInBytes: number,
): Promise<Buffer | Refusal> {
  // As nearly every event comes.
  if (contentEncoding === undefined) return body;
  const decoded = await decodeContent(body, [contentEncoding], limitInBytes);
  switch (decoded.kind) {
    case 'decoded':
      return Buffer.from(decoded.bytes);
    case 'tooLarge':
      return refusal('tooLarge', `the decoded body is larger than ${limitInBytes} bytes`);
    default:
      return decoded.isSupported
        ? refusal('unreadableCoding', 'the body does not match its content coding')
        : refusal('unknownCoding', `the content coding is unknown; use one of ${SUPPORTED_ENCODINGS}`);
  }
}
