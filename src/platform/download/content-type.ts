/** The types that the first bytes of a file can show. */
export type KnownType =
  | 'image/jpeg'
  | 'image/png'
  | 'image/gif'
  | 'image/webp'
  | 'image/tiff'
  | 'image/heic'
  | 'application/pdf'
  | 'text/html';

/** The extension of a file of this type, without its dot. */
export const EXTENSIONS: Readonly<Record<KnownType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/tiff': 'tif',
  'image/heic': 'heic',
  'application/pdf': 'pdf',
  'text/html': 'html',
};

/** How many bytes are checked; PDF readers allow this many in front of the mark. */
const HEAD_BYTES = 1024;

const STARTS: readonly [KnownType, RegExp][] = [
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n[^]\n/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['image/tiff', /^(?:II\*\0|MM\0\*)/],
  ['image/heic', /^[^]{4}ftyp(?:hei[cxms]|hev[cx]|mif1|msf1)/],
  // A comment ends at its first end mark. Otherwise the match would try exponentially many divisions.
  [
    'text/html',
    /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*<(?:!doctype\s+html|html|head|body|title)\b/i,
  ],
  ['application/pdf', /%PDF-\d/],
];

/** The type by content: names and headers are often wrong, and an error page may have status 200. */
export function typeOf(bytes: Uint8Array): KnownType | null {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  return STARTS.find(([, start]) => start.test(head))?.[0] ?? null;
}
