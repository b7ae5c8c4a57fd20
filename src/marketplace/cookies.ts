/** What a browser keeps of a site: every cookie by its name, whatever it is called. */
export type Cookies = ReadonlyMap<string, string>;

/** `name=value`: a token, and printable characters up to the semicolon; anything else could end a header. */
const PAIR = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*([ -:<-~]*)/;

function isOver(attributes: string, now: number): boolean {
  const maxAge = /;\s*max-age\s*=\s*(-?\d+)/i.exec(attributes)?.[1];
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  const expires = Date.parse(/;\s*expires\s*=\s*([^;]+)/i.exec(attributes)?.[1] ?? '');
  return !Number.isNaN(expires) && expires <= now;
}

/**
 * The cookies after an answer. One that is set with an end in the past is taken back. Paths and domains are not
 * looked at: they are sent to the one host that set them.
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

/** The `Cookie` header. */
export function cookieHeader(cookies: Cookies): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}
