import { readFile } from 'node:fs/promises';
import type { SecretSource } from '../marketplace/account';
import { errorCode } from '../platform/error-code';
import { AccountsError } from './errors';
import type { SecretReference, UrlReference } from './schema';
import { isOnThisMachine } from './url-parts';

/** The variables that the file refers to. An empty one counts as not set: compose files pass unset variables as empty. */
export type Environment = Readonly<Record<string, string | undefined>>;

const variable = (env: Environment, name: string): string | undefined =>
  env[name] === undefined || env[name].trim() === '' ? undefined : env[name];

/** Whether a default secret does no harm. An unreadable URL is already reported, and must not be a second problem. */
export function isSandboxOnThisMachine(environment: 'sandbox' | 'production', baseUrl: string): boolean {
  return environment === 'sandbox' && (baseUrl === '' || isOnThisMachine(baseUrl));
}

/** Where problems are reported. They never contain values, because those may be secrets. */
interface Place {
  readonly at: string;
  readonly problems: string[];
}

/** The URL without a trailing slash; empty when a problem with it was reported. */
export function resolveUrl(reference: UrlReference, env: Environment, { at, problems }: Place): string {
  const isInline = typeof reference === 'string';
  const url = isInline ? reference : (variable(env, reference.env) ?? reference.default);
  const where = isInline ? at : `${at} (${reference.env})`;
  if (url === undefined) {
    problems.push(`${where}: the variable is not set and has no default; set it`);
    return '';
  }
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol)) {
    problems.push(`${where}: is not an http or https URL; give one such as https://api.example.com`);
    return '';
  }
  if (parsed.username !== '' || parsed.password !== '') {
    problems.push(`${where}: the URL must not contain a user or password; use auth`);
    return '';
  }
  return url.trim().replace(/\/+$/, '');
}

/** Reads the secret at each use and never keeps it. Only a marketplace on this machine, which books nothing, may have a default. */
export function secretSource(
  reference: SecretReference,
  env: Environment,
  { at, problems, isLocal }: Place & { readonly isLocal: boolean },
): SecretSource {
  if ('file' in reference) return async () => await readSecretFile(reference.file, at);
  if (reference.default !== undefined && !isLocal) {
    problems.push(
      `${at}: a default secret is allowed only for a sandbox on this machine; set ${reference.env} and remove the default`,
    );
  }
  return async () => {
    const secret = variable(env, reference.env) ?? (isLocal ? reference.default : undefined);
    if (secret === undefined) {
      throw new AccountsError(`${at}: the variable ${reference.env} is not set.`);
    }
    return await Promise.resolve(secret.trim());
  };
}

async function readSecretFile(file: string, at: string): Promise<string> {
  let secret: string;
  try {
    secret = (await readFile(file, 'utf8')).trim();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const isMissing = errorCode(error) === 'ENOENT';
    throw new AccountsError(`${at}: the file ${file} cannot be read: ${why}.`, isMissing ? 'missing' : null);
  }
  if (secret === '') throw new AccountsError(`${at}: the file ${file} is empty.`, 'empty');
  return secret;
}
