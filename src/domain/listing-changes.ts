import type { Money } from './money';
import type { FurnitureItem, FurnitureShipment, OrderReference } from './shipment';

/** Where a furniture listing goes, and when. */
export type FurnitureRoute = Pick<FurnitureShipment, 'origin' | 'destination' | 'pickup' | 'delivery'>;

/**
 * What is to be different at a listing that is not booked (contract: listing update model). What is absent stays; a
 * list that is given replaces the whole list. A changed listing voids its open bids.
 */
export interface ListingChanges {
  readonly title?: string;
  readonly description?: string;
  readonly listPrice?: Money;
  readonly route?: FurnitureRoute;
  readonly items?: readonly FurnitureItem[];
  readonly serviceTypes?: readonly string[];
  /** With the order's own reference (`ThirdPartyOrderNumber`) among them: it alone routes the listing's events. */
  readonly references?: readonly OrderReference[];
  readonly attributes?: NonNullable<FurnitureShipment['attributes']>;
  readonly isAuction?: boolean;
  readonly isDutchAuction?: boolean;
  readonly isItineraryMandatory?: boolean;
  /** URI of the resource that the listing was made from. */
  readonly importSource?: string;
}

export interface ListingUpdate {
  readonly listingId: string;
  /** Of the record that the changes were decided on. Null is not sent: then nobody notices another change. */
  readonly checksum: string | null;
  readonly changes: ListingChanges;
}
