import { addDays, clockIn, endOfDay } from './calendar';
import { nextOpenDay } from './open-day';
import type { ShipmentPolicy } from './policy';
import type { IsoDate, IsoInstant, Shipment } from './shipment';

/** When the last pickup day ends on the clocks of the origin. */
export const pickupEnds = ({ pickup, origin }: Shipment): IsoInstant =>
  endOfDay(pickup.latest, origin.timeZone);

/**
 * Whether the last pickup day is certainly over in every time zone; the day ends last at UTC-12. Consign books no
 * pickup in the past.
 */
export function isPickupPast(shipment: Shipment, now: IsoInstant): boolean {
  return Date.parse(`${shipment.pickup.latest}T23:59:59-12:00`) < Date.parse(now);
}

/**
 * The first possible pickup day: at least one day ahead in the zone of the stop, two after the cut-off hour. The
 * contract says so for rate requests; acceptances likely have the same rule.
 */
export function firstPossiblePickup(timeZone: string, now: IsoInstant, cutOffHour: number | null): IsoDate {
  const { day, hour } = clockIn(timeZone, now);
  return addDays(day, cutOffHour !== null && hour >= cutOffHour ? 2 : 1);
}

/** A pickup day that no carrier can keep any more, because the order waited too long. */
export interface MissedPickup {
  /** The order's day. */
  readonly day: IsoDate;
  /** The first possible day now. */
  readonly possible: IsoDate;
}

/**
 * Whether the pickup day has passed. Any wait can make it pass, so Consign checks before each rate request and
 * acceptance.
 * @returns null while the day can be kept
 */
export function missedPickup(
  { origin, pickup }: Shipment,
  now: IsoInstant,
  { cutOffHour, closedDays }: ShipmentPolicy['pickup'],
): MissedPickup | null {
  const first = firstPossiblePickup(origin.timeZone, now, cutOffHour);
  if (pickup.latest >= first) return null;
  return {
    day: pickup.latest,
    possible: nextOpenDay(first, { closedDays, country: origin.address.country }),
  };
}
