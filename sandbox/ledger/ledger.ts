import type { OrderHistory } from './order-history';
import type { RequestLog } from './request-log';
import {
  isLiveBooking,
  orderReferenceOf,
  type Acceptance,
  type Listing,
  type RateRequest,
} from '../model/state';
import type { Store } from '../model/store';

/** Everything that really happened for one order; the judge of "never booked twice, never lost". */
export type OrderLedger = Readonly<ReturnType<typeof writeOrder>>;
/** One listing of an order, whoever made it. */
export type LedgerListing = Readonly<ReturnType<typeof writeListing>>;
/** One rate request of an order. */
export type LedgerRateRequest = Readonly<ReturnType<typeof writeRateRequest>>;
/** One acceptance of a rate of an order. */
export type LedgerAcceptance = Readonly<ReturnType<typeof writeAcceptance>>;

/** What really happened for all orders. */
export type Ledger = Readonly<ReturnType<typeof writeLedger>>;

interface Sources {
  readonly store: Store;
  readonly history: OrderHistory;
  readonly requests: RequestLog;
}

export function writeLedger({ store, history, requests }: Sources) {
  const groups = groupByOrder(store);
  const references = new Set(Object.values(groups).flatMap((group) => [...group.keys()]));
  references.delete('');
  const write = (reference: string): OrderLedger => writeOrder(reference, history, groups);
  return {
    orders: Object.fromEntries([...references].map((reference) => [reference, write(reference)])),
    /** What carries no ThirdPartyOrderNumber, grouped all the same. */
    unreferenced: write(''),
    /** How often each endpoint was asked. */
    requests: Object.fromEntries(requests.counts),
    /** How many troubles struck requests of each endpoint. */
    troubleHits: Object.fromEntries(history.troubleCounts),
  };
}

/** An order of which nothing was created has an empty entry. */
export const findOrder = ({ store, history }: Sources, reference: string): OrderLedger =>
  writeOrder(reference, history, groupByOrder(store));

const referenceOf = ({ draft }: Listing | RateRequest): string => orderReferenceOf(draft.referenceNumbers);

const groupByOrder = ({ listings, rateRequests, acceptances }: Store) => ({
  listings: groupBy(listings, referenceOf),
  rateRequests: groupBy(rateRequests, referenceOf),
  acceptances: groupBy(acceptances, ({ rate }) => referenceOf(rate.request)),
});

function groupBy<Value>(values: ReadonlyMap<unknown, Value>, keyOf: (value: Value) => string) {
  const groups = new Map<string, Value[]>();
  for (const value of values.values()) {
    const group = groups.get(keyOf(value)) ?? [];
    group.push(value);
    groups.set(keyOf(value), group);
  }
  return groups;
}

function writeOrder(reference: string, history: OrderHistory, groups: ReturnType<typeof groupByOrder>) {
  const { mostLive, together, troubles } = history.of(reference);
  const listings = groups.listings.get(reference) ?? [];
  const acceptances = groups.acceptances.get(reference) ?? [];
  return {
    reference,
    /** Listings that are booked or completed and were not cancelled: more than one is a double booking. */
    liveBookings: listings.filter(isLiveBooking).length,
    /** The most of them that were live at one moment, also when one was cancelled since. */
    mostLiveBookings: mostLive,
    /** Which were live at the same time: every set of two or more, by their listings. */
    liveTogether: [...together.values()],
    /** Listings ever created, booked, cancelled and delivered. */
    created: listings.length,
    booked: listings.filter(({ counts }) => counts.booked > 0).length,
    cancelled: listings.filter(({ counts }) => counts.cancelled > 0).length,
    delivered: listings.filter(({ counts }) => counts.delivered > 0).length,
    /** Listings on the market that a carrier may still take. */
    openListings: listings.filter((listing) => listing.status === 'Active' && listing.deletedOn === undefined)
      .length,
    pendingAcceptances: acceptances.filter(({ outcome }) => outcome === 'pending').length,
    /** Acceptances that may yet be booked, whatever their status says. */
    openAcceptances: acceptances.filter(mayStillBook).length,
    images: listings.reduce((sum, listing) => sum + countImages(listing), 0),
    listings: listings.map(writeListing),
    deletedListings: listings.flatMap(({ deletedOn, listingId }) =>
      deletedOn === undefined ? [] : [listingId],
    ),
    rateRequests: (groups.rateRequests.get(reference) ?? []).map(writeRateRequest),
    acceptances: acceptances.map(writeAcceptance),
    /** The troubles that struck requests about this order. */
    troubles,
  };
}

const writeRateRequest = (request: RateRequest) => ({
  id: request.id,
  account: request.account.name,
  createdOn: request.createdOn.toISOString(),
  rates: request.rates.length,
  /** Those of them that the carrier took back. */
  withdrawnRates: request.rates.filter(({ withdrawnOn }) => withdrawnOn !== undefined).length,
  thirdPartyId: request.thirdParty?.identity ?? null,
  silentBecause: request.silentBecause ?? null,
});

/** One whose carrier never answers is open too: nobody but the sandbox knows that it never will. */
const mayStillBook = ({ outcome, isToBook }: Acceptance): boolean =>
  outcome === 'pending' || isToBook === true;

export function writeAcceptance(acceptance: Acceptance) {
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
    /** Its status had said that it failed, and then its listing was booked. */
    bookedAfterFailing: course.startsWith('failed') && listing !== undefined && listing.counts.booked > 0,
  };
}

const countImages = (listing: Listing): number =>
  listing.files.filter(({ attachmentType }) => attachmentType === 'Image').length;

export function writeListing(listing: Listing) {
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
    /** The kinds of trouble that have befallen it, the first first. */
    troubles: [...listing.troubles],
    priceCorrections: listing.priceAdjustments.length,
  };
}

/** The judgement over all orders that carry a reference. */
export type Verdict = Readonly<ReturnType<typeof judge>>;

/** Clean: no order was ever booked twice, and none keeps a listing on the market beside its booking. */
export function judge({ orders }: Ledger) {
  const all = Object.values(orders);
  const named = (isSo: (order: OrderLedger) => boolean): string[] =>
    all.filter(isSo).map(({ reference }) => reference);
  const doubleBooked = named(({ mostLiveBookings }) => mostLiveBookings > 1);
  const strayListings = named(({ liveBookings, openListings }) => liveBookings > 0 && openListings > 0);
  return {
    isClean: doubleBooked.length === 0 && strayListings.length === 0,
    orders: all.length,
    /** Orders with more than one booking live at one moment, now or ever. */
    doubleBooked,
    withoutBooking: named(({ liveBookings }) => liveBookings === 0),
    /** Orders with a live booking and another listing that a carrier may still take. */
    strayListings,
    pending: named(({ pendingAcceptances }) => pendingAcceptances > 0),
  };
}
