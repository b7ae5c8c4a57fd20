import { transitRank } from './listing';
import type { ShipmentState } from './shipment-state';

/** Whether a carrier has the goods of the listing that is followed, or has delivered them: another truck finds none. */
export function isPickedUp({ listing }: ShipmentState): boolean {
  return listing !== null && transitRank(listing.transitStatus) >= transitRank('PickedUp');
}

/** In words, with the day where it is known. */
export function whenPickedUp({ pickedUpAt }: ShipmentState): string {
  return pickedUpAt === null ? 'picked up' : `picked up on ${pickedUpAt.slice(0, 10)}`;
}
