import type { Ledger, LedgerListing, OrderLedger } from '../sandbox';
import type { LedgerOfOrder, Stranger } from './order-case';

/** What was known of the listings, and by whom. */
export interface Known {
  /** The listings of which a receiver took an event. */
  readonly told: ReadonlySet<number>;
  /** Since when the order itself knew of another listing that carries its reference; ISO, by the listing's id. */
  readonly since: ReadonlyMap<number, string>;
}

/** What the judge looks at; nothing, where the ledger has no entry. Pure. */
export function ledgerOfOrder(entry: OrderLedger | undefined, { told, since }: Known): LedgerOfOrder {
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
    mostForeseen: mostForeseen({ acceptances, mostLiveBookings, liveTogether }, since),
    bookedAfterFailing: acceptances.filter(({ bookedAfterFailing }) => bookedAfterFailing).length,
  };
}

type Bookings = Pick<OrderLedger, 'acceptances' | 'mostLiveBookings' | 'liveTogether'>;

/**
 * The most bookings that were live at one moment, without those that nobody could foresee: they came after the
 * marketplace had said that their acceptance failed, and the other rate was accepted before the order knew that there
 * was a listing all the same. Pure.
 */
export function mostForeseen(
  { acceptances, mostLiveBookings, liveTogether }: Bookings,
  since: Known['since'],
): number {
  const late = new Set(
    acceptances.flatMap(({ bookedAfterFailing, listingId }) => (bookedAfterFailing ? [listingId] : [])),
  );
  const acceptedOn = new Map(acceptances.map((acceptance) => [acceptance.listingId, acceptance.acceptedOn]));
  const isBookedBeside = (known: string | undefined, id: number): boolean =>
    known !== undefined && Date.parse(acceptedOn.get(id) ?? '') > Date.parse(known);
  const isForeseen = (id: number, together: readonly number[]): boolean =>
    !late.has(id) || together.some((other) => isBookedBeside(since.get(id), other));
  const counts = liveTogether.map((ids) => ids.filter((id) => isForeseen(id, ids)).length);
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
