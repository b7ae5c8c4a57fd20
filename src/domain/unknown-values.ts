import {
  CANCELLATION_STATUSES,
  LISTING_SERVICE_TYPES,
  PAYMENT_STATUSES,
  RATE_SERVICE_TYPES,
  TRANSPORT_MODES,
  VEHICLE_TYPES,
} from './known-values';
import { LISTING_STATUSES, TRANSIT_STATUSES, type ListingRecord } from './listing';
import type { LtlRate } from './rate';
import type { IsoInstant } from './shipment';
import { addTimeline, type ShipmentState } from './shipment-state';
import type { Tracking } from './tracking';

/** A value of an open list that this version does not know, such as `status Pondering`. */
export interface CountedValue {
  readonly value: string;
  /** How many readings contained the value. */
  readonly times: number;
}

interface Seen {
  readonly list: string;
  readonly value: string | null;
  readonly known: readonly string[];
}

const KNOWN_STATUSES = [...TRANSIT_STATUSES, ...LISTING_STATUSES];
const SERVICE_TYPES = [...LISTING_SERVICE_TYPES, ...RATE_SERVICE_TYPES];
/** An answer that is all nonsense must not fill the state. */
const MAX_VALUES = 50;
const MAX_LENGTH = 60;

function countUnknown(state: ShipmentState, at: IsoInstant, seen: readonly Seen[]): ShipmentState {
  const unknown = seen.flatMap(({ list, value, known }) =>
    value === null || known.includes(value) ? [] : [`${list} ${value.slice(0, MAX_LENGTH)}`],
  );
  if (unknown.length === 0) return state;
  let next = state;
  let counted = state.unknownValues;
  // One reading counts once, even if it repeats the value.
  for (const value of new Set(unknown)) {
    if (counted.some((entry) => entry.value === value)) {
      counted = counted.map((entry) => (entry.value === value ? { value, times: entry.times + 1 } : entry));
    } else if (counted.length < MAX_VALUES) {
      counted = [...counted, { value, times: 1 }];
      next = addTimeline(next, at, `the marketplace shows the unknown ${value}`);
    }
  }
  return { ...next, unknownValues: counted };
}

/** Keeps and counts unknown values in a reading of the listing; each gets one notice. */
export function countUnknownOfListing(
  state: ShipmentState,
  record: ListingRecord,
  at: IsoInstant,
): ShipmentState {
  const services = record.extras.serviceTypes;
  return countUnknown(state, at, [
    { list: 'status', value: record.status, known: KNOWN_STATUSES },
    { list: 'transit status', value: record.transitStatus, known: TRANSIT_STATUSES },
    { list: 'payment status', value: record.paymentStatus, known: PAYMENT_STATUSES },
    { list: 'cancellation status', value: record.cancellationStatus, known: CANCELLATION_STATUSES },
    ...services.map((value) => ({ list: 'service type', value, known: SERVICE_TYPES })),
  ]);
}

/** The same for rates. */
export function countUnknownOfRates(
  state: ShipmentState,
  rates: readonly LtlRate[],
  at: IsoInstant,
): ShipmentState {
  return countUnknown(
    state,
    at,
    rates.flatMap(({ serviceType, transportMode, vehicleType }) => [
      { list: 'service type', value: serviceType, known: SERVICE_TYPES },
      { list: 'transport mode', value: transportMode, known: TRANSPORT_MODES },
      { list: 'vehicle type', value: vehicleType, known: VEHICLE_TYPES },
    ]),
  );
}

/** The same for tracking statuses, which are those of transit and listing. */
export function countUnknownOfTracking(
  state: ShipmentState,
  { statuses }: Tracking,
  at: IsoInstant,
): ShipmentState {
  return countUnknown(
    state,
    at,
    statuses.map(({ status }) => ({ list: 'tracking status', value: status, known: KNOWN_STATUSES })),
  );
}
