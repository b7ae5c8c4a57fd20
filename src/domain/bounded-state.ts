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
import type { LtlRate } from './rate';
import type { RateDecision } from './rate-choice';
import type { IsoInstant } from './shipment';
import { followedListing, type Said, type ShipmentFacts, type ShipmentState } from './shipment-state';

// What grows with what comes from outside, and how a state keeps only so much of it.

/** Adds a notice. The same one is told once, however often it comes. */
export function addNotice(state: ShipmentState, what: string): ShipmentState {
  const text = cutText(what, TEXT_BYTES.notice);
  if (state.notices.includes(text)) return state;
  const { kept, leftOut } = keepNewest([...state.notices, text], LIST_LIMITS.notices, jsonBytes);
  return { ...state, notices: kept, leftOut: leaveOut(state.leftOut, { notices: leftOut }) };
}

/** Keeps what the marketplace said of a call; the same only once, however often it is repeated. */
export function keepSaid(
  state: ShipmentState,
  at: IsoInstant,
  { about, words }: Omit<Said, 'at'>,
): ShipmentState {
  if (state.said.some((known) => known.about === about && known.words === words)) return state;
  return { ...state, said: [...state.said, { at, about, words }].slice(-LIST_LIMITS.said.count) };
}

/** What a person should know, and how much of it was left out. */
export function noticesOf({
  notices,
  leftOut,
}: Pick<ShipmentFacts, 'notices' | 'leftOut'>): readonly string[] {
  return [...notices, ...leftOutLines(leftOut)];
}

/** What an event names is read when its turn comes; the listings that the order knows are never left out. */
export function keepUnread(state: ShipmentState, listingIds: readonly string[]): ShipmentState {
  const followed = followedListing(state);
  const strays = state.strays.map(({ listingId }) => listingId);
  const known = new Set([...strays, ...state.earlierListingIds, ...state.ownListingIds]);
  const all = [...new Set([...state.unreadListingIds, ...listingIds])].filter((id) => id !== followed);
  const { count } = LIST_LIMITS.unreadListingIds;
  const kept = all.filter((id, index) => index < count || known.has(id));
  const listings = all.length - kept.length;
  return { ...state, unreadListingIds: kept, leftOut: leaveOut(state.leftOut, { listings }) };
}

/**
 * Why nothing more may be booked: so many listings or acceptances of the order are known that one more could not be kept
 * in mind, and what is forgotten could be booked twice. Null while there is room.
 */
export function noRoomToBook(state: ShipmentState): string | null {
  const { earlierListingIds, earlierAcceptances, earlierLoads, strays } = state;
  const known: [number, number, string][] = [
    [earlierListingIds.length, BOOKING_TRACES.earlierListingIds, 'the order has left'],
    [strays.length, BOOKING_TRACES.strays, 'the order has beside its own'],
  ];
  const full = known.find(([count, limit]) => count >= limit);
  if (full !== undefined) return `${full[2]} ${full[0]} listings`;
  if (earlierAcceptances.length >= BOOKING_TRACES.earlierAcceptances)
    return `${earlierAcceptances.length} acceptances before may still be booked`;
  return earlierLoads.length > BOOKING_TRACES.earlierLoads
    ? `the order was revised ${earlierLoads.length} times`
    : null;
}

const bytesOfJson = (value: unknown): number => jsonBytes(JSON.stringify(value));

/** The cheapest rates stay, and the one that was chosen among all of them. */
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

/** A rate that failed is not taken again by itself. */
export function excludeRate(state: ShipmentState, rateId: string): ShipmentState {
  const { kept } = keepNewest([...state.excludedRateIds, rateId], LIST_LIMITS.excludedRateIds, jsonBytes);
  return { ...state, excludedRateIds: kept };
}
