import { LISTING_STATUSES, TRANSIT_STATUSES, transitRank, type ListingRecord } from './listing';

/**
 * What shows a booking besides the record, in words for people. The marketplace has contacts and tracking only for a
 * booked listing.
 */
export const WITNESSES = {
  contacts: 'its contacts',
  tracking: 'its tracking',
  bookedEvent: 'an event that says it is booked',
  completedEvent: 'an event that says it is completed',
  person: 'what a person said',
} as const;
/** A fact of a listing record that shows a booking. */
export type Witness = keyof typeof WITNESSES;

const DELIVERED = transitRank('Delivered');

/** How far the shipment came, by whichever field of the record is further. */
const rankOf = ({ status, transitStatus }: ListingRecord): number =>
  Math.max(transitRank(transitStatus), transitRank(status));

/**
 * What shows, besides its status, that a record is of a booked listing: the strongest first, empty if nothing does.
 * The words are for people. While a booking request is pending, the carrier that the record names may only be asking.
 */
export function bookingEvidence(record: ListingRecord): readonly string[] {
  const rank = rankOf(record);
  const facts: readonly (readonly [boolean, string])[] = [
    [record.completedOn !== null, 'its completedOn date'],
    [rank >= 0, `its transit status ${TRANSIT_STATUSES[rank] ?? ''}`],
    [record.bookedOn !== null, 'its bookedOn date'],
    [record.billOfLadingNumber !== null, 'its bill-of-lading number'],
    [record.carrier !== null && record.hasPendingBookingRequest !== true, 'its carrier'],
  ];
  const witnesses = (record.witnesses ?? []).map((witness) => WITNESSES[witness]);
  return [...facts.flatMap(([holds, words]) => (holds ? [words] : [])), ...witnesses];
}

/** An end does not count when a later booking followed it. */
function endedBy(record: ListingRecord, endedOn: string | null | undefined): boolean {
  return endedOn != null && (record.bookedOn === null || Date.parse(endedOn) >= Date.parse(record.bookedOn));
}

export type EvidentStanding = 'booked' | 'delivered' | 'ended' | 'unknown';

/** What a record means when its status is unknown or absent. */
export function evidentStanding(record: ListingRecord): EvidentStanding {
  const { cancellationStatus, extras } = record;
  if (cancellationStatus === 'Cancelled' || endedBy(record, extras.cancelledOn)) return 'ended';
  const isCompleted = record.completedOn !== null || record.witnesses?.includes('completedEvent') === true;
  if (isCompleted || rankOf(record) >= DELIVERED) return 'delivered';
  if (endedBy(record, extras.archivedOn)) return 'ended';
  return bookingEvidence(record).length > 0 ? 'booked' : 'unknown';
}

const MAX_WORD_LENGTH = 60;

/** Start of the notice about a record without a known status; each status has its own. */
function statusText({ status }: ListingRecord): string {
  return status === null
    ? 'the listing shows no status'
    : `status "${status.slice(0, MAX_WORD_LENGTH)}" is unknown`;
}

/** A status that is clear without further evidence. */
export const isKnownStatus = (status: string | null): boolean =>
  [...LISTING_STATUSES, ...TRANSIT_STATUSES].some((known) => known === status);

/** The notice that evidence, not the status, decided what a record means; null when the status decided. */
export function evidenceNotice(record: ListingRecord): string | null {
  if (isKnownStatus(record.status)) return null;
  const standing = evidentStanding(record);
  if (standing !== 'booked' && standing !== 'delivered') return null;
  const [why = ''] = bookingEvidence(record);
  return `${statusText(record)}; taken as ${standing} because of ${why}`;
}
