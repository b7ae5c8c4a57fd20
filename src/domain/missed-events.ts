import { deliveryText, proNumberOf, type ListingRecord } from './listing';
import { isBookedOrDelivered } from './listing-progress';
import type { EVENT_TYPES } from './marketplace-event';
import { isSame } from './same';

/** `none`: a change of which the contract has no event. */
export type MissedEventType = (typeof EVENT_TYPES)[number] | 'none';

/**
 * The types of the events that should have reported how a record changed. A booking brings price, carrier and numbers
 * with it, so besides a new status only the transit counts.
 */
export function missedEventTypes(before: ListingRecord, after: ListingRecord): readonly MissedEventType[] {
  const transit: readonly MissedEventType[] =
    before.transitStatus === after.transitStatus ? [] : ['Shipment.TransitStatusChanged/v1'];
  if (before.status !== after.status) {
    const isBooking = isBookedOrDelivered(after) && !isBookedOrDelivered(before);
    return [isBooking ? 'Listing.Booked/v1' : 'Listing.StatusChanged/v1', ...transit];
  }
  const types: readonly MissedEventType[] = [
    ...transit,
    ...(isSame(pricesOf(before), pricesOf(after)) ? [] : (['Listing.PriceDetailsUpdated/v1'] as const)),
    ...(isSame(numbersOf(before), numbersOf(after)) ? [] : (['Listing.ReferenceNumberAdded/v1'] as const)),
    ...(deliveryText(before) === deliveryText(after)
      ? []
      : (['Shipment.DeliveryTimeFrameUpdated/v1'] as const)),
  ];
  return types.length === 0 ? ['none'] : types;
}

const pricesOf = ({ namedPrice, acceptedPrice, totalCost }: ListingRecord) => [
  namedPrice,
  acceptedPrice,
  totalCost,
];
const numbersOf = (record: ListingRecord) => [record.referenceNumbers.length, proNumberOf(record)];
