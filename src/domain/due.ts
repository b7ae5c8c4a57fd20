import { daysOf, deliveryDaysOf, type DueDays } from './delivery-days';
import { latenessText } from './lateness';
import { carrierName } from './shipment-result';
import type { IsoDate, Shipment, Stop } from './shipment';
import { isBooked, type ShipmentState } from './shipment-state';
import type { Details } from './tracking';

/** What a desk needs to know of a shipment on one day. The phone is people's data. */
export interface DueShipment {
  readonly pickup: DueDays;
  /** By the marketplace's record, else by the order or the accepted rate; null when none says. */
  readonly delivery: DueDays | null;
  /** Not picked up yet, and the day of the pickup has come. */
  readonly isPickupDue: boolean;
  /** On the truck, and the first day of the delivery has come. */
  readonly isDeliveryDue: boolean;
  readonly late: string | null;
  /** Papers of the booking that are not there. */
  readonly missingPapers: readonly ('billOfLading' | 'contacts')[];
  /** Null while nothing is booked. */
  readonly carrier: string | null;
  readonly carrierPhone: string | null;
  /** City and state. */
  readonly from: string;
  readonly to: string;
}

const BEFORE_PICKUP: ReadonlySet<string> = new Set([
  ...(['validating', 'quoting', 'listing', 'awaitingBooking', 'collectingRates', 'accepting'] as const),
  'booked',
]);

/** What is due of a shipment on a day; null when nothing is due, late or missing. */
export function dueOn(on: IsoDate, order: Shipment, state: ShipmentState): DueShipment | null {
  const { phase } = state.at;
  const pickup = daysOf(order.pickup);
  const delivery = deliveryDaysOf(order, state);
  const missingPapers = missingOf(state);
  const late = state.late === null ? null : latenessText(state.late);
  const isPickupDue = BEFORE_PICKUP.has(phase) && hasCome(pickup, on);
  const isDeliveryDue = phase === 'inTransit' && delivery !== null && hasCome(delivery, on);
  if (!isPickupDue && !isDeliveryDue && late === null && missingPapers.length === 0) return null;
  return {
    ...{ pickup, delivery, isPickupDue, isDeliveryDue, late, missingPapers },
    // Before the booking it is only the one whose rate was chosen.
    carrier: isBooked(state) ? carrierName(state) : null,
    carrierPhone: carrierPhone(state),
    from: placeOf(order.origin),
    to: placeOf(order.destination),
  };
}

function hasCome({ earliest, latest }: DueDays, on: IsoDate): boolean {
  const first = earliest ?? latest;
  return first !== null && first <= on;
}

function missingOf({ at, billOfLading, contacts }: ShipmentState): DueShipment['missingPapers'] {
  if (at.phase !== 'booked' && at.phase !== 'inTransit') return [];
  const isMissing = (paper: unknown): boolean => paper === null || paper === 'unavailable';
  return [
    ...(isMissing(billOfLading) ? (['billOfLading'] as const) : []),
    ...(isMissing(contacts) ? (['contacts'] as const) : []),
  ];
}

const placeOf = ({ address: { city, state } }: Stop): string => `${city}, ${state}`;

/** The field of the carrier in the contacts, as the marketplace spells it. */
const CARRIER = /^serviceProvider$/i;
const PHONE = /phone|mobile|cell/i;

/** The carrier's phone, by the contacts or the tracking, whose fields are not documented. */
export function carrierPhone({ contacts, tracking }: ShipmentState): string | null {
  const all: Details = contacts === null || typeof contacts === 'string' ? {} : contacts;
  const carrier = Object.entries(all).find(([name]) => CARRIER.test(name))?.[1];
  return phoneIn(carrier) ?? phoneIn(tracking?.carrierContact);
}

function phoneIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value))
    if (PHONE.test(name) && typeof inner === 'string' && /\d{3}/.test(inner)) return inner;
  return null;
}
