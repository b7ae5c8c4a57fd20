import type { Listing } from './state';

type Given = Pick<
  Listing,
  'listingId' | 'account' | 'createdBy' | 'draft' | 'price' | 'rateId' | 'executionId' | 'rateRequestId'
> &
  Pick<Listing, 'integratorId' | 'thirdParty'>;

/** A listing as it stands on the market before anybody has looked at it. */
export function newListing(given: Given): Listing {
  const now = new Date();
  return {
    ...given,
    status: 'Active',
    transitHistory: [],
    hasPendingBookingRequest: false,
    counts: { booked: 0, cancelled: 0, delivered: 0 },
    priceAdjustments: [],
    billOfLadingReady: false,
    files: [],
    positionReads: 0,
    mishaps: [],
    revision: 1,
    createdOn: now,
    lastUpdatedOn: now,
  };
}
