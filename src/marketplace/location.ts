const MAX_ID_LENGTH = 100;

/**
 * The header, or null where it names the host of somebody else: what that host calls a listing is none of ours, so that
 * the write which was answered by it is in doubt. Ports and schemes are not compared, for gateways change them.
 *
 * @param urls of the marketplace; a relative path or a bare id is taken as the first one's
 */
export function ownLocation(location: string | null, urls: readonly string[]): string | null {
  const text = location?.trim() ?? '';
  const [base] = urls;
  if (text === '' || base === undefined || !URL.canParse(text, base)) return null;
  const { hostname } = new URL(text, base);
  return urls.some((url) => new URL(url).hostname === hostname) ? text : null;
}

/** Path parts of a `Location`: a full URL, a relative path or a bare id. */
function pathParts(location: string | null): string[] {
  const path = (location ?? '')
    .trim()
    .replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, '')
    .replace(/[?#].*$/, '');
  return path
    .split('/')
    .filter((part) => part !== '')
    .map(decodePart);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}

/** Ids are checked for length, not alphabet: their alphabets are seen, not promised. */
function toId(part: string | undefined): string | null {
  const id = part?.trim() ?? '';
  return id === '' || id.length > MAX_ID_LENGTH || /\s/.test(id) ? null : id;
}

function partAfter(parts: readonly string[], name: string): string | null {
  const index = parts.findLastIndex((part) => part.toLowerCase() === name);
  return index < 0 ? null : toId(parts[index + 1]);
}

/** `https://host/v2/listings/273679133`, `/v2/listings/273679133` or `273679133`. */
export function listingIdOf(location: string | null): string | null {
  const parts = pathParts(location);
  const named = partAfter(parts, 'listings') ?? partAfter(parts, 'listing');
  if (named !== null) return named;
  const last = parts.at(-1) ?? '';
  return /^\d{1,20}$/.test(last) ? last : null;
}

/** The URL of its rates, `https://host/v2/raterequests/{id}/rates`, without the last part too, or the bare id. */
export function rateRequestIdOf(location: string | null): string | null {
  const parts = pathParts(location);
  const named = partAfter(parts, 'raterequests');
  if (named !== null) return named.toLowerCase() === 'rates' ? null : named;
  return parts.length === 1 && parts[0]?.toLowerCase() !== 'raterequests' ? toId(parts[0]) : null;
}

/** `https://host/v2/rates/{rateId}/acceptance/status/{executionId}`, or the bare id. */
export function executionIdOf(location: string | null): string | null {
  const parts = pathParts(location);
  const named = partAfter(parts, 'status');
  if (named !== null) return named;
  return parts.length === 1 && parts[0]?.toLowerCase() !== 'status' ? toId(parts[0]) : null;
}
