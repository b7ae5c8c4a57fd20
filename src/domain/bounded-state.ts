import {
  BOOKING_TRACES,
  cutText,
  jsonBytes,
  keepFirst,
  keepNewest,
  leaveOut,
  leftOutLines,
  LIST_LIMITS,
  TEXT_BYTES,
} from './bounds';
import { candidateOf, updateCandidate, leftIds, duplicateListings, unreadIds } from './candidates';
import type { LtlRate } from './rate';
import type { RateDecision } from './rate-choice';
import type { IsoInstant } from './shipment';
import { followedListing, type Said, type ShipmentFacts, type ShipmentState } from './shipment-state';

// Lists that grow with outside input, and how the state bounds them.

/** Adds a notice; a repeated notice is stored once. */
export function addWarning(state: ShipmentState, what: string): ShipmentState {
  const text = cutText(what, TEXT_BYTES.notice);
  if (state.notices.includes(text)) return state;
  const { kept, leftOut } = keepNewest([...state.notices, text], LIST_LIMITS.notices, jsonBytes);
  return { ...state, notices: kept, leftOut: leaveOut(state.leftOut, { notices: leftOut }) };
}

/** Keeps what the marketplace said about a call; a repeated text is stored once. */
export function keepSaid(
  state: ShipmentState,
  at: IsoInstant,
  { about, words }: Omit<Said, 'at'>,
): ShipmentState {
  if (state.said.some((known) => known.about === about && known.words === words)) return state;
  return { ...state, said: [...state.said, { at, about, words }].slice(-LIST_LIMITS.said.count) };
}

/** What a person should know, and how much was left out. */
export function noticesOf({
  notices,
  leftOut,
}: Pick<ShipmentFacts, 'notices' | 'leftOut'>): readonly string[] {
  return [...notices, ...leftOutLines(leftOut)];
}

/**
 * Remembers listings that an event names, to read them later. Listings that the order already knows are never left
 * out.
 */
export function keepUnread(state: ShipmentState, listingIds: readonly string[]): ShipmentState {
  let next = state;
  let listings = 0;
  let room = LIST_LIMITS.unread.count - unreadIds(state).length;
  for (const listingId of new Set(listingIds)) {
    const { isUnread, isOwn, place } = candidateOf(next, listingId);
    if (isUnread || listingId === followedListing(state)) continue;
    if (room > 0 || isOwn || place.kind !== 'named')
      next = updateCandidate(next, listingId, { isUnread: true });
    else listings += 1;
    room -= 1;
  }
  return { ...next, leftOut: leaveOut(state.leftOut, { listings }) };
}

/**
 * Why nothing more may be booked: the order has as many listings or acceptances as its state can hold, and forgetting
 * one could book twice. Null while there is room.
 */
export function noRoomToBook(state: ShipmentState): string | null {
  const { earlierAcceptances, earlierLoads } = state;
  const [left, beside] = [leftIds(state).length, duplicateListings(state).length];
  if (left >= BOOKING_TRACES.left) return `the order has left ${left} listings`;
  if (beside >= BOOKING_TRACES.beside) return `the order has beside its own ${beside} listings`;
  if (earlierAcceptances.length >= BOOKING_TRACES.earlierAcceptances)
    return `${earlierAcceptances.length} acceptances before may still be booked`;
  return earlierLoads.length > BOOKING_TRACES.earlierLoads
    ? `the order was revised ${earlierLoads.length} times`
    : null;
}

const bytesOfJson = (value: unknown): number => jsonBytes(JSON.stringify(value));

/** Keeps the cheapest rates, and the chosen one. */
export function keepRates(
  state: ShipmentState,
  rates: readonly LtlRate[],
  decision: RateDecision,
): ShipmentState {
  const chosen = decision.chosen?.rateId ?? null;
  const rank = ({ rateId, totalPrice }: LtlRate): number =>
    rateId === chosen ? Number.NEGATIVE_INFINITY : totalPrice.minorUnits;
  const ordered =
    rates.length <= LIST_LIMITS.rates.count ? rates : rates.toSorted((a, b) => rank(a) - rank(b));
  const { kept, leftOut } = keepFirst(ordered, LIST_LIMITS.rates, bytesOfJson);
  const losses = decision.losses.map((loss) => ({ ...loss, why: cutText(loss.why, TEXT_BYTES.value) }));
  return {
    ...state,
    rates: kept,
    rateDecision: { ...decision, losses: keepFirst(losses, LIST_LIMITS.losses, bytesOfJson).kept },
    leftOut: leaveOut(state.leftOut, { rates: leftOut }),
  };
}

/** Consign never takes a failed rate again by itself. */
export function excludeRate(state: ShipmentState, rateId: string): ShipmentState {
  const { kept } = keepNewest([...state.excludedRateIds, rateId], LIST_LIMITS.excludedRateIds, jsonBytes);
  return { ...state, excludedRateIds: kept };
}
