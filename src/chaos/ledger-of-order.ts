import type { Ledger, LedgerListing, OrderLedger } from '../sandbox';
import type { LedgerOfOrder, Stranger } from './order-case';

/**
 * What the judge looks at; nothing, where the ledger has no entry. Pure.
 * @param told the listings of which a receiver took an event
 */
export function ledgerOfOrder(entry: OrderLedger | undefined, told: ReadonlySet<number>): LedgerOfOrder {
  const { listings = [], acceptances = [], mostLiveBookings = 0, liveTogether = [] } = entry ?? {};
  const idsOf = (isSo: (listing: LedgerListing) => boolean): string[] =>
    listings.filter(isSo).map(({ listingId }) => String(listingId));
  // Nobody can list the marketplace's listings: one that we did not send, that was never booked, and of which no event
  // came, cannot be known.
  const canBeKnown = ({ createdBy, wasBooked, listingId }: LedgerListing): boolean =>
    createdBy === 'createListing' || wasBooked || told.has(listingId);
  return {
    live: idsOf(({ isLiveBooking }) => isLiveBooking),
    delivered: idsOf(({ isLiveBooking, transitStatus }) => isLiveBooking && transitStatus === 'Delivered'),
    open: idsOf((listing) => listing.status === 'Active' && !listing.isDeleted && canBeKnown(listing)),
    openAcceptances: acceptances
      .filter(({ mayStillBook }) => mayStillBook)
      .map(({ executionId }) => executionId),
    mostLiveBookings,
    mostForeseen: mostForeseen({ acceptances, mostLiveBookings, liveTogether }),
    bookedAfterFailing: acceptances.filter(({ bookedAfterFailing }) => bookedAfterFailing).length,
  };
}

/**
 * The most bookings that were live at one moment, without those that nobody could foresee: they came after the
 * marketplace had said that their acceptance failed. Pure.
 */
export function mostForeseen({
  acceptances,
  mostLiveBookings,
  liveTogether,
}: Pick<OrderLedger, 'acceptances' | 'mostLiveBookings' | 'liveTogether'>): number {
  const unforeseen = new Set(
    acceptances.flatMap(({ bookedAfterFailing, listingId }) => (bookedAfterFailing ? [listingId] : [])),
  );
  const counts = liveTogether.map((ids) => ids.filter((id) => !unforeseen.has(id)).length);
  return Math.max(Math.min(1, mostLiveBookings), ...counts);
}

/**
 * What our requests made under a reference that no order of the run has, or under none: nobody follows it. What people
 * post by hand is theirs. Pure.
 * @param references those of the orders of the run
 */
export function strangersOf({ orders, unreferenced }: Ledger, references: ReadonlySet<string>): Stranger[] {
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
