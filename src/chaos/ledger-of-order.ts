import type { LedgerListing, OrderLedger } from '../sandbox';
import type { LedgerOfOrder } from './judge';

/** What the judge looks at; nothing, where the ledger has no entry. Pure. */
export function ledgerOfOrder(entry: OrderLedger | undefined): LedgerOfOrder {
  const { listings = [], acceptances = [], mostLiveBookings = 0 } = entry ?? {};
  const idsOf = (isSo: (listing: LedgerListing) => boolean): string[] =>
    listings.filter(isSo).map(({ listingId }) => String(listingId));
  return {
    live: idsOf(({ isLiveBooking }) => isLiveBooking),
    delivered: idsOf(({ isLiveBooking, transitStatus }) => isLiveBooking && transitStatus === 'Delivered'),
    open: idsOf(
      ({ status, isDeleted, createdBy }) => status === 'Active' && !isDeleted && createdBy !== 'hand',
    ),
    openAcceptances: acceptances
      .filter(({ mayStillBook }) => mayStillBook)
      .map(({ executionId }) => executionId),
    mostLiveBookings,
    bookedAfterFailing: acceptances.filter(({ bookedAfterFailing }) => bookedAfterFailing).length,
  };
}
