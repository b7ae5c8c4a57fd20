import { boundedListing } from '../../domain/bounded-record';
import { toDeliveryWindow, type DeliveryWindow } from '../../domain/delivery-window';
import type { Carrier, ListingRecord } from '../../domain/listing';
import {
  recogniseListingStatus,
  recogniseProgress,
  recogniseTransitStatus,
  shownWord,
  type StatusNames,
} from '../../domain/listing-status';
import type { ListingRecordWire } from '../schemas/listings';
import type { MarketplaceSettings } from '../settings';
import { toListingExtras } from './listing-extras';
import { toOptionalMoney } from './money';

function toCarrier(user: ListingRecordWire['serviceProvider']): Carrier | null {
  if (user === null || user === undefined) return null;
  const displayName = user.displayName ?? user.companyName ?? user.userName;
  if (displayName === null && user.userId === null) return null;
  return { userId: user.userId, displayName: displayName ?? `carrier ${user.userId}` };
}

/** In the record's spelling; a stop without one keeps its place. */
function toPostalCodes(route: ListingRecordWire['route']): string[] {
  const codes = (route?.items ?? []).map((stop) => stop?.address?.postalCode ?? '');
  return codes.every((code) => code === '') ? [] : codes;
}

/** The time frame of the last stop; a single stop may be the pickup. */
function readDeliveryWindow(route: ListingRecordWire['route']): DeliveryWindow | null {
  const stops = route?.items ?? [];
  const { earliestArrival, latestArrival } = stops.at(-1)?.timeFrame ?? {};
  return stops.length < 2
    ? null
    : toDeliveryWindow({ earliestOn: earliestArrival ?? null, latestOn: latestArrival ?? null });
}

type Statuses = Pick<ListingRecord, 'status' | 'transitStatus' | 'cancellationStatus'>;

/** Known names where recognised. The listing's status may also show the transit progress. */
function toStatuses(wire: ListingRecordWire, names: StatusNames): Statuses {
  const { status, transitStatus, cancellationStatus } = wire;
  return {
    status: recogniseListingStatus(status, names) ?? shownWord(status),
    transitStatus:
      recogniseTransitStatus(transitStatus, names) ??
      recogniseProgress(status, names) ??
      shownWord(transitStatus),
    cancellationStatus: recogniseListingStatus(cancellationStatus, names) ?? shownWord(cancellationStatus),
  };
}

type RecordReading = Pick<MarketplaceSettings, 'currency' | 'statusNames'>;

/** Contract: listing record. */
export function toListingRecord(
  wire: ListingRecordWire,
  { currency, statusNames }: RecordReading,
): ListingRecord {
  return boundedListing({
    listingId: wire.listingId,
    title: wire.title ?? '',
    ...toStatuses(wire, statusNames),
    paymentStatus: wire.paymentStatus,
    hasPendingBookingRequest: wire.hasPendingBookingRequest,
    carrier: toCarrier(wire.serviceProvider),
    // The service sends an integer, with 0 for "none".
    billOfLadingNumber: wire.billOfLadingNumber === '0' ? null : wire.billOfLadingNumber,
    namedPrice: toOptionalMoney(wire.namedPrice, currency),
    acceptedPrice: toOptionalMoney(wire.acceptedBidPrice, currency),
    totalCost: toOptionalMoney(wire.totalCost, currency),
    cancellationLink: wire.cancellationLink,
    bookedOn: wire.bookedOn,
    completedOn: wire.completedOn,
    expiresOn: wire.expiresOn,
    lastUpdatedOn: wire.lastUpdatedOn,
    checksum: wire.checksum,
    referenceNumbers: (wire.referenceNumbers ?? []).flatMap(
      ({ number, type, referenceNumberLabel: label }) =>
        number === null ? [] : [{ number, type: type ?? '', label }],
    ),
    postalCodes: toPostalCodes(wire.route),
    deliveryWindow: readDeliveryWindow(wire.route),
    totalWeightInGrams: wire.totalWeightInGrams ?? null,
    extras: toListingExtras(wire, currency),
  });
}
