import { isLiveBooking, orderReferenceOf } from '../model/references';
import type { Operation } from '../model/operations';
import type { Listing } from '../model/state';

/** A trouble that struck a request of an order. */
export interface TroubleHit {
  readonly at: string;
  readonly endpoint: Operation;
  readonly kind: string;
  readonly cause: 'script' | 'chance';
  readonly request: number;
}

/** What the present state of the store does not tell: troubles that struck, and bookings that were live together. */
export class OrderHistory {
  readonly #troubles = new Map<string, TroubleHit[]>();
  readonly #live = new Map<string, Set<number>>();
  readonly #peaks = new Map<string, number>();
  /** By reference: each set of bookings that were live together once, by their ids. */
  readonly #together = new Map<string, Map<string, readonly number[]>>();
  readonly #troubleCounts = new Map<Operation, number>();

  noteTrouble(reference: string, hit: TroubleHit): void {
    const hits = this.#troubles.get(reference) ?? [];
    hits.push(hit);
    this.#troubles.set(reference, hits);
    this.#troubleCounts.set(hit.endpoint, (this.#troubleCounts.get(hit.endpoint) ?? 0) + 1);
  }

  /** To be called after every change of a listing: its checksum changes, and its booking may have begun or ended. */
  touch(listing: Listing): void {
    listing.revision += 1;
    listing.lastUpdatedOn = new Date();
    this.#noteBooking(listing);
  }

  #noteBooking(listing: Listing): void {
    const reference = orderReferenceOf(listing.draft.referenceNumbers);
    const live = this.#live.get(reference) ?? new Set();
    this.#live.set(reference, live);
    if (isLiveBooking(listing)) live.add(listing.listingId);
    else live.delete(listing.listingId);
    this.#peaks.set(reference, Math.max(live.size, this.mostLiveBookings(reference)));
    // Without a reference they are of many orders, and floods of them would only fill the memory.
    if (live.size > 1 && reference !== '') this.#noteTogether(reference, [...live]);
  }

  #noteTogether(reference: string, live: readonly number[]): void {
    const together = this.#together.get(reference) ?? new Map<string, readonly number[]>();
    const ids = live.toSorted((a, b) => a - b);
    together.set(ids.join(' '), ids);
    this.#together.set(reference, together);
  }

  troubles(reference: string): readonly TroubleHit[] {
    return this.#troubles.get(reference) ?? [];
  }

  /** How many troubles struck each endpoint, also in requests that are about no order. */
  troubleCounts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#troubleCounts);
  }

  /** The listings whose bookings were live at the same time: every such set, where there were two or more. */
  liveTogether(reference: string): readonly (readonly number[])[] {
    return [...(this.#together.get(reference)?.values() ?? [])];
  }

  /** The most bookings of the order that were live at one moment. */
  mostLiveBookings(reference: string): number {
    return this.#peaks.get(reference) ?? 0;
  }

  clear(): void {
    for (const map of [this.#troubles, this.#live, this.#peaks, this.#together, this.#troubleCounts])
      map.clear();
  }
}
