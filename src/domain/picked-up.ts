import { transitRank } from './listing';
import type { ShipmentState } from './shipment-state';

/**
 * Whether a carrier already has, or has delivered, the goods of the followed listing: a second truck would find
 * nothing.
 */
export function isPickedUp({ listing }: ShipmentState): boolean {
  return listing !== null && transitRank(listing.transitStatus) >= transitRank('PickedUp');
}

/** For people, with the day if known. */
export function whenPickedUp({ pickedUpAt }: ShipmentState): string {
  return pickedUpAt === null ? 'picked up' : `picked up on ${pickedUpAt.slice(0, 10)}`;
}
