import { readFileSync } from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';

/** One grey pixel, as a camera's library writes it. */
export const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5' +
    'PTgyPC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjL/wAAR' +
    'CAABAAEDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAn/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAA' +
    'AAX/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCdABmX/9k=',
  'base64',
);

export const PNG = readFileSync(path.join(__dirname, '..', '..', 'examples', 'images', 'sofa.png'));

/** A segment of a JPEG. */
export function segment(marker: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content as string, 'latin1');
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(bytes.length + 2, 2);
  return Buffer.concat([head, bytes]);
}

/** After the start of the JPEG, and before everything else. */
export const withSegments = (...segments: readonly Buffer[]): Buffer =>
  Buffer.concat([JPEG.subarray(0, 2), ...segments, JPEG.subarray(2)]);

/** Exif as phones write it: which side is up, and a directory with latitude and longitude. */
export function exifOf(orientation: number, order: 'II' | 'MM'): Buffer {
  const tiff = Buffer.alloc(106);
  const short = (value: number, at: number) =>
    order === 'II' ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at);
  const long = (value: number, at: number) =>
    order === 'II' ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at);
  const entry = (at: number, tag: number, type: number, count: number): number => {
    short(tag, at);
    short(type, at + 2);
    long(count, at + 4);
    return at + 8;
  };
  tiff.write(order, 0, 'latin1');
  short(42, 2);
  long(8, 4);
  short(2, 8);
  short(orientation, entry(10, 0x01_12, 3, 1));
  long(38, entry(22, 0x88_25, 4, 1));
  // The position: 30 degrees, 16 minutes north.
  short(1, 38);
  long(56, entry(40, 0x00_02, 5, 2));
  tiff.write('GPS30.2672N97.7431W', 80, 'latin1');
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]));
}

export function chunk(type: string, content: string): Buffer {
  const body = Buffer.from(type + content, 'latin1');
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, sum]);
}

/** After the head of the PNG, which is its first chunk. */
export const withChunks = (...chunks: readonly Buffer[]): Buffer =>
  Buffer.concat([PNG.subarray(0, 33), ...chunks, PNG.subarray(33)]);
