/** All cookies of a site, by name. */
export type Cookies = ReadonlyMap<string, string>;

/** `name=value`: a token, and printable characters up to the semicolon. Anything else could end a header. */
const PAIR = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*([ -:<-~]*)/;

function isOver(attributes: string, now: number): boolean {
  const maxAge = /;\s*max-age\s*=\s*(-?\d+)/i.exec(attributes)?.[1];
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  const expires = Date.parse(/;\s*expires\s*=\s*([^;]+)/i.exec(attributes)?.[1] ?? '');
  return !Number.isNaN(expires) && expires <= now;
}

/**
 * The cookies after an answer. A cookie with an end in the past is deleted. Paths and domains are ignored, because
 * the cookies go only to the host that set them.
 * @param setCookie the values of all `Set-Cookie` headers
 * @param now milliseconds since the epoch
 */
export function withSetCookies(before: Cookies, setCookie: readonly string[], now: number): Cookies {
  const after = new Map(before);
  for (const header of setCookie) {
    const match = PAIR.exec(header);
    const [whole = '', name, value = ''] = match ?? [];
    if (name === undefined) continue;
    if (isOver(header.slice(whole.length), now)) after.delete(name);
    else after.set(name, value.trim());
  }
  return after;
}

export function cookieHeader(cookies: Cookies): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}
