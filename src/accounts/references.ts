import type { SecretSource } from '../marketplace/account';
import { readSecret, variable, type Environment, type SecretReference } from '../platform/secret-reference';
import type { UrlReference } from './schema';
import { isOnThisMachine } from './url-parts';

/** Whether a default secret does no harm. An unreadable URL is already reported, and must not be a second problem. */
export function isSandboxOnThisMachine(environment: 'sandbox' | 'production', baseUrl: string): boolean {
  return environment === 'sandbox' && (baseUrl === '' || isOnThisMachine(baseUrl));
}

/** Where problems are reported. They never contain values, because those may be secrets. */
interface Place {
  readonly at: string;
  readonly problems: string[];
}

/** The base of an API without a trailing slash; empty when a problem with it was reported. */
export function resolveUrl(reference: UrlReference, env: Environment, place: Place): string {
  return resolveWholeUrl(reference, env, place).replace(/\/+$/, '');
}

/** The URL as it is written; empty when a problem with it was reported. */
export function resolveWholeUrl(reference: UrlReference, env: Environment, { at, problems }: Place): string {
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
  return url.trim();
}

/** Reads the secret at each use and never keeps it. Only a marketplace on this machine, which books nothing, may have a default. */
export function secretSource(
  reference: SecretReference,
  env: Environment,
  { at, problems, isLocal }: Place & { readonly isLocal: boolean },
): SecretSource {
  if ('file' in reference || reference.default === undefined)
    return async () => await readSecret(reference, env, at);
  const fallback = reference.default;
  if (!isLocal) {
    problems.push(
      `${at}: a default secret is allowed only for a sandbox on this machine; set ${reference.env} and remove the default`,
    );
  }
  return async () =>
    isLocal && variable(env, reference.env) === undefined
      ? fallback.trim()
      : await readSecret(reference, env, at);
}
