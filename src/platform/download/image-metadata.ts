/** Thrown when an image does not have the structure of its type: its metadata cannot be found then. */
export class DamagedImageError extends Error {
  override readonly name = 'DamagedImageError';
}

/**
 * The same picture without the metadata of cameras and programs: location, time, device, names, previews, further
 * pictures. Only the data that a viewer needs is kept, such as colours and orientation.
 * @throws DamagedImageError
 */
export function withoutMetadata(bytes: Uint8Array, type: 'image/jpeg' | 'image/png'): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return type === 'image/jpeg' ? cleanJpeg(buffer) : cleanPng(buffer);
}

const SOI_BYTES = 2;
const [EOI, SOS, APP1, APP15, COMMENT] = [0xd9, 0xda, 0xe1, 0xef, 0xfe];

/** Application segments that a viewer needs, by number and prefix: the colour profile and Adobe's transform. */
const NEEDED: readonly [number, string][] = [
  [0xe2, 'ICC_PROFILE\0'],
  [0xee, 'Adobe'],
];

function cleanJpeg(bytes: Buffer): Buffer {
  const kept = [bytes.subarray(0, SOI_BYTES)];
  let hasPicture = false;
  for (let at = SOI_BYTES; at < bytes.length;) {
    const { marker, contentAt, end } = readSegment(bytes, at);
    // Data after the end is not part of the picture: phones put further pictures there, each with its location.
    if (marker === EOI) return Buffer.concat([...kept, bytes.subarray(at, end)]);
    const next = marker === SOS ? endOfScan(bytes, end) : end;
    hasPicture ||= marker === SOS;
    const content = bytes.subarray(contentAt, end);
    kept.push(isKept(marker, content) ? bytes.subarray(at, next) : inPlaceOf(marker, content));
    at = next;
  }
  // The picture is cut off; viewers show the part that is there.
  if (hasPicture) return Buffer.concat(kept);
  throw new DamagedImageError('it ends before its picture');
}

interface Segment {
  readonly marker: number;
  readonly contentAt: number;
  readonly end: number;
}

function readSegment(bytes: Buffer, start: number): Segment {
  if (bytes[start] !== 0xff) throw new DamagedImageError(`byte ${start} should begin a segment`);
  let at = start + 1;
  // A marker may have fill bytes before it.
  while (bytes[at] === 0xff) at += 1;
  const marker = bytes[at];
  if (marker === undefined) throw new DamagedImageError('it ends within a segment');
  const isAlone = marker === EOI || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
  if (isAlone) return { marker, contentAt: at + 1, end: at + 1 };
  const end = at + 3 > bytes.length ? Infinity : at + 1 + bytes.readUInt16BE(at + 1);
  if (end > bytes.length || end < at + 3) throw new DamagedImageError('it ends within a segment');
  return { marker, contentAt: at + 3, end };
}

/** The next byte after the coded picture: within it, 0xff is followed by 0 or by a restart. */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}

function isKept(marker: number, content: Buffer): boolean {
  const isOfProgram = marker >= APP1 && marker <= APP15;
  if (marker !== COMMENT && !isOfProgram) return true;
  return NEEDED.some(
    ([number, start]) => number === marker && content.subarray(0, start.length).toString('latin1') === start,
  );
}

function inPlaceOf(marker: number, content: Buffer): Buffer {
  const orientation = marker === APP1 ? orientationOf(content) : null;
  return orientation === null ? Buffer.alloc(0) : orientationSegment(orientation);
}

const EXIF = Buffer.from('Exif\0\0', 'latin1');
const ORIENTATION = 0x0112;
const ENTRY_BYTES = 12;

/** The orientation of a photo; null when it has none, or one that cannot be read. */
function orientationOf(content: Buffer): number | null {
  if (!content.subarray(0, EXIF.length).equals(EXIF)) return null;
  const tiff = content.subarray(EXIF.length);
  const isLittle = tiff.subarray(0, 2).toString('latin1') === 'II';
  const short = (at: number): number =>
    at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  if (tiff.length < 8) return null;
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let entry = 0; entry < short(directory); entry += 1) {
    const at = directory + 2 + entry * ENTRY_BYTES;
    if (at + ENTRY_BYTES > tiff.length) return null;
    const value = short(at + 8);
    if (short(at) === ORIENTATION) return value > 1 && value <= 8 ? value : null;
  }
  return null;
}

const HEADER = '4d4d002a00000008';
const ONE_ENTRY = '0001011200030000000100000000';
const NO_MORE = '00000000';

/** An Exif segment with only the orientation: a directory of one entry. */
function orientationSegment(orientation: number): Buffer {
  const tiff = Buffer.from(`${HEADER}${ONE_ENTRY}${NO_MORE}`, 'hex');
  tiff.writeUInt16BE(orientation, 8 + 2 + 8);
  const size = Buffer.alloc(2);
  size.writeUInt16BE(size.length + EXIF.length + tiff.length);
  return Buffer.concat([Buffer.from([0xff, APP1]), size, EXIF, tiff]);
}

const PNG_SIGNATURE_BYTES = 8;
/** Besides its data, a chunk has length, type and checksum. */
const CHUNK_BYTES = 12;
/** Chunks that a viewer needs although the picture can be decoded without them: colours, transparency, animation. */
const NEEDED_CHUNKS: ReadonlySet<string> = new Set([
  ...['tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'sBIT', 'bKGD', 'pHYs'],
  ...['acTL', 'fcTL', 'fdAT'],
]);

function cleanPng(bytes: Buffer): Buffer {
  const kept = [bytes.subarray(0, PNG_SIGNATURE_BYTES)];
  for (let at = PNG_SIGNATURE_BYTES; at + CHUNK_BYTES <= bytes.length;) {
    const end = at + CHUNK_BYTES + bytes.readUInt32BE(at);
    const type = bytes.subarray(at + 4, at + 8).toString('latin1');
    if (end > bytes.length || !/^[A-Za-z]{4}$/.test(type))
      throw new DamagedImageError(`byte ${at} should begin a chunk`);
    // A capital letter marks a chunk without which the picture cannot be decoded.
    if (/^[A-Z]/.test(type) || NEEDED_CHUNKS.has(type)) kept.push(bytes.subarray(at, end));
    if (type === 'IEND') return Buffer.concat(kept);
    at = end;
  }
  throw new DamagedImageError('it ends before its picture does');
}
