import type { Listing, ReferenceNumber } from './state';
import type { Store } from './store';

/** Everything that really happened for one order; the judge of "never booked twice, never lost". */
export interface OrderLedger {
  readonly reference: string;
  /** Listings that are booked or completed and were not cancelled: more than one is a double booking. */
  readonly liveBookings: number;
  /** Listings on the market that a carrier may still take. */
  readonly openListings: number;
  readonly pendingAcceptances: number;
  readonly images: number;
  readonly listings: readonly LedgerListing[];
  readonly deletedListings: readonly number[];
  readonly rateRequests: readonly LedgerRateRequest[];
  readonly acceptances: readonly LedgerAcceptance[];
}

export interface LedgerListing {
  readonly listingId: number;
  readonly account: string;
  readonly createdBy: 'createListing' | 'acceptance';
  readonly status: string;
  readonly transitStatus: string | null;
  readonly hasPendingBookingRequest: boolean;
  readonly isLiveBooking: boolean;
  readonly isDeleted: boolean;
  readonly wasBooked: boolean;
  readonly images: number;
  readonly price: number;
  readonly priceKind: 'namedPrice' | 'offerPrice' | null;
  readonly rateId: string | null;
  readonly executionId: string | null;
  readonly referenceNumbers: readonly ReferenceNumber[];
  readonly createdOn: string;
}

export interface LedgerRateRequest {
  readonly id: string;
  readonly account: string;
  readonly createdOn: string;
  readonly rates: number;
  readonly thirdPartyId: string | null;
  readonly silentBecause: string | null;
}

export interface LedgerAcceptance {
  readonly executionId: string;
  readonly rateId: string;
  readonly rateRequestId: string;
  readonly carrier: string;
  readonly outcome: 'pending' | 'booked' | 'failed';
  readonly listingId: number | null;
  readonly acceptedOn: string;
}

export interface Ledger {
  readonly orders: Readonly<Record<string, OrderLedger>>;
  /** What carries no ThirdPartyOrderNumber, grouped all the same. */
  readonly unreferenced: OrderLedger;
  /** How often each endpoint was asked. */
  readonly requests: Readonly<Record<string, number>>;
}

export const isLiveBooking = (listing: Listing): boolean =>
  listing.bookedOn !== undefined && listing.cancelledOn === undefined && listing.deletedOn === undefined;

const isOpen = (listing: Listing): boolean => listing.status === 'Active' && listing.deletedOn === undefined;

const orderReferenceOf = (references: readonly ReferenceNumber[]): string =>
  references.find(({ type }) => type === 'ThirdPartyOrderNumber')?.number ?? '';

export function writeLedger(store: Store, requests: Readonly<Record<string, number>>): Ledger {
  const references = new Set<string>();
  for (const { draft } of [...store.listings.values(), ...store.rateRequests.values()])
    references.add(orderReferenceOf(draft.referenceNumbers));
  references.delete('');
  return {
    orders: Object.fromEntries([...references].map((reference) => [reference, writeOrder(store, reference)])),
    unreferenced: writeOrder(store, ''),
    requests,
  };
}

/** An order of which nothing was created has an empty entry. */
export function writeOrder(store: Store, reference: string): OrderLedger {
  const isMine = ({ draft }: { draft: { referenceNumbers: readonly ReferenceNumber[] } }): boolean =>
    orderReferenceOf(draft.referenceNumbers) === reference;
  const listings = [...store.listings.values()].filter(isMine);
  const rateRequests = [...store.rateRequests.values()].filter(isMine);
  const acceptances = [...store.acceptances.values()].filter(({ rate }) => isMine(rate.request));
  return {
    reference,
    liveBookings: listings.filter(isLiveBooking).length,
    openListings: listings.filter(isOpen).length,
    pendingAcceptances: acceptances.filter(({ outcome }) => outcome === 'pending').length,
    images: listings.reduce((sum, listing) => sum + countImages(listing), 0),
    listings: listings.map(writeListing),
    deletedListings: listings
      .filter(({ deletedOn }) => deletedOn !== undefined)
      .map(({ listingId }) => listingId),
    rateRequests: rateRequests.map((request) => ({
      id: request.id,
      account: request.account.name,
      createdOn: request.createdOn.toISOString(),
      rates: request.rates.length,
      thirdPartyId: request.thirdParty?.identity ?? null,
      silentBecause: request.silentBecause ?? null,
    })),
    acceptances: acceptances.map(({ executionId, rate, outcome, listing, acceptedOn }) => ({
      executionId,
      rateId: rate.id,
      rateRequestId: rate.request.id,
      carrier: rate.carrier.displayName,
      outcome,
      listingId: listing?.listingId ?? null,
      acceptedOn: acceptedOn.toISOString(),
    })),
  };
}

const countImages = (listing: Listing): number =>
  listing.files.filter(({ attachmentType }) => attachmentType === 'Image').length;

export function writeListing(listing: Listing): LedgerListing {
  return {
    listingId: listing.listingId,
    account: listing.account.name,
    createdBy: listing.createdBy,
    status: listing.status,
    transitStatus: listing.transitStatus ?? null,
    hasPendingBookingRequest: listing.hasPendingBookingRequest,
    isLiveBooking: isLiveBooking(listing),
    isDeleted: listing.deletedOn !== undefined,
    wasBooked: listing.bookedOn !== undefined,
    images: countImages(listing),
    price: listing.price.amount,
    priceKind: listing.draft.pricing?.kind ?? null,
    rateId: listing.rateId ?? null,
    executionId: listing.executionId ?? null,
    referenceNumbers: listing.draft.referenceNumbers,
    createdOn: listing.createdOn.toISOString(),
  };
}
