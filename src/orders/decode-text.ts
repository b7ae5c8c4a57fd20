import { isUtf8 } from 'node:buffer';

/** One half of a surrogate pair. */
export const HALF_CHARACTER = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

export type DecodedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string; readonly remedy: string };

const refused = (problem: string, remedy: string): DecodedText => ({ ok: false, problem, remedy });

const AS_UTF8 = 'save the file as UTF-8';

/**
 * The text of a file in UTF-8, or in UTF-16 with its byte order mark. No other encoding is guessed, because a wrong guess
 * silently changes names and addresses: a lenient decoder turns a Latin-1 file into `Montr?al`.
 */
export function decodeText(bytes: Buffer): DecodedText {
  const mark = bytes.toString('hex', 0, 4);
  // The mark of UTF-32 begins like that of UTF-16.
  if (mark === 'fffe0000' || mark === '0000feff')
    return refused('is UTF-32, which Consign does not read', AS_UTF8);
  if (mark.startsWith('fffe')) return decodeUtf16(bytes);
  if (mark.startsWith('feff')) return decodeUtf16(swapped(bytes));
  if (isUtf16WithoutMark(bytes)) return refused('looks like UTF-16 without a byte order mark', AS_UTF8);
  return isUtf8(bytes) ? { ok: true, text: withoutMark(bytes.toString('utf8')) } : notUtf8(bytes);
}

/** From big endian to little endian; an odd last byte stays as it is. */
function swapped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy.subarray(0, bytes.length - (bytes.length % 2)).swap16();
  return copy;
}

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

function decodeUtf16(bytes: Buffer): DecodedText {
  const text = withoutMark(bytes.toString('utf16le'));
  if (bytes.length % 2 === 0 && !HALF_CHARACTER.test(text)) return { ok: true, text };
  return refused('contains invalid UTF-16', AS_UTF8);
}

/** Latin letters in UTF-16 have a zero in every second byte, and a text has none. */
function isUtf16WithoutMark(bytes: Buffer): boolean {
  const begin = bytes.subarray(0, 64);
  const zeros = begin.filter((byte) => byte === 0).length;
  return begin.length >= 4 && zeros >= begin.length * 0.4 && zeros <= begin.length * 0.6;
}

const MOST_LINES = 5;

/** `line 2`, or `lines 2, 5 and 3 more`. */
export function linesText(lines: readonly number[]): string {
  const named = lines.slice(0, MOST_LINES).join(', ');
  const more = lines.length - MOST_LINES;
  return `${lines.length === 1 ? 'line' : 'lines'} ${named}${more > 0 ? ` and ${more} more` : ''}`;
}

function notUtf8(bytes: Buffer): DecodedText {
  // No single-byte encoding has bytes below a blank other than tab and line breaks.
  if (bytes.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d].includes(byte))) {
    return refused('is a binary file, not text', 'give a JSON or YAML file; export a spreadsheet first');
  }
  const lines = linesOf(bytes).flatMap((line, index) => (isUtf8(line) ? [] : [index + 1]));
  const look = lines.length === 1 ? 'looks' : 'look';
  return refused(`is not UTF-8: ${linesText(lines)} ${look} like Latin-1 or Windows-1252`, AS_UTF8);
}

/** No character of UTF-8 holds the byte of a line break. */
function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start <= bytes.length;) {
    const end = bytes.indexOf(0x0a, start);
    lines.push(bytes.subarray(start, end === -1 ? bytes.length : end));
    start = end === -1 ? bytes.length + 1 : end + 1;
  }
  return lines;
}
