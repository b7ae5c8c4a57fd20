import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Listing, StoredFile } from './state';
import type { SandboxSwitches } from './switches';

type SignedPage = 'cancel' | 'track' | 'document';

/** The addresses the marketplace hands out; the web pages live on the same server as the API. */
export class Addresses {
  /** Of the server, without a slash at its end. */
  base = '';

  constructor(
    private readonly secret: string,
    private readonly switches: Readonly<SandboxSwitches>,
  ) {}

  listing(listing: Listing): string {
    return `${this.base}/v2/listings/${listing.listingId}`;
  }

  listingPage(listing: Listing): string {
    return `${this.base}/listings/${listing.listingId}`;
  }

  cancellation(listing: Listing): string {
    return `${this.base}/listing/cancel/${listing.listingId}?signature=${this.#sign(`cancel ${listing.listingId}`)}`;
  }

  tracking(listing: Listing): string {
    return `${this.base}/track/${listing.listingId}?signature=${this.#sign(`track ${listing.listingId}`)}`;
  }

  /** A pre-signed address: it needs no key, and expires. */
  document(listing: Listing, file: StoredFile): string {
    const expires = Date.now() + this.switches.billOfLadingLinkLifetimeInSeconds * 1000;
    const path = `${listing.listingId}/${file.attachmentId}`;
    const signature = this.#sign(`document ${path} ${expires}`);
    return `${this.base}/documents/${path}/${encodeURIComponent(file.fileName)}?expires=${expires}&signature=${signature}`;
  }

  isSigned(what: SignedPage, path: string, signature: string, expires?: string): boolean {
    if (expires !== undefined && !(Number(expires) > Date.now())) return false;
    const text = `${what} ${path}${expires === undefined ? '' : ` ${expires}`}`;
    const expected = Buffer.from(this.#sign(text));
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  /** A `Location` as the switches want it: full as documented, also on another host, relative, or the bare id. */
  location(path: string, bare: string, host = this.switches.locationHost): string {
    const session = this.switches.locationSession ? ';jsessionid=8A2F6C01D4B7' : '';
    const full = `${host === '' ? this.base : `https://${host}`}${path}`;
    return { full, relative: path, bare }[this.switches.location] + session;
  }

  listingLocation(listing: Listing): string {
    return this.location(`/v2/listings/${listing.listingId}`, String(listing.listingId));
  }

  #sign(text: string): string {
    return createHmac('sha256', this.secret).update(text).digest('hex').slice(0, 32);
  }
}
