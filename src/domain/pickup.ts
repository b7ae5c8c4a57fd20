import { addDays, clockIn } from './calendar';
import { nextOpenDay } from './open-day';
import type { ShipmentPolicy } from './policy';
import type { IsoDate, IsoInstant, Shipment } from './shipment';

/**
 * Whether the last pickup day is certainly over, in whichever zone the stop lies: 12 hours behind UTC the day
 * ends last. An order that waited too long books nothing.
 */
export function isPickupPast(shipment: Shipment, now: IsoInstant): boolean {
  return Date.parse(`${shipment.pickup.latest}T23:59:59-12:00`) < Date.parse(now);
}

/**
 * The first day that a carrier can still be asked for: at least one day ahead in the zone of the stop (contract,
 * likely the same for acceptances), two after the cut-off hour.
 */
export function firstPossiblePickup(timeZone: string, now: IsoInstant, cutOffHour: number | null): IsoDate {
  const { day, hour } = clockIn(timeZone, now);
  return addDays(day, cutOffHour !== null && hour >= cutOffHour ? 2 : 1);
}

/** A pickup that no carrier can keep any more, because the order waited. */
export interface MissedPickup {
  /** Of the order. */
  readonly day: IsoDate;
  /** The first day that is possible now. */
  readonly possible: IsoDate;
}

/**
 * Every wait can make the pickup pass, so that it is looked at again before each rate request and each acceptance.
 * @returns null while it can be kept
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
