import path from 'node:path';

/** File systems take 255; a prefix may still be put in front. */
const MAX_BYTES = 180;

/**
 * A name that any file system takes and that stays in its folder, from one that somebody else chose. Letters of every
 * script stay; separators, control characters and leading dots do not. May be empty.
 */
export function cleanFileName(name: string): string {
  const clean = name
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N} ._()-]+/gu, '-')
    .replace(/^[. ]+/, '')
    // Looked for where a run of them begins only: from each of them on, it would take as long as their number squared.
    .replace(/(?<![. ])[. ]+$/, '');
  const extension = path.extname(clean).slice(0, 16);
  let stem = Array.from(clean.slice(0, clean.length - extension.length)).slice(0, MAX_BYTES);
  while (Buffer.byteLength(stem.join('') + extension) > MAX_BYTES) stem = stem.slice(0, -1);
  return stem.join('') + extension;
}
