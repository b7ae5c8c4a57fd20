import { boundedListing } from '../../domain/bounded-record';
import type { Carrier, ListingRecord } from '../../domain/listing';
import type { ListingRecordWire } from '../schemas/listings';
import { toListingExtras } from './listing-extras';
import { toOptionalMoney } from './money';

function toCarrier(user: ListingRecordWire['serviceProvider']): Carrier | null {
  if (user === null || user === undefined) return null;
  const displayName = user.displayName ?? user.companyName ?? user.userName;
  if (displayName === null && user.userId === null) return null;
  return { userId: user.userId, displayName: displayName ?? `carrier ${user.userId}` };
}

/** Spelled as they are; a stop without one keeps its place. */
function toPostalCodes(route: ListingRecordWire['route']): string[] {
  const codes = (route?.items ?? []).map((stop) => stop.address?.postalCode ?? '');
  return codes.every((code) => code === '') ? [] : codes;
}

/** Contract: listing record; only the `value` of an enum is read. */
export function toListingRecord(wire: ListingRecordWire, currency: string): ListingRecord {
  return boundedListing({
    listingId: wire.listingId,
    title: wire.title ?? '',
    status: wire.status,
    transitStatus: wire.transitStatus,
    paymentStatus: wire.paymentStatus,
    cancellationStatus: wire.cancellationStatus,
    hasPendingBookingRequest: wire.hasPendingBookingRequest,
    carrier: toCarrier(wire.serviceProvider),
    // An integer at the service, whose "none" is 0.
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
    totalWeightInGrams: wire.totalWeightInGrams ?? null,
    extras: toListingExtras(wire, currency),
  });
}
