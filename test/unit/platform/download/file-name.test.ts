import path from 'node:path';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { cleanFileName } from '../../../../src/platform/download/file-name';

test.each([
  ['POD.pdf', 'POD.pdf'],
  ['../../etc/passwd', '-..-etc-passwd'],
  ['C:\\temp\\a.pdf', 'C-temp-a.pdf'],
  ['.bashrc', 'bashrc'],
  ['..', ''],
  ['a\0b\u001b[31m.pdf', 'a-b-31m.pdf'],
  ['a\u202Efdp.exe', 'a-fdp.exe'],
  ['Straße 5 – Foto.jpg', 'Straße 5 - Foto.jpg'],
  ['発送.pdf', '発送.pdf'],
  ['trailing. . ', 'trailing'],
])('%j becomes %j', (name, clean) => {
  expect(cleanFileName(name)).toBe(clean);
});

test('no name leaves its folder, or is too long for a file system', () => {
  const name = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(name, (text) => {
      const clean = cleanFileName(text);
      expect(path.join('/out', `x-${clean}`)).toBe(`/out/x-${clean}`);
      expect(path.dirname(path.join('/out', `x-${clean}`))).toBe('/out');
      expect(Buffer.byteLength(clean)).toBeLessThanOrEqual(200);
      expect(clean).not.toMatch(/^\.|[\p{C}/\\]/u);
      expect(cleanFileName(clean)).toBe(clean);
    }),
  );
});

test('an extension survives the cut of a long name', () => {
  expect(cleanFileName(`${'発'.repeat(300)}.pdf`)).toMatch(/^発+\.pdf$/);
});
