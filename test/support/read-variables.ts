import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '..', '..');
const textOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

function sourcesUnder(folder: string): string {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => textOf(path.join(folder, file)))
    .join('\n');
}

const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name]) => name ?? '');

const SOURCES = sourcesUnder('src');

/** What the code reads, by the way in which it reads it. Temporal's library reads the names of `TEMPORAL`. */
const SETTINGS = new Set([
  ...namesIn(textOf('src/platform/config.ts'), /^ {2}([A-Z][A-Z_]+): /gm),
  ...namesIn(SOURCES, /\benv\.([A-Z][A-Z_]+)/g),
  ...namesIn(SOURCES, /\{ ([A-Z][A-Z_]+): \w+ \}: Environment/g),
]);
const TEMPORAL = new Set([
  ...['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE', 'TEMPORAL_API_KEY', 'TEMPORAL_TLS_SERVER_NAME'],
  ...['TEMPORAL_TLS_CLIENT_CERT_PATH', 'TEMPORAL_TLS_CLIENT_KEY_PATH', 'TEMPORAL_TLS_SERVER_CA_CERT_PATH'],
]);
const SANDBOX = new Set(namesIn(sourcesUnder('sandbox'), /\b(SANDBOX_[A-Z_]+)\b/g));

/** Variables that a settings file with references to secrets names. */
export const variablesOf = (file: string): readonly string[] =>
  namesIn(textOf(file), /\benv: ([A-Z][A-Z_]+)/g);

/** Whether a worker, a receiver or a codec server reads the variable itself. */
export const isSetting = (variable: string): boolean => SETTINGS.has(variable) || TEMPORAL.has(variable);

export const isSandboxSetting = (variable: string): boolean =>
  SANDBOX.has(variable) || variable === 'NODE_ENV';
