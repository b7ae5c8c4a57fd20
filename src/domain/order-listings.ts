import { proofAmong, withKey, type KnownReading, type ReadingProof } from './known-reading';
import type { ListingRecord } from './listing';
import { followedListings, withListing, type ShipmentState } from './shipment-state';

/** More than `BOOKING_TRACES` lets an order have. */
const MAX_READINGS = 150;

/** The listings that our own writes, or a proof, have shown to be the order's, each once, the followed one first. */
function orderListings(state: ShipmentState): readonly string[] {
  const followed = followedListings(state);
  const strays = state.strays.map(({ listingId }) => listingId);
  const all = [...followed, ...strays, ...state.ownListingIds, ...state.earlierListingIds];
  return all.reduce<readonly string[]>(withListing, []);
}

const readersOf = ({ readings }: ShipmentState, listingId: string): readonly string[] =>
  readings.find((reading) => reading.listingId === listingId)?.readBy ?? [];

/** Keeps who has read a listing of the order. It exists, whatever was believed of it before. */
export function keepReading(state: ShipmentState, { listingId, readBy }: ListingRecord): ShipmentState {
  if (!orderListings(state).includes(listingId)) return state;
  const isAnother = (id: string): boolean => id !== listingId;
  const perhapsGone = state.perhapsGone.filter(isAnother);
  const believedGone = state.believedGone.filter(isAnother);
  const others = state.readings.filter((reading) => isAnother(reading.listingId));
  const known = readersOf(state, listingId);
  const reading = { listingId, readBy: readBy === undefined ? known : withKey(known, readBy) };
  return { ...state, perhapsGone, believedGone, readings: [...others, reading].slice(-MAX_READINGS) };
}

/** The order's listings that may exist: none that was taken down, or that a person has seen to be gone. */
export function standingListings(state: ShipmentState): readonly KnownReading[] {
  return orderListings(state)
    .filter((listingId) => !state.believedGone.includes(listingId))
    .map((listingId) => ({ listingId, readBy: readersOf(state, listingId) }));
}

/** What is known about who can read a listing of the order. One that is gone can be no witness, but tells whose key read it. */
export function proofOf(state: ShipmentState, listingId: string): ReadingProof {
  const gone = state.believedGone.map((id) => ({ listingId: id, readBy: readersOf(state, id) }));
  return proofAmong([...standingListings(state), ...gone], listingId);
}
