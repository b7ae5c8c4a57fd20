import type { FastifyRequest } from 'fastify';
import { nestedBody } from './form';
import { isObject, objectOf, textOf } from './json';
import { isLiveBooking, orderReferenceOf } from './references';
import type { Operation } from './operations';
import type { Listing } from './state';
import type { Store } from './store';

/** A fault that hit a request of an order. */
export interface FaultHit {
  readonly at: string;
  readonly endpoint: Operation;
  readonly kind: string;
  readonly cause: 'script' | 'chaos';
  readonly request: number;
}

/** What the present state of the store does not tell: faults that hit, and bookings that were live together. */
export class OrderHistory {
  readonly #faults = new Map<string, FaultHit[]>();
  readonly #live = new Map<string, Set<number>>();
  readonly #peaks = new Map<string, number>();
  /** By reference: each set of bookings that were live together once, by their ids. */
  readonly #together = new Map<string, Map<string, readonly number[]>>();
  readonly #faultCounts = new Map<Operation, number>();

  noteFault(reference: string, hit: FaultHit): void {
    const hits = this.#faults.get(reference) ?? [];
    hits.push(hit);
    this.#faults.set(reference, hits);
    this.#faultCounts.set(hit.endpoint, (this.#faultCounts.get(hit.endpoint) ?? 0) + 1);
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

  faults(reference: string): readonly FaultHit[] {
    return this.#faults.get(reference) ?? [];
  }

  /** How many faults hit each endpoint, also in requests that are about no order. */
  faultCounts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#faultCounts);
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
    for (const map of [this.#faults, this.#live, this.#peaks, this.#together, this.#faultCounts]) map.clear();
  }
}

/** The order that a request is about, by its body or by what its path names; empty where it names none. */
export function referenceOfRequest(store: Store, request: FastifyRequest): string {
  const listed: unknown = objectOf(nestedBody(request))['referenceNumbers'];
  const given = (Array.isArray(listed) ? listed : []).find(
    (entry) => isObject(entry) && entry['type'] === 'ThirdPartyOrderNumber',
  );
  if (given !== undefined) return textOf(objectOf(given)['number']);
  const { listingId, id } = objectOf(request.params);
  const listing = store.listings.get(Number(textOf(listingId)));
  const rateRequest = store.rates.get(textOf(id))?.request ?? store.rateRequests.get(textOf(id));
  return orderReferenceOf((listing ?? rateRequest)?.draft.referenceNumbers ?? []);
}
