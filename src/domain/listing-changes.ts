import type { Money } from './money';
import type { FurnitureItem, FurnitureShipment, OrderReference } from './shipment';

export type FurnitureRoute = Pick<FurnitureShipment, 'origin' | 'destination' | 'pickup' | 'delivery'>;

/**
 * Changes to a listing that is not booked (contract: listing update model). An absent field stays unchanged; a list
 * replaces the whole list. A change voids the listing's open bids.
 */
export interface ListingChanges {
  readonly title?: string;
  readonly description?: string;
  readonly listPrice?: Money;
  readonly route?: FurnitureRoute;
  readonly items?: readonly FurnitureItem[];
  readonly serviceTypes?: readonly string[];
  /** Includes the order's own reference (`ThirdPartyOrderNumber`), which alone routes the listing's events. */
  readonly references?: readonly OrderReference[];
  readonly attributes?: NonNullable<FurnitureShipment['attributes']>;
  readonly isAuction?: boolean;
  readonly isDutchAuction?: boolean;
  readonly isItineraryMandatory?: boolean;
  /** URI of the resource that the listing came from. */
  readonly importSource?: string;
}

export interface ListingUpdate {
  readonly listingId: string;
  /**
   * Checksum of the record that the changes were decided on. Null is not sent, and then nothing detects a concurrent
   * change.
   */
  readonly checksum: string | null;
  readonly changes: ListingChanges;
}
