import type { Witness } from './booking-evidence';
import type { ListingRecord } from './listing';
import type { ShipmentState } from './shipment-state';

/** Somebody or something beside the record said that a listing is booked. It counts where the record's status is unknown. */
export interface ToldBooking {
  readonly listingId: string;
  readonly by: Witness;
}

const MAX_TOLD = 20;

/** Keeps what was said; once. */
export function keepTold(state: ShipmentState, told: ToldBooking): ShipmentState {
  const { toldBookings } = state;
  const isKnown = toldBookings.some(({ listingId, by }) => listingId === told.listingId && by === told.by);
  return isKnown ? state : { ...state, toldBookings: [...toldBookings, told].slice(-MAX_TOLD) };
}

/** The record with what was said of it besides. */
export function withWitnesses(
  record: ListingRecord,
  { toldBookings }: Pick<ShipmentState, 'toldBookings'>,
): ListingRecord {
  const witnesses = toldBookings
    .filter(({ listingId }) => listingId === record.listingId)
    .map(({ by }) => by);
  return witnesses.length === 0 ? record : { ...record, witnesses };
}
