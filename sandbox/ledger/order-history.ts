import type { Operation } from '../model/operations';
import { isLiveBooking, orderReferenceOf, type Listing } from '../model/state';

/** A trouble that struck a request of an order. */
export interface TroubleHit {
  readonly at: string;
  readonly endpoint: Operation;
  readonly kind: string;
  readonly cause: 'script' | 'chance';
  readonly request: number;
}

class Past {
  readonly troubles: TroubleHit[] = [];
  readonly live = new Set<number>();
  /** The most bookings of the order that were live at one moment. */
  mostLive = 0;
  /** Each set of two or more bookings that were live together once, by their ids. */
  readonly together = new Map<string, readonly number[]>();
}

/** What the present state of the store does not tell: troubles that struck, and bookings that were live together. */
export class OrderHistory {
  readonly #pasts = new Map<string, Past>();
  /** How many troubles struck each endpoint, also in requests that are about no order. */
  readonly troubleCounts = new Map<Operation, number>();

  /** What happened to the order with this reference. */
  of(reference: string): Past {
    const past = this.#pasts.get(reference) ?? new Past();
    this.#pasts.set(reference, past);
    return past;
  }

  noteTrouble(reference: string, hit: TroubleHit): void {
    this.of(reference).troubles.push(hit);
    this.troubleCounts.set(hit.endpoint, (this.troubleCounts.get(hit.endpoint) ?? 0) + 1);
  }

  /** To be called after every change of a listing: its checksum changes, and its booking may have begun or ended. */
  touch(listing: Listing): void {
    listing.revision += 1;
    listing.lastUpdatedOn = new Date();
    const reference = orderReferenceOf(listing.draft.referenceNumbers);
    const past = this.of(reference);
    if (isLiveBooking(listing)) past.live.add(listing.listingId);
    else past.live.delete(listing.listingId);
    past.mostLive = Math.max(past.mostLive, past.live.size);
    // Without a reference they are of many orders, and floods of them would only fill the memory.
    if (past.live.size < 2 || reference === '') return;
    const ids = [...past.live].toSorted((a, b) => a - b);
    past.together.set(ids.join(' '), ids);
  }

  clear(): void {
    this.#pasts.clear();
    this.troubleCounts.clear();
  }
}
