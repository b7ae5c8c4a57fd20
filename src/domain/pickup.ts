import type { IsoInstant, Shipment } from './shipment';

/**
 * Whether the last pickup day is certainly over, in whichever zone the stop lies: 12 hours behind UTC the day
 * ends last. An order that waited too long books nothing.
 */
export function isPickupPast(shipment: Shipment, now: IsoInstant): boolean {
  return Date.parse(`${shipment.pickup.latest}T23:59:59-12:00`) < Date.parse(now);
}
