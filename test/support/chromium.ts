import { existsSync } from 'node:fs';
import { testUnless } from './test-unless';

/** Debian's browser, or the one that the person names. */
const PROGRAM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** The browser that is here; null when there is none. */
export const chromium: string | null = existsSync(PROGRAM) ? PROGRAM : null;

export const { test: testInBrowser, unless } = testUnless(
  chromium === null ? 'no Chromium; name one with CHROMIUM' : null,
);
