import type { Witness } from './booking-evidence';
import { deliveryWindowText, type DeliveryWindow } from './delivery-window';
import type { ListingExtras } from './listing-extras';
import type { Money } from './money';
import type { IsoInstant } from './shipment';

/** Order of the transit statuses; a shipment only ever moves forward along it. */
export const TRANSIT_STATUSES = ['ReadyForDispatch', 'Dispatched', 'PickedUp', 'Delivered'] as const;

/** Statuses seen so far. The list is open: any other value is kept, shown, and stops nothing. */
export const LISTING_STATUSES = [
  'Saved',
  'Active',
  'OnHold',
  'Booked',
  'Completed',
  'Closed',
  'Cancelled',
  'Expired',
  'Archived',
] as const;

/** A reference number of the listing record. */
export interface ReferenceNumber {
  readonly number: string;
  /** The `value` of the type; a numeric type (10, the price correlation) as its digits. */
  readonly type: string;
  readonly label: string | null;
}

/** The carrier of a listing. */
export interface Carrier {
  readonly userId: string | null;
  readonly displayName: string;
}

/**
 * What Consign reads of the marketplace's record (contract: listing record). `status` and `transitStatus` are the known
 * names where one is recognised, and else the word as it came.
 */
export interface ListingRecord {
  readonly listingId: string;
  readonly title: string;
  readonly status: string | null;
  readonly transitStatus: string | null;
  readonly paymentStatus: string | null;
  readonly cancellationStatus: string | null;
  readonly hasPendingBookingRequest: boolean | null;
  readonly carrier: Carrier | null;
  readonly billOfLadingNumber: string | null;
  readonly namedPrice: Money | null;
  readonly acceptedPrice: Money | null;
  readonly totalCost: Money | null;
  readonly cancellationLink: string | null;
  readonly bookedOn: IsoInstant | null;
  readonly completedOn: IsoInstant | null;
  readonly expiresOn: IsoInstant | null;
  readonly lastUpdatedOn: IsoInstant | null;
  readonly checksum: string | null;
  readonly referenceNumbers: readonly ReferenceNumber[];
  /** What beside the record shows a booking; absent in a record as it was read. */
  readonly witnesses?: readonly Witness[];
  /** Postal codes of the stops in their order, as the record spells them. */
  readonly postalCodes: readonly string[];
  readonly deliveryWindow: DeliveryWindow | null;
  readonly totalWeightInGrams: number | null;
  /** Fingerprint of the key that read it. */
  readonly readBy?: string;
  readonly extras: ListingExtras;
}

const PRO_NUMBER_TYPE = 'ThirdPartyTracking';

/** The number by which the carrier knows the shipment; the last one where the record names several. */
export function proNumberOf({ referenceNumbers }: ListingRecord): string | null {
  return referenceNumbers.findLast(({ type }) => type === PRO_NUMBER_TYPE)?.number ?? null;
}

const amountOf = (money: Money | null): string =>
  money === null ? '' : `${money.currency} ${money.minorUnits}`;

/** When the goods are to arrive, for people; null when the record does not say. */
export const deliveryText = ({ deliveryWindow }: Pick<ListingRecord, 'deliveryWindow'>): string | null =>
  deliveryWindow === null ? null : deliveryWindowText(deliveryWindow);

/** What of a record is worth another reading when it changes, for the sweep. */
export function listingFingerprint(record: ListingRecord): string {
  return [
    record.status,
    record.transitStatus,
    record.paymentStatus,
    record.cancellationStatus,
    record.carrier?.displayName,
    record.billOfLadingNumber,
    amountOf(record.namedPrice),
    amountOf(record.totalCost),
    amountOf(record.acceptedPrice),
    record.referenceNumbers.length,
    proNumberOf(record),
    record.expiresOn,
    deliveryText(record),
    // With a status that nobody knows, these decide.
    record.bookedOn,
    record.completedOn,
    record.extras.cancelledOn,
    record.extras.archivedOn,
    record.hasPendingBookingRequest === true,
    // Without its query, which may be signed anew for every reading.
    record.cancellationLink?.split(/[?#]/)[0],
  ].join('|');
}

/** Position in transit, or -1 for a status that is unknown or absent. */
export function transitRank(status: string | null): number {
  return TRANSIT_STATUSES.findIndex((known) => known === status);
}
