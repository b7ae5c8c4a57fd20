import type { LedgerListing, OrderLedger } from '../sandbox';
import type { LedgerOfOrder } from './judge';

/**
 * What the judge looks at; nothing, where the ledger has no entry. Pure.
 * @param told the listings of which a receiver took an event
 */
export function ledgerOfOrder(entry: OrderLedger | undefined, told: ReadonlySet<number>): LedgerOfOrder {
  const { listings = [], acceptances = [], mostLiveBookings = 0 } = entry ?? {};
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
    bookedAfterFailing: acceptances.filter(({ bookedAfterFailing }) => bookedAfterFailing).length,
  };
}
