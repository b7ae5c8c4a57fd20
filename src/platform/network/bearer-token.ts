import { hash, timingSafeEqual } from 'node:crypto';

/** The name of the scheme may be in any case. */
const BEARER = /^bearer +(.*)$/i;

/** The bearer token of a request; undefined when it has none. */
export function bearerTokenOf({
  authorization,
}: Readonly<Record<string, string | string[] | undefined>>): string | undefined {
  return typeof authorization === 'string' ? BEARER.exec(authorization)?.[1] : undefined;
}

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Compares by digest: the time that it takes reveals neither length nor content. */
export function isSecret(given: string | undefined, secret: string): boolean {
  return timingSafeEqual(digest(given ?? ''), digest(secret)) && given !== undefined;
}
