import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** Of the package, two folders up from here whether it is built or not. */
export function packageVersion(): string {
  const text = readFileSync(path.join(__dirname, '..', '..', 'package.json'), 'utf8');
  return z.looseObject({ version: z.string() }).parse(JSON.parse(text)).version;
}
