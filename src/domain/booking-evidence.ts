import { LISTING_STATUSES, TRANSIT_STATUSES, transitRank, type ListingRecord } from './listing';

/** What beside the record shows a booking, in words for people. Contacts and tracking answer 200 only once it is there. */
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

/** How far it came, in whichever place the record says so. */
const rankOf = ({ status, transitStatus }: ListingRecord): number =>
  Math.max(transitRank(transitStatus), transitRank(status));

/**
 * What besides its status shows that a record is of a booked listing, the strongest first; empty where nothing does.
 * The words are for people. While a booking request is pending, the carrier may be the one that asks.
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

/** A booking that came later than the end outlives it. */
function endedBy(record: ListingRecord, endedOn: string | null | undefined): boolean {
  return endedOn != null && (record.bookedOn === null || Date.parse(endedOn) >= Date.parse(record.bookedOn));
}

export type EvidentStanding = 'booked' | 'delivered' | 'ended' | 'unknown';

/** What a record means whose status nobody knows, or that shows none. */
export function evidentStanding(record: ListingRecord): EvidentStanding {
  const { cancellationStatus, extras } = record;
  if (cancellationStatus === 'Cancelled' || endedBy(record, extras.cancelledOn)) return 'ended';
  const isCompleted = record.completedOn !== null || record.witnesses?.includes('completedEvent') === true;
  if (isCompleted || rankOf(record) >= DELIVERED) return 'delivered';
  if (endedBy(record, extras.archivedOn)) return 'ended';
  return bookingEvidence(record).length > 0 ? 'booked' : 'unknown';
}

const MAX_WORD_LENGTH = 60;

/** What a notice about a record without a known status begins with: one for each word. */
function statusText({ status }: ListingRecord): string {
  return status === null
    ? 'the listing shows no status'
    : `status "${status.slice(0, MAX_WORD_LENGTH)}" is unknown`;
}

/** A status that says by itself what the record means. */
export const isKnownStatus = (status: string | null): boolean =>
  [...LISTING_STATUSES, ...TRANSIT_STATUSES].some((known) => known === status);

/** Tells a person that evidence and not the status decided what a record means; null where the status did. */
export function evidenceNotice(record: ListingRecord): string | null {
  if (isKnownStatus(record.status)) return null;
  const standing = evidentStanding(record);
  if (standing !== 'booked' && standing !== 'delivered') return null;
  const [why = ''] = bookingEvidence(record);
  return `${statusText(record)}; taken as ${standing} because of ${why}`;
}
