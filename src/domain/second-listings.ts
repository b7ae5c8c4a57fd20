import { LIST_LIMITS } from './bounds';
import type { IsoInstant } from './shipment';

/** A listing that carries the order's reference beside the one that was followed then. It is kept when it is left. */
export interface SecondListing {
  readonly listingId: string;
  /** Since when the order knows of it. */
  readonly since: IsoInstant;
  /** It was delivered for the order too, which nobody can undo. */
  readonly isDelivered: boolean;
}

interface WithSecondListings {
  readonly secondListings: readonly SecondListing[];
}

/** Keeps that there is one; what is known of it already stays. */
export function knowSecond<T extends WithSecondListings>(state: T, listingId: string, at: IsoInstant): T {
  if (state.secondListings.some((known) => known.listingId === listingId)) return state;
  const secondListings = [...state.secondListings, { listingId, since: at, isDelivered: false }];
  return { ...state, secondListings: secondListings.slice(-LIST_LIMITS.secondListings.count) };
}

/** Keeps that one was delivered. */
export function secondDelivered<T extends WithSecondListings>(
  state: T,
  listingId: string,
  at: IsoInstant,
): T {
  const known = knowSecond(state, listingId, at);
  const secondListings = known.secondListings.map((one) =>
    one.listingId === listingId ? { ...one, isDelivered: true } : one,
  );
  return { ...known, secondListings };
}
