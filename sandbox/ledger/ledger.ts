import type { TroubleHit, OrderHistory } from './order-history';
import { isLiveBooking, orderReferenceOf } from '../model/references';
import type { Acceptance, Listing, ListingDraft, RateRequest, ReferenceNumber } from '../model/state';
import type { Store } from '../model/store';

/** Everything that really happened for one order; the judge of "never booked twice, never lost". */
export interface OrderLedger {
  readonly reference: string;
  /** Listings that are booked or completed and were not cancelled: more than one is a double booking. */
  readonly liveBookings: number;
  /** The most of them that were live at one moment, also when one was cancelled since. */
  readonly mostLiveBookings: number;
  /** Which were live at the same time: every set of two or more, by their listings. */
  readonly liveTogether: readonly (readonly number[])[];
  /** Listings ever created, booked, cancelled and delivered. */
  readonly created: number;
  readonly booked: number;
  readonly cancelled: number;
  readonly delivered: number;
  /** Listings on the market that a carrier may still take. */
  readonly openListings: number;
  readonly pendingAcceptances: number;
  /** Acceptances that may yet be booked, whatever their status says. */
  readonly openAcceptances: number;
  readonly images: number;
  readonly listings: readonly LedgerListing[];
  readonly deletedListings: readonly number[];
  readonly rateRequests: readonly LedgerRateRequest[];
  readonly acceptances: readonly LedgerAcceptance[];
  /** The troubles that struck requests about this order. */
  readonly troubles: readonly TroubleHit[];
}

export interface LedgerListing {
  readonly listingId: number;
  readonly account: string;
  readonly createdBy: 'createListing' | 'acceptance' | 'hand';
  readonly status: string;
  readonly transitStatus: string | null;
  readonly hasPendingBookingRequest: boolean;
  readonly isLiveBooking: boolean;
  readonly isDeleted: boolean;
  readonly wasBooked: boolean;
  readonly timesBooked: number;
  readonly images: number;
  readonly price: number;
  readonly priceKind: 'namedPrice' | 'offerPrice' | null;
  readonly rateId: string | null;
  readonly executionId: string | null;
  readonly referenceNumbers: readonly ReferenceNumber[];
  readonly createdOn: string;
  /** The kinds of trouble that have befallen it, the first first. */
  readonly troubles: readonly string[];
  readonly priceCorrections: number;
}

export interface LedgerRateRequest {
  readonly id: string;
  readonly account: string;
  readonly createdOn: string;
  readonly rates: number;
  /** Those of them that the carrier took back. */
  readonly withdrawnRates: number;
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
  readonly mayStillBook: boolean;
  /** Its status had said that it failed, and then its listing was booked. */
  readonly bookedAfterFailing: boolean;
}

export interface Ledger {
  readonly orders: Readonly<Record<string, OrderLedger>>;
  /** What carries no ThirdPartyOrderNumber, grouped all the same. */
  readonly unreferenced: OrderLedger;
  /** How often each endpoint was asked. */
  readonly requests: Readonly<Record<string, number>>;
  /** How many troubles struck requests of each endpoint. */
  readonly troubleHits: Readonly<Record<string, number>>;
}

const isOpen = (listing: Listing): boolean => listing.status === 'Active' && listing.deletedOn === undefined;

interface Happenings {
  readonly listings: Listing[];
  readonly rateRequests: RateRequest[];
  readonly acceptances: Acceptance[];
}

export function writeLedger(
  store: Store,
  history: OrderHistory,
  requests: Readonly<Record<string, number>>,
): Ledger {
  const grouped = groupByOrder(store);
  const references = new Set(grouped.keys());
  references.delete('');
  const orders = [...references].map((reference) => [
    reference,
    writeOrder(reference, history, grouped.get(reference)),
  ]);
  return {
    orders: Object.fromEntries(orders),
    unreferenced: writeOrder('', history, grouped.get('')),
    requests,
    troubleHits: history.troubleCounts(),
  };
}

