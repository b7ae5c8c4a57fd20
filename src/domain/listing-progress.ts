import { evidenceNotice, evidentStanding, type EvidentStanding } from './booking-evidence';
import { addWarning } from './bounded-state';
import { LIST_LIMITS } from './bounds';
import { withWitnesses } from './candidates';
import { boundedListing } from './bounded-record';
import { formatMoney } from './money';
import { deliveryText, proNumberOf, transitRank, type Carrier, type ListingRecord } from './listing';
import { clearMissingPaper } from './missing-papers';
import type { IsoInstant } from './shipment';
import { enterPhase, isBooked, addTimeline, type ShipmentState } from './shipment-state';
import { countUnknownOfListing } from './unknown-values';

/**
 * Fingerprint of the last reading of the followed listing. Null before its first reading, because what an earlier
 * listing showed says nothing.
 */
export function seenOf({ listing, seenFingerprint }: ShipmentState): string | null {
  return listing === null ? null : seenFingerprint;
}

/**
 * `open`: on the market. `held`: on hold; a booking remains. `lapsed`: not booked in time; it may return to the
 * market. `ended`: never ships. `unknown`: the status is unknown and nothing else decides.
 */
export type ListingStanding = 'open' | 'held' | 'lapsed' | EvidentStanding;

/**
 * What a record means for the booking. A known status decides; without one, evidence of a booking does.
 *
 * A known status wins over the evidence: a listing that is Active again keeps the date, carrier and papers of the
 * booking that was given up.
 *
 * The shipper can read Completed while the carrier still sees Booked; Consign reads as the shipper.
 */
export function listingStanding(record: ListingRecord): ListingStanding {
  // A cancelled listing is over, however far the shipment came.
  if (record.status === 'Cancelled') return 'ended';
  if (record.transitStatus === 'Delivered' || record.status === 'Completed') return 'delivered';
  switch (record.status) {
    case 'Booked':
      return 'booked';
    case 'Expired':
      return 'lapsed';
    case 'Closed':
    case 'Archived':
      return 'ended';
    case 'Active':
    case 'Saved':
      return 'open';
    case 'OnHold':
      return 'held';
    default:
      return evidentStanding(record);
  }
}

export const isBookedOrDelivered = (record: ListingRecord): boolean =>
  ['booked', 'delivered'].includes(listingStanding(record));

/**
 * Whether a carrier may still book the listing, now or when it is on the market again. With an unknown status a
 * carrier may.
 */
export const canBeBooked = (record: ListingRecord): boolean =>
  ['open', 'held', 'lapsed', 'unknown'].includes(listingStanding(record));

const HEADLINE: Record<string, string> = {
  ReadyForDispatch: 'ready for dispatch',
  Dispatched: 'dispatched',
  PickedUp: 'picked up',
  Delivered: 'delivered',
};

/** The further of two transit statuses. An unknown status never replaces a known one. */
function furtherTransit(before: string | null, now: string | null): string | null {
  if (transitRank(now) < 0) return transitRank(before) >= 0 ? before : now;
  return transitRank(now) >= transitRank(before) ? now : before;
}

function notePrice(state: ShipmentState, record: ListingRecord, at: IsoInstant): ShipmentState {
  const before = state.listing?.totalCost ?? null;
  const now = record.totalCost;
  if (before === null || now === null) return state;
  if (before.minorUnits === now.minorUnits && before.currency === now.currency) return state;
  const text = `price corrected from ${formatMoney(before)} to ${formatMoney(now)}`;
  const noted = addTimeline(state, at, text);
  // After delivery the shipper has 72 business hours to dispute a correction. One reading can show both.
  return state.at.phase === 'delivered' || listingStanding(record) === 'delivered'
    ? addWarning(noted, `${text} after delivery; it can be disputed for 72 business hours`)
    : noted;
}

/** A booking on hold stays booked. A person must know, and may ask the marketplace why. */
function noteStatus(state: ShipmentState, status: string, at: IsoInstant): ShipmentState {
  const text = `listing is ${status}`;
  const noted = addTimeline(state, at, text);
  return status === 'OnHold' && isBooked(state)
    ? addWarning(noted, `${text}: the marketplace holds the shipment up`)
    : noted;
}

/** The first reading shows the delivery that the order asked for, which is no news. */
function noteDelivery(state: ShipmentState, record: ListingRecord, at: IsoInstant): ShipmentState {
  const now = deliveryText(record);
  if (state.listing === null || now === null || now === deliveryText(state.listing)) return state;
  const text = `the delivery is ${now} now`;
  return addWarning(addTimeline(state, at, text), text);
}

/** One notice for each status, because Consign may have misunderstood the status. */
function noteEvidence(state: ShipmentState, record: ListingRecord): ShipmentState {
  const notice = evidenceNotice(record);
  if (notice === null || state.toldStatuses.includes(record.status)) return state;
  const toldStatuses = [...state.toldStatuses, record.status].slice(-LIST_LIMITS.toldStatuses.count);
  return addWarning({ ...state, toldStatuses }, notice);
}

