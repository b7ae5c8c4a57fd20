import type { Ledger, OrderLedger } from './ledger';

/** The judgement over all orders that carry a reference. */
export interface Verdict {
  readonly isClean: boolean;
  readonly orders: number;
  /** Orders with more than one booking live at one moment, now or ever. */
  readonly doubleBooked: readonly string[];
  readonly withoutBooking: readonly string[];
  /** Orders with a live booking and another listing that a carrier may still take. */
  readonly strayListings: readonly string[];
  readonly pending: readonly string[];
}

/** Clean: no order was ever booked twice, and none keeps a listing on the market beside its booking. */
export function judge({ orders }: Ledger): Verdict {
  const all = Object.values(orders);
  const named = (isSo: (order: OrderLedger) => boolean): string[] =>
    all.filter(isSo).map(({ reference }) => reference);
  const doubleBooked = named(({ mostLiveBookings }) => mostLiveBookings > 1);
  const strayListings = named(({ liveBookings, openListings }) => liveBookings > 0 && openListings > 0);
  return {
    isClean: doubleBooked.length === 0 && strayListings.length === 0,
    orders: all.length,
    doubleBooked,
    withoutBooking: named(({ liveBookings }) => liveBookings === 0),
    strayListings,
    pending: named(({ pendingAcceptances }) => pendingAcceptances > 0),
  };
}