/** An order of which nothing was created has an empty entry. */
export const findOrder = (store: Store, history: OrderHistory, reference: string): OrderLedger =>
  writeOrder(reference, history, groupByOrder(store).get(reference));

function groupByOrder(store: Store): Map<string, Happenings> {
  const grouped = new Map<string, Happenings>();
  const groupOf = ({ draft }: { draft: ListingDraft }): Happenings => {
    const reference = orderReferenceOf(draft.referenceNumbers);
    const group = grouped.get(reference) ?? { listings: [], rateRequests: [], acceptances: [] };
    grouped.set(reference, group);
    return group;
  };
  for (const listing of store.listings.values()) groupOf(listing).listings.push(listing);
  for (const request of store.rateRequests.values()) groupOf(request).rateRequests.push(request);
  for (const acceptance of store.acceptances.values())
    groupOf(acceptance.rate.request).acceptances.push(acceptance);
  return grouped;
}

function writeOrder(
  reference: string,
  history: OrderHistory,
  { listings, rateRequests, acceptances }: Happenings = { listings: [], rateRequests: [], acceptances: [] },
): OrderLedger {
  return {
    reference,
    liveBookings: listings.filter(isLiveBooking).length,
    mostLiveBookings: history.mostLiveBookings(reference),
    liveTogether: history.liveTogether(reference),
    created: listings.length,
    booked: listings.filter(({ counts }) => counts.booked > 0).length,
    cancelled: listings.filter(({ counts }) => counts.cancelled > 0).length,
    delivered: listings.filter(({ counts }) => counts.delivered > 0).length,
    openListings: listings.filter(isOpen).length,
    pendingAcceptances: acceptances.filter(({ outcome }) => outcome === 'pending').length,
    openAcceptances: acceptances.filter(mayStillBook).length,
    images: listings.reduce((sum, listing) => sum + countImages(listing), 0),
    listings: listings.map(writeListing),
    deletedListings: listings.flatMap(({ deletedOn, listingId }) =>
      deletedOn === undefined ? [] : [listingId],
    ),
    rateRequests: rateRequests.map(writeRateRequest),
    acceptances: acceptances.map(writeAcceptance),
    troubles: history.troubles(reference),
  };
}

const writeRateRequest = (request: RateRequest): LedgerRateRequest => ({
  id: request.id,
  account: request.account.name,
  createdOn: request.createdOn.toISOString(),
  rates: request.rates.length,
  withdrawnRates: request.rates.filter(({ withdrawnOn }) => withdrawnOn !== undefined).length,
  thirdPartyId: request.thirdParty?.identity ?? null,
  silentBecause: request.silentBecause ?? null,
});

/** One whose carrier never answers is open too: nobody but the sandbox knows that it never will. */
const mayStillBook = ({ outcome, isToBook }: Acceptance): boolean =>
  outcome === 'pending' || isToBook === true;

const SAYS_FAILED_FIRST: ReadonlySet<Acceptance['course']> = new Set([
  'failedThenBooked',
  'failedLeavingListing',
]);

export function writeAcceptance(acceptance: Acceptance): LedgerAcceptance {
  const { executionId, rate, outcome, listing, acceptedOn, course } = acceptance;
  return {
    executionId,
    rateId: rate.id,
    rateRequestId: rate.request.id,
    carrier: rate.carrier.displayName,
    outcome,
    listingId: listing?.listingId ?? null,
    acceptedOn: acceptedOn.toISOString(),
    mayStillBook: mayStillBook(acceptance),
    bookedAfterFailing: SAYS_FAILED_FIRST.has(course) && listing !== undefined && listing.counts.booked > 0,
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
    wasBooked: listing.counts.booked > 0,
    timesBooked: listing.counts.booked,
    images: countImages(listing),
    price: listing.price.amount,
    priceKind: listing.draft.pricing?.kind ?? null,
    rateId: listing.rateId ?? null,
    executionId: listing.executionId ?? null,
    referenceNumbers: listing.draft.referenceNumbers,
    createdOn: listing.createdOn.toISOString(),
    troubles: [...listing.troubles],
    priceCorrections: listing.priceAdjustments.length,
  };
}
