import type { Listing, ReferenceNumber } from './state';

/** The shipper's own number of the order; empty where a listing carries none. */
export const orderReferenceOf = (references: readonly ReferenceNumber[]): string =>
  references.find(({ type }) => type === 'ThirdPartyOrderNumber')?.number ?? '';

/** Booked or completed, and neither cancelled nor deleted. */
export const isLiveBooking = (listing: Listing): boolean =>
  listing.bookedOn !== undefined && listing.cancelledOn === undefined && listing.deletedOn === undefined;
