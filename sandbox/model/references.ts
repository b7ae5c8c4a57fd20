import type { Listing, ReferenceNumber } from './state';

/** The shipper's own number of the order; empty where a listing carries none. */
export const orderReferenceOf = (references: readonly ReferenceNumber[]): string =>
  references.find(({ type }) => type === 'ThirdPartyOrderNumber')?.number ?? '';

/** Booked, on hold or completed, and neither ended (cancelled, expired, closed) nor back on the market nor deleted. */
export const isLiveBooking = (listing: Listing): boolean =>
  listing.bookedOn !== undefined && listing.bookingEndedOn === undefined && listing.deletedOn === undefined;
