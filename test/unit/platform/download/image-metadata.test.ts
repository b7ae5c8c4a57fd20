import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DamagedImageError, withoutMetadata } from '../../../../src/platform/download/image-metadata';
import { chunk, exifOf, JPEG, PNG, segment, withChunks, withSegments } from '../../../support/real-images';

const PLACE = '30.2672N';
const xmp = segment(0xe1, `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta exif:GPSLatitude="${PLACE}"/>`);
const profile = segment(0xe2, 'ICC_PROFILE\0\x01\x01colours');
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

test.each([
  ['Exif of a phone', withSegments(exifOf(1, 'MM'))],
  ['Exif in the other byte order', withSegments(exifOf(1, 'II'))],
  ['XMP', withSegments(xmp)],
  ['the fields of a news agency', withSegments(segment(0xed, `Photoshop 3.0\0${PLACE}`))],
  ['a comment', withSegments(segment(0xfe, PLACE))],
  ['a maker', withSegments(segment(0xe4, PLACE), segment(0xef, PLACE))],
  ['a list of further pictures', withSegments(segment(0xe2, `MPF\0${PLACE}`))],
  [
    'fill bytes before its segment',
    withSegments(Buffer.concat([Buffer.from([0xff, 0xff]), exifOf(1, 'MM')])),
  ],
  ['a further picture after its end', Buffer.concat([JPEG, withSegments(exifOf(6, 'MM'))])],
  ['text after its end', Buffer.concat([JPEG, Buffer.from(PLACE)])],
])('a JPEG with %s is the same picture without it', (_, bytes) => {
  expect(bytes.includes(PLACE)).toBe(true);
  expect(hex(withoutMetadata(bytes, 'image/jpeg'))).toBe(hex(JPEG));
});

test.each(['MM', 'II'] as const)('the orientation of a JPEG stays, in the byte order %s', (order) => {
  const cleaned = Buffer.from(withoutMetadata(withSegments(exifOf(6, order), xmp, profile), 'image/jpeg'));
  expect(cleaned.includes(PLACE)).toBe(false);
  expect(cleaned.includes(profile)).toBe(true);
  const exif = cleaned.subarray(2, 2 + 4 + 6 + 26);
  expect(exif.toString('latin1')).toMatch(/^\xff\xe1\0\x22Exif\0\0MM\0\*/);
  // What was written is read again: cleaning twice changes nothing.
  expect(hex(withoutMetadata(cleaned, 'image/jpeg'))).toBe(hex(cleaned));
  expect(exif.readUInt16BE(2 + 2 + 6 + 18)).toBe(6);
});

test.each([
  ['that has nothing beside its picture', JPEG],
  ['whose picture is cut off', JPEG.subarray(0, -3)],
  [
    'with restarts within its picture',
    Buffer.concat([JPEG.subarray(0, -2), Buffer.from('ffd041ff00ffd9', 'hex')]),
  ],
])('a JPEG %s stays as it is', (_, bytes) => {
  expect(hex(withoutMetadata(bytes, 'image/jpeg'))).toBe(hex(bytes));
});

test.each([
  ['a directory of Exif that points nowhere', 'Exif\0\0MM\0*\xff\xff\xff\xff'],
  ['Exif that is too short', 'Exif\0\0MM'],
  ['a count of entries that is too high', 'Exif\0\0MM\0*\0\0\0\x08\xff\xff'],
])('a JPEG with %s loses it', (_, content) => {
  expect(hex(withoutMetadata(withSegments(segment(0xe1, content)), 'image/jpeg'))).toBe(hex(JPEG));
});

test.each([
  ['eXIf', chunk('eXIf', `MM\0*${PLACE}`)],
  ['tEXt', chunk('tEXt', `Comment\0${PLACE}`)],
  ['zTXt', chunk('zTXt', `Raw profile\0\0${PLACE}`)],
  ['iTXt', chunk('iTXt', `XML:com.adobe.xmp\0\0\0\0\0${PLACE}`)],
  ['tIME', chunk('tIME', PLACE)],
  ['its own', chunk('prVt', PLACE)],
])('a PNG with a chunk %s is the same picture without it', (_, extra) => {
  const bytes = Buffer.concat([withChunks(extra), Buffer.from(PLACE)]);
  expect(hex(withoutMetadata(bytes, 'image/png'))).toBe(hex(PNG));
});

test('colours and transparency of a PNG stay', () => {
  const bytes = withChunks(chunk('gAMA', '\0\0\xb1\x8f'), chunk('tRNS', '\0\0\0\0\0\0'));
  expect(hex(withoutMetadata(bytes, 'image/png'))).toBe(hex(bytes));
});

test.each([
  ['a JPEG that is only a start', 'image/jpeg' as const, JPEG.subarray(0, 3)],
  ['a JPEG that ends in its first segment', 'image/jpeg' as const, JPEG.subarray(0, 9)],
  ['a JPEG without a picture', 'image/jpeg' as const, JPEG.subarray(0, 20)],
  ['a JPEG with text between its segments', 'image/jpeg' as const, withSegments(Buffer.from(PLACE))],
  ['a JPEG with a segment of no length', 'image/jpeg' as const, withSegments(Buffer.from('ffe10000', 'hex'))],
  ['a PNG that is only a start', 'image/png' as const, PNG.subarray(0, 12)],
  ['a PNG that ends in a chunk', 'image/png' as const, PNG.subarray(0, -20)],
  ['a PNG without an end', 'image/png' as const, PNG.subarray(0, -12)],
  [
    'a PNG with a chunk that is too long',
    'image/png' as const,
    withChunks(Buffer.from('ffffffff65584966', 'hex')),
  ],
  ['a PNG with text between its chunks', 'image/png' as const, withChunks(Buffer.from('\0\0\0\0 30. 2672N'))],
])('%s is damaged', (_, type, bytes) => {
  expect(() => withoutMetadata(bytes, type)).toThrow(DamagedImageError);
});

test('any bytes become a cleaned or damaged image, and never a longer one', () => {
  const start = fc.constantFrom(
    JPEG.subarray(0, 2),
    JPEG,
    withSegments(exifOf(6, 'II')),
    PNG.subarray(0, 8),
    PNG,
  );
  fc.assert(
    fc.property(start, fc.uint8Array({ maxLength: 200 }), fc.nat(400), (image, noise, at) => {
      const bytes = Buffer.concat([image.subarray(0, at), noise, image.subarray(at)]);
      for (const type of ['image/jpeg', 'image/png'] as const) {
        try {
          expect(withoutMetadata(bytes, type).length).toBeLessThanOrEqual(bytes.length);
        } catch (error) {
          if (!(error instanceof DamagedImageError)) throw error;
        }
      }
    }),
  );
});
