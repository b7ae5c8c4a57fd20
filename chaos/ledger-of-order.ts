import type { Ledger, LedgerAcceptance, LedgerListing, OrderLedger } from '../sandbox';

/** What the receiver and the order knew about the listings. */
export interface Known {
  /** The listings about which the receiver accepted an event. */
  readonly reported: ReadonlySet<number>;
  /** The listings that the state or the result of the order names. */
  readonly named: ReadonlySet<string>;
  /** When the order itself learned about another listing with its reference; ISO, by the listing's id. */
  readonly since: ReadonlyMap<number, string>;
}

/** What the marketplace's own ledger says about one order. */
export type LedgerOfOrder = Readonly<ReturnType<typeof ledgerOfOrder>>;

/** The input of the judge; empty when the ledger has no entry. Pure. */
export function ledgerOfOrder(entry: OrderLedger | undefined, { reported, named, since }: Known) {
  const { acceptances = [], mostLiveBookings: most = 0 } = entry ?? {};
  const late = lateOf(acceptances);
  // The marketplace reported the acceptance as failed, booked it all the same, and no event about it arrived: no client
  // can know about such a booking. It is counted in the report, and not held against the order.
  const unknowable = new Set(late.filter((id) => id !== null && !reported.has(id) && !named.has(String(id))));
  const isKnowable = (id: number): boolean => !unknowable.has(id);
  const listings = (entry?.listings ?? []).filter(({ listingId }) => isKnowable(listingId));
  const liveTogether = (entry?.liveTogether ?? []).map((ids) => ids.filter(isKnowable));
  const mostLiveBookings =
    unknowable.size === 0 ? most : Math.max(Math.min(1, most), ...liveTogether.map(({ length }) => length));
  const idsOf = (isSo: (listing: LedgerListing) => boolean): string[] =>
    listings.filter(isSo).map(({ listingId }) => String(listingId));
  // The marketplace's listings cannot be listed: nobody can know one that Consign did not send, that was never booked, and
  // about which no event arrived.
  const canBeKnown = ({ createdBy, wasBooked, listingId }: LedgerListing): boolean =>
    createdBy === 'createListing' || wasBooked || reported.has(listingId);
  return {
    live: idsOf(({ isLiveBooking }) => isLiveBooking),
    delivered: idsOf(({ isLiveBooking, transitStatus }) => isLiveBooking && transitStatus === 'Delivered'),
    /** Listings on the market that a client of the marketplace can know about. */
    open: idsOf((listing) => listing.status === 'Active' && !listing.isDeleted && canBeKnown(listing)),
    openAcceptances: acceptances
      .filter(({ mayStillBook }) => mayStillBook)
      .map(({ executionId }) => executionId),
    /** The most that were live at the same time. */
    mostLiveBookings,
    mostForeseen: mostForeseen({ acceptances, mostLiveBookings, liveTogether }, since),
    bookedAfterFailing: late.length,
    /** How many of these no client could know about. They are left out above. */
    unknowable: unknowable.size,
  };
}

/** The listings that were booked after the marketplace had reported their acceptance as failed. */
const lateOf = (acceptances: readonly LedgerAcceptance[]): readonly (number | null)[] =>
  acceptances.filter(({ bookedAfterFailing }) => bookedAfterFailing).map(({ listingId }) => listingId);

type Bookings = Pick<OrderLedger, 'acceptances' | 'mostLiveBookings' | 'liveTogether'>;

/**
 * The most bookings that were live at the same time, without those that nobody could foresee: they came after the
 * marketplace had reported their acceptance as failed, and the other rate was accepted before the order knew about the
 * listing. Pure.
 */
function mostForeseen({ acceptances, mostLiveBookings, liveTogether }: Bookings, since: Known['since']) {
  const late = new Set(lateOf(acceptances));
  const acceptedOn = new Map(acceptances.map((acceptance) => [acceptance.listingId, acceptance.acceptedOn]));
  const isBookedBeside = (known: string | undefined, id: number): boolean =>
    known !== undefined && Date.parse(acceptedOn.get(id) ?? '') > Date.parse(known);
  const isForeseen = (id: number, together: readonly number[]): boolean =>
    !late.has(id) || together.some((other) => isBookedBeside(since.get(id), other));
  const counts = liveTogether.map((ids) => ids.filter((id) => isForeseen(id, ids)).length);
  return Math.max(Math.min(1, mostLiveBookings), ...counts);
}

/** Whether it was booked twice at once, although a client that knew of no other listing could prevent it. Pure. */
export const isDoublyBooked = (order: Bookings): boolean => mostForeseen(order, new Map()) > 1;

/**
 * What Consign's requests made under a reference that no order of the run has, or without one: nobody follows it. What
 * people post by hand does not count. Pure.
 * @param references those of the orders of the run
 */
export function strangersOf({ orders, unreferenced }: Ledger, references: ReadonlySet<string>) {
  return [unreferenced, ...Object.values(orders)]
    .filter(({ reference }) => !references.has(reference))
    .flatMap(({ reference, listings, acceptances }) => {
      const ours = listings.filter(({ createdBy, isDeleted }) => createdBy !== 'hand' && !isDeleted);
      const open = acceptances.filter(({ mayStillBook }) => mayStillBook);
      return [
        ...ours.map(({ listingId, status }) => `listing ${listingId} (${status})`),
        ...open.map(({ executionId }) => `acceptance ${executionId}`),
      ].map((what) => ({ reference, what }));
    });
}
