import path from 'node:path';

/** File systems allow 255; a prefix may be added. */
const MAX_BYTES = 180;

/**
 * Turns a foreign file name into one that every file system accepts and that stays in its folder. Letters of every script
 * stay; separators, control characters and leading dots are removed. The result may be empty.
 */
export function cleanFileName(name: string): string {
  const clean = name
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N} ._()-]+/gu, '-')
    .replace(/^[. ]+/, '')
    // Match only where a run begins: a match from every position would take quadratic time.
    .replace(/(?<![. ])[. ]+$/, '');
  const extension = path.extname(clean).slice(0, 16);
  let stem = Array.from(clean.slice(0, clean.length - extension.length)).slice(0, MAX_BYTES);
  while (Buffer.byteLength(stem.join('') + extension) > MAX_BYTES) stem = stem.slice(0, -1);
  return stem.join('') + extension;
}
