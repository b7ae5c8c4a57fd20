import type { Witness } from './booking-evidence';
import { deliveryWindowText, type DeliveryWindow } from './delivery-window';
import type { ListingExtras } from './listing-extras';
import type { Money } from './money';
import type { IsoInstant } from './shipment';

/** The order of the transit statuses; a shipment only moves forward. */
export const TRANSIT_STATUSES = ['ReadyForDispatch', 'Dispatched', 'PickedUp', 'Delivered'] as const;

/** Statuses seen so far. The list is open: Consign keeps and shows any other value, and continues. */
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
  /** The `value` of the type. A numeric type (10 is the price correlation) as digits. */
  readonly type: string;
  readonly label: string | null;
}

/** The carrier of a listing. */
export interface Carrier {
  readonly userId: string | null;
  readonly displayName: string;
}

/**
 * What Consign reads of a listing record (contract: listing record). `status` and `transitStatus` hold the known name
 * if Consign recognises one, otherwise the marketplace's word.
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
  /** Sources besides the record that show a booking; absent in a record that was just read. */
  readonly witnesses?: readonly Witness[];
  /** Postal codes of the stops in order, in the record's spelling. */
  readonly postalCodes: readonly string[];
  readonly deliveryWindow: DeliveryWindow | null;
  readonly totalWeightInGrams: number | null;
  /** Fingerprint of the API key that read the record. */
  readonly readBy?: string;
  readonly extras: ListingExtras;
}

const PRO_NUMBER_TYPE = 'ThirdPartyTracking';

/** The carrier's number for the shipment: the last one, if the record has several. */
export function proNumberOf({ referenceNumbers }: ListingRecord): string | null {
  return referenceNumbers.findLast(({ type }) => type === PRO_NUMBER_TYPE)?.number ?? null;
}

const amountOf = (money: Money | null): string =>
  money === null ? '' : `${money.currency} ${money.minorUnits}`;

/** When the goods should arrive, for people; null when the record does not say. */
export const deliveryText = ({ deliveryWindow }: Pick<ListingRecord, 'deliveryWindow'>): string | null =>
  deliveryWindow === null ? null : deliveryWindowText(deliveryWindow);

/** The parts of a record that are worth another reading when they change; for the sweep. */
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
    // These decide when the status is unknown.
    record.bookedOn,
    record.completedOn,
    record.extras.cancelledOn,
    record.extras.archivedOn,
    record.hasPendingBookingRequest === true,
    // Without the query string, whose signature may change with every reading.
    record.cancellationLink?.split(/[?#]/)[0],
  ].join('|');
}

/** Position in transit; -1 for an unknown or absent status. */
export function transitRank(status: string | null): number {
  return TRANSIT_STATUSES.findIndex((known) => known === status);
}