const withCarrier = ({ carrier }: ListingRecord): string =>
  carrier === null ? '' : ` with ${carrier.displayName}`;

function isAnotherBooking(before: ListingRecord | null, now: ListingRecord): boolean {
  const nameOf = (carrier: Carrier | null): string | null => carrier?.userId ?? carrier?.displayName ?? null;
  const differ = (a: string | null, b: string | null): boolean => a !== null && b !== null && a !== b;
  return (
    before !== null &&
    (differ(before.billOfLadingNumber, now.billOfLadingNumber) ||
      differ(nameOf(before.carrier), nameOf(now.carrier)))
  );
}

/** Papers belong to one booking: the next carrier's papers are different. */
function renewBooking(state: ShipmentState, record: ListingRecord, at: IsoInstant): ShipmentState {
  if (state.at.phase !== 'booked' && state.at.phase !== 'inTransit') return state;
  const found = clearMissingPaper(clearMissingPaper(state, 'billOfLading'), 'contacts');
  const withoutPapers = { ...found, billOfLading: null, contacts: null };
  // The carrier gave the booking up, and the listing is on the market again.
  if (listingStanding(record) === 'open') return { ...withoutPapers, bookedAt: null };
  if (!isBookedOrDelivered(record)) return state;
  if (state.bookedAt !== null && !isAnotherBooking(state.listing, record)) return state;
  return addTimeline({ ...withoutPapers, bookedAt: at }, at, `booked anew${withCarrier(record)}`);
}

function move(state: ShipmentState, record: ListingRecord, at: IsoInstant): ShipmentState {
  const listingId = record.listingId;
  const isDelivered = listingStanding(record) === 'delivered';
  let next = renewBooking(state, record, at);
  if (next.at.phase === 'awaitingBooking' && isBookedOrDelivered(record)) {
    next = addTimeline(
      enterPhase({ ...next, bookedAt: at }, { phase: 'booked', listingId }),
      at,
      `booked${withCarrier(record)}`,
    );
  }
  if (
    next.at.phase === 'booked' &&
    (transitRank(record.transitStatus) >= transitRank('PickedUp') || isDelivered)
  ) {
    next = enterPhase(next, { phase: 'inTransit', listingId });
  }
  if (next.at.phase === 'inTransit' && isDelivered) {
    next = enterPhase(next, { phase: 'delivered', listingId, deliveredAt: at, readsOnSince: null });
  }
  return next;
}

/**
 * Applies a reading of the listing. Readings may come in any order and any number: phases and transit only move
 * forward, so every order leads to the same state.
 */
export function applyListing(state: ShipmentState, read: ListingRecord, at: IsoInstant): ShipmentState {
  const record = boundedListing(read);
  const before = state.listing;
  const transitStatus = furtherTransit(before?.transitStatus ?? null, record.transitStatus);
  // A record without delivery days does not delete known ones.
  const deliveryWindow = record.deliveryWindow ?? before?.deliveryWindow ?? null;
  const merged = withWitnesses({ ...record, transitStatus, deliveryWindow }, state);
  let next = notePrice(noteEvidence(countUnknownOfListing(state, record, at), merged), record, at);
  next = move(noteDelivery(next, record, at), merged, at);
  if (before !== null && before.status !== record.status && record.status !== null) {
    next = noteStatus(next, record.status, at);
  }
  if (transitRank(transitStatus) > transitRank(before?.transitStatus ?? null) && transitStatus !== null) {
    next = addTimeline(next, at, HEADLINE[transitStatus] ?? transitStatus);
  }
  const proNumber = proNumberOf(record);
  if (proNumber !== null && (before === null || proNumberOf(before) !== proNumber))
    next = addTimeline(next, at, `PRO number ${proNumber}`);
  const isOnTruck = transitRank(transitStatus) >= transitRank('PickedUp');
  return { ...next, listing: merged, pickedUpAt: next.pickedUpAt ?? (isOnTruck ? at : null) };
}

/** Whether a listing that could not be deleted is over. An expired booking also counts. */
export function isOver(record: ListingRecord, wasBooked: boolean): boolean {
  const standing = listingStanding(record);
  return standing === 'ended' || (standing === 'lapsed' && wasBooked);
}

/** Whether the booking is gone or will never come: a person must decide what happens next. */
export function hasEnded({ at, listing }: ShipmentState): boolean {
  if (listing === null) return false;
  const standing = listingStanding(listing);
  if (at.phase === 'awaitingBooking') return standing === 'ended' || standing === 'lapsed';
  if (at.phase !== 'booked' && at.phase !== 'inTransit') return false;
  // A cancelled booking reads Cancelled, or Active again when the listing was reopened.
  return ['ended', 'lapsed', 'open'].includes(standing);
}
