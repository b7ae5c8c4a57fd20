import { addDays, clockIn } from './calendar';
import { nextOpenDay } from './open-day';
import type { IsoDate, Shipment } from './shipment';
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
  const planned = order.kind === 'furniture' ? daysOf(order.delivery) : byRate(order, state);
  return window === null
    ? planned
    : { earliest: window.earliestOn, latest: window.latestOn ?? planned?.latest ?? null };
}

const daysOf = (days: DueDays | null): DueDays | null =>
  days === null ? null : { earliest: days.earliest, latest: days.latest };

function byRate(
  { origin, destination }: Shipment,
  { rateDecision, pickedUpAt }: ShipmentState,
): DueDays | null {
  const days = rateDecision?.chosen?.deliveryDelayInDays ?? null;
  if (days === null || pickedUpAt === null) return null;
  const closed = { closedDays: [], country: destination.address.country };
  let latest = clockIn(origin.timeZone, pickedUpAt).day;
  for (let left = Math.min(days, MOST_DAYS); left > 0; left -= 1)
    latest = nextOpenDay(addDays(latest, 1), closed);
  return { earliest: null, latest };
}
