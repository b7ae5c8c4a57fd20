import { addDays, clockIn, endOfDay } from './calendar';
import { isOfAnotherCarrier } from './listing-proof';
import { nextOpenDay } from './open-day';
import type { FurnitureShipment, IsoDate, IsoInstant, Shipment } from './shipment';
import type { ShipmentState } from './shipment-state';

/** The days of a stop; at least one is set. */
export interface DueDays {
  readonly earliest: IsoDate | null;
  readonly latest: IsoDate | null;
}

/** A greater number of days is a mistake of the marketplace. */
const MOST_DAYS = 60;

/**
 * The days of the delivery: by the marketplace's record, else by the order, else by the accepted rate, which counts
 * working days from the pickup. Null when none of them says.
 */
export function deliveryDaysOf(order: Shipment, state: ShipmentState): DueDays | null {
  const window = state.listing?.deliveryWindow ?? null;
  const planned = order.kind === 'furniture' ? ordered(order) : byRate(order, state);
  if (window === null) return planned;
  const { earliestOn: earliest, latestOn } = window;
  const latest = latestOn ?? planned?.latest ?? null;
  return { earliest, latest: earliest !== null && latest !== null && latest < earliest ? null : latest };
}

/** When the last day of the delivery ends on the clocks of the destination; null when nothing says which day that is. */
export function deliveryEnds(order: Shipment, state: ShipmentState): IsoInstant | null {
  const latest = deliveryDaysOf(order, state)?.latest ?? null;
  return latest === null ? null : endOfDay(latest, order.destination.timeZone);
}

export const daysOf = ({ earliest, latest }: DueDays): DueDays => ({ earliest, latest });

const ordered = ({ delivery }: FurnitureShipment): DueDays | null =>
  delivery === null ? null : daysOf(delivery);

function byRate(
  { origin, destination }: Shipment,
  { rateDecision, pickedUpAt, listing }: ShipmentState,
): DueDays | null {
  const rate = rateDecision?.chosen ?? null;
  const days = rate?.deliveryDelayInDays ?? null;
  if (rate === null || days === null || days < 0 || pickedUpAt === null) return null;
  // The listing of an earlier acceptance has another rate.
  if (listing !== null && isOfAnotherCarrier(listing, rate.carrier)) return null;
  const closed = { closedDays: [], country: destination.address.country };
  let latest = clockIn(origin.timeZone, pickedUpAt).day;
  for (let left = Math.min(days, MOST_DAYS); left > 0; left -= 1)
    latest = nextOpenDay(addDays(latest, 1), closed);
  return { earliest: null, latest };
}
