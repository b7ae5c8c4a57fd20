import { hash, timingSafeEqual } from 'node:crypto';
import type { AccountPin } from '../domain/account-pin';

/** One webhook URL: its secret, and the accounts whose events it receives. */
export interface Integration {
  readonly name: string;
  readonly secret: () => Promise<string>;
  readonly accounts: readonly AccountPin[];
}

/** The name of the scheme may be in any case. */
const BEARER = /^bearer +(.*)$/i;

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Compares by digest: the time that it takes reveals neither length nor content. */
export function isSecret(given: string | undefined, secret: string): boolean {
  return timingSafeEqual(digest(given ?? ''), digest(secret)) && given !== undefined;
}

/** The secret that a request carries: in the path, as a bearer token, or in `x-webhook-secret`. */
export function presentedSecret(
  path: string | undefined,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): string | undefined {
  if (path !== undefined) return path;
  const { authorization } = headers;
  const bearer = typeof authorization === 'string' ? BEARER.exec(authorization)?.[1] : undefined;
  if (bearer !== undefined) return bearer;
  const header = headers['x-webhook-secret'];
  return typeof header === 'string' ? header : undefined;
}
