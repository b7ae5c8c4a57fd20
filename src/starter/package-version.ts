import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Of the package, two folders up from here whether it is built or not. */
export function packageVersion(): string {
  const text = readFileSync(path.join(__dirname, '..', '..', 'package.json'), 'utf8');
  const manifest: unknown = JSON.parse(text);
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest)
    return String(manifest.version);
  throw new Error('package.json names no version');
}
