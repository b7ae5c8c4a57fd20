import type { CarrierProfile } from '../model/carriers';
import { isLiveBooking, type Listing } from '../model/state';

/** A listing in one of these is on the market or a draft: nothing of an earlier booking is left on it. */
const unbookedStatuses = new Set(['Active', 'Saved']);

/** These end a booking; the record still shows that there was one. */
const endedStatuses = new Set(['Cancelled', 'Expired', 'Closed', 'Archived']);

/** A delivered shipment that is closed or archived was a booking all the same. */
const filingStatuses = new Set(['Closed', 'Archived']);

export function beginBooking(listing: Listing, carrier: CarrierProfile, billOfLadingNumber: number): void {
  forgetBooking(listing);
  listing.carrier = carrier;
  listing.bookedOn = new Date();
  listing.billOfLadingNumber = billOfLadingNumber;
  listing.counts.booked += 1;
}

/** Takes the listing to a status that is not Booked, and ends the booking where the status means its end. */
export function leaveBooking(listing: Listing, status: string): void {
  const now = new Date();
  if (unbookedStatuses.has(status)) forgetBooking(listing);
  else if (endedStatuses.has(status) && !isFiling(listing, status) && isLiveBooking(listing))
    listing.bookingEndedOn = now;
  if (status === 'Completed') complete(listing);
  if (status === 'Cancelled') {
    listing.cancelledOn = now;
    listing.counts.cancelled += 1;
  }
  listing.status = status;
}

export function complete(listing: Listing): void {
  listing.status = 'Completed';
  listing.completedOn = new Date();
  listing.counts.delivered += 1;
}

const isFiling = ({ completedOn }: Listing, status: string): boolean =>
  completedOn !== undefined && filingStatuses.has(status);

function forgetBooking(listing: Listing): void {
  listing.transitHistory.length = 0;
  listing.billOfLadingReady = false;
  delete listing.transitStatus;
  delete listing.locationShare;
  delete listing.carrier;
  delete listing.billOfLadingNumber;
  delete listing.bookedOn;
  delete listing.bookingEndedOn;
  delete listing.completedOn;
  delete listing.cancelledOn;
}
