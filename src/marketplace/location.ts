const MAX_ID_LENGTH = 100;

export interface LocationHosts {
  /** URLs of the marketplace; a relative path or bare id counts as the first one's. */
  readonly ownUrls: readonly string[];
  /** Further hosts that the account accepts. */
  readonly accepted: readonly string[];
}

/** What a `Location` header says. */
export interface NamedLocation {
  /** The location on any host. Only for ids that a reading then proves, because reads go to the account's own host. */
  readonly ofAnyHost: string | null;
  /** Null when the header names a foreign host: its listing ids mean nothing here. */
  readonly own: string | null;
  /** The foreign host that the header names. */
  readonly foreignHost: string | null;
}

const NOWHERE: NamedLocation = { ofAnyHost: null, own: null, foreignHost: null };

/** Ignores ports and schemes, because gateways change them. */
export function readLocation(header: string | null, { ownUrls, accepted }: LocationHosts): NamedLocation {
  const text = header?.trim() ?? '';
  const [base] = ownUrls;
  if (text === '' || base === undefined || !URL.canParse(text, base)) return NOWHERE;
  const { hostname, protocol } = new URL(text, base);
  if (!/^https?:$/.test(protocol)) return NOWHERE;
  const hosts = [
    ...ownUrls.map((url) => new URL(url).hostname),
    ...accepted.map((host) => host.toLowerCase()),
  ];
  return hosts.includes(hostname)
    ? { ofAnyHost: text, own: text, foreignHost: null }
    : { ofAnyHost: text, own: null, foreignHost: hostname.slice(0, MAX_ID_LENGTH) };
}

/** Path parts of a `Location`: a full URL, a relative path or a bare id. */
function pathParts(location: string | null): string[] {
  const [path] = (location ?? '')
    .trim()
    .replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, '')
    .split(/[?#]/, 1);
  return (path ?? '')
    .split('/')
    .filter((part) => part !== '')
    .map(decodePart);
}

/** Without path parameters, such as the `;jsessionid=…` that Java servers add. */
function decodePart(part: string): string {
  const cut = (text: string): string => text.split(';')[0] ?? '';
  try {
    return cut(decodeURIComponent(part));
  } catch (error) {
    if (error instanceof URIError) return cut(part);
    throw error;
  }
}

/** Checks only the length of ids, because no alphabet is documented. */
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

/** The URL of its rates, `https://host/v2/raterequests/{id}/rates`, the same without the last part, or the bare id. */
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
