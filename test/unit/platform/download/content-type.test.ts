import { expect, test } from '@jest/globals';
import { typeOf } from '../../../../src/platform/download/content-type';
import { simplePdf } from '../../../../sandbox/carrier/pdf';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

test.each([
  ['image/jpeg', '\xff\xd8\xff\xe0\0\x10JFIF'],
  ['image/png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
  ['image/gif', 'GIF89a\x01\0'],
  ['image/webp', 'RIFF\x24\0\0\0WEBPVP8 '],
  ['image/tiff', 'II*\0\x08\0'],
  ['image/tiff', 'MM\0*\0\0\0\x08'],
  ['image/heic', '\0\0\0\x18ftypheic'],
  ['application/pdf', '%PDF-1.7\n'],
  ['application/pdf', '\r\n\r\n%PDF-1.4\n'],
  ['text/html', '<!DOCTYPE html><html>'],
  ['text/html', '\xef\xbb\xbf\n  <html lang="en">'],
  ['text/html', '<!-- gateway --><HTML>'],
  // A page that speaks of a PDF is a page.
  ['text/html', '<html><title>%PDF-1.4 is on its way</title>'],
])('%s is recognised by %j', (type, text) => {
  expect(typeOf(bytes(text))).toBe(type);
});

test.each(['', 'hello', '\xff\xd8', 'PNG', '<?xml version="1.0"?><Error/>', '{"message":"no"}', '%PDF'])(
  '%j is of no known type',
  (text) => {
    expect(typeOf(bytes(text))).toBeNull();
  },
);

test('a real PDF is recognised, and is not when its mark comes too late', () => {
  const pdf = simplePdf(['BILL OF LADING']);
  expect(typeOf(pdf)).toBe('application/pdf');
  expect(typeOf(Buffer.concat([Buffer.alloc(2_000), pdf]))).toBeNull();
});
