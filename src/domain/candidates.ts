import type { Witness } from './booking-evidence';
import { BOOKING_TRACES, cutText, LIST_LIMITS, TEXT_BYTES } from './bounds';
import { proofAmong, withKey, type KnownReading, type ReadingProof } from './known-reading';
import type { ListingRecord } from './listing';
import type { IsoInstant } from './shipment';

/** A duplicate: a listing with the order's reference that the order does not follow. It could bring a second truck. */
export interface DuplicateListing {
  readonly kind: 'beside';
  readonly status: string | null;
  /** Where a person can cancel the listing, if it is booked. */
  readonly cancellationLink: string | null;
  /** How the listing differs from the order, which is why it is not followed. */
  readonly difference: string | null;
  /** The duplicate is delivered and differs, and a person was asked about it. The next answer lets it go. */
  readonly wasAskedAbout: boolean;
}

/** What the order does with a listing that it does not follow. */
export type Place =
  /** Something names the listing, and nothing proves whose it is. */
  | { readonly kind: 'named' }
  | DuplicateListing
  /** The booking ended, the listing was deleted, or the order gave it up for another listing. */
  | { readonly kind: 'left' };

/** A listing that is, was or may be the order's, with everything known about it besides its record. */
export interface Candidate {
  readonly listingId: string;
  readonly place: Place;
  /** The listing must be read: until then nothing may be booked or closed. */
  readonly isUnread: boolean;
  /**
   * The answer to this order's own write named the listing, or a person checked and adopted it. It needs no
   * reference.
   */
  readonly isOwn: boolean;
  /** Sources besides the record that say the listing is booked. They count only when the record's status is unknown. */
  readonly toldBy: readonly Witness[];
  /** Fingerprints of the API keys that have read the listing. Consign does not believe another key's 404. */
  readonly readBy: readonly string[];
  /**
   * The listing answers 404. `perhaps`: nothing proves that it is gone. `believed`: Consign deleted it, its absence
   * is proved, or a person checked that it is gone.
   */
  readonly gone: 'perhaps' | 'believed' | null;
  /**
   * When the order first learned of this second listing, and whether it was delivered too. Kept after the order
   * leaves it.
   */
  readonly second: { readonly since: IsoInstant; readonly isDelivered: boolean } | null;
}

/** The part of the state that candidates need. */
export interface WithCandidates {
  readonly candidates: readonly Candidate[];
  readonly at: { readonly phase: string; readonly listingId?: string };
}

const NOTHING_KNOWN: Omit<Candidate, 'listingId'> = {
  ...{ place: { kind: 'named' }, isUnread: false, isOwn: false },
  ...{ toldBy: [], readBy: [], gone: null, second: null },
};

/** A listing that must be read before anything else. */
export const unreadCandidate = (listingId: string): Candidate => ({
  ...{ listingId, ...NOTHING_KNOWN },
  isUnread: true,
});

/** Whether the only thing known is a claim that the listing is booked. */
const isOnlyClaimed = ({ place, isUnread, isOwn, gone, second }: Candidate): boolean =>
  place.kind === 'named' && !isUnread && !isOwn && gone === null && second === null;
const MAX_ONLY_CLAIMED = 20;

/** Whether the order has, or may have had, a listing. */
export const hasTraces = ({ candidates }: WithCandidates): boolean =>
  candidates.some((candidate) => !isOnlyClaimed(candidate));

export const candidateOf = ({ candidates }: WithCandidates, listingId: string): Candidate =>
  candidates.find((known) => known.listingId === listingId) ?? { listingId, ...NOTHING_KNOWN };

/** Adds facts about a listing; a known listing keeps its place in the list. */
export function updateCandidate<S extends WithCandidates>(
  state: S,
  listingId: string,
  facts: Partial<Omit<Candidate, 'listingId'>>,
): S {
  const known = { ...candidateOf(state, listingId), ...facts };
  const index = state.candidates.findIndex((one) => one.listingId === listingId);
  const candidates = index < 0 ? [...state.candidates, known] : state.candidates.with(index, known);
  return { ...state, candidates: dropOldClaims(candidates, state.at.listingId) };
}

/** Anyone can claim that any listing is booked, so the number of such claims is bounded. */
function dropOldClaims(candidates: readonly Candidate[], followed?: string): readonly Candidate[] {
  const hearsay = candidates.filter((known) => known.listingId !== followed && isOnlyClaimed(known));
  if (hearsay.length === 0) return candidates;
  const kept = hearsay.filter(({ toldBy }) => toldBy.length > 0).slice(-MAX_ONLY_CLAIMED);
  return candidates.filter((known) => !hearsay.includes(known) || kept.includes(known));
}

const idsOf = (candidates: readonly Candidate[]): readonly string[] =>
  candidates.map(({ listingId }) => listingId);

/** Listings that must be read, in the order of reading. */
export const unreadIds = ({ candidates }: WithCandidates): readonly string[] =>
  idsOf(candidates.filter(({ isUnread }) => isUnread));

/** Duplicates, which could bring a second truck. */
export const duplicateListings = ({
  candidates,
}: Pick<WithCandidates, 'candidates'>): readonly (DuplicateListing & { readonly listingId: string })[] =>
  candidates.flatMap(({ listingId, place }) => (place.kind === 'beside' ? [{ listingId, ...place }] : []));

/** Listings that the order has left; news of them no longer matters. */
export const leftIds = ({ candidates }: WithCandidates): readonly string[] =>
  idsOf(candidates.filter(({ place }) => place.kind === 'left'));

export const isDuplicate = (state: WithCandidates, listingId: string): boolean =>
  candidateOf(state, listingId).place.kind === 'beside';
export const isLeft = (state: WithCandidates, listingId: string): boolean =>
  candidateOf(state, listingId).place.kind === 'left';

export const leave = <S extends WithCandidates>(state: S, listingId: string): S =>
  updateCandidate(state, listingId, { place: { kind: 'left' }, isUnread: false });

/** From now on, events about this listing concern the order. */
export const startFollowing = <S extends WithCandidates>(state: S, listingId: string): S =>
  updateCandidate(state, listingId, { place: { kind: 'named' }, isUnread: false });

/** Moves listings that could not be read behind the others. */
export function putBack<S extends WithCandidates>(state: S, listingIds: readonly string[]): S {
  const isPutBack = ({ listingId }: Candidate): boolean => listingIds.includes(listingId);
  const others = state.candidates.filter((candidate) => !isPutBack(candidate));
  return { ...state, candidates: [...others, ...state.candidates.filter(isPutBack)] };
}

/**
 * Keeps a duplicate of the followed listing.
 * @param difference how it differs from the order; null when it does not
 */
export function keepDuplicate<S extends WithCandidates>(
  state: S,
  { listingId, status, cancellationLink }: ListingRecord,
  { difference, at }: { readonly difference: string | null; readonly at: IsoInstant },
): S {
  const before = candidateOf(state, listingId);
  const wasAskedAbout = before.place.kind === 'beside' && before.place.wasAskedAbout;
  if (before.place.kind !== 'beside' && duplicateListings(state).length >= BOOKING_TRACES.beside)
    // The listing is read again once there is room. Until then nothing is booked or closed.
    return updateCandidate(state, listingId, { isUnread: true });
  const why = difference === null ? null : cutText(difference, TEXT_BYTES.notice);
  const place: Place = { kind: 'beside', status, cancellationLink, difference: why, wasAskedAbout };
  return recordSecond(updateCandidate(state, listingId, { place, isUnread: false }), listingId, {
    since: at,
  });
}

/** Records a second listing and keeps what is already known of it. The newest ones stay. */
export function recordSecond<S extends WithCandidates>(
  state: S,
  listingId: string,
  { since, isDelivered = false }: { readonly since: IsoInstant; readonly isDelivered?: boolean },
): S {
  const { second } = candidateOf(state, listingId);
  const told = {
    since: second?.since ?? since,
    isDelivered: second?.isDelivered === true || isDelivered,
  };
  const next = updateCandidate(state, listingId, { second: told });
  const [oldest, ...others] = secondListings(next);
  return oldest !== undefined && others.length >= LIST_LIMITS.secondListings.count
    ? updateCandidate(next, oldest.listingId, { second: null })
    : next;
}

/** A listing that carried the order's reference while the order followed another one. */
export interface SecondListing {
  readonly listingId: string;
  readonly since: IsoInstant;
  /** It was delivered for the order too, and nobody can undo that. */
  readonly isDelivered: boolean;
}

/** All second listings, past and present, for the person who handles a second truck. */
export const secondListings = ({
  candidates,
}: Pick<WithCandidates, 'candidates'>): readonly SecondListing[] =>
  candidates.flatMap(({ listingId, second }) => (second === null ? [] : [{ listingId, ...second }]));

/** Records, once, a source that says the listing is booked. */
export function recordWitness<S extends WithCandidates>(state: S, listingId: string, by: Witness): S {
  const { toldBy } = candidateOf(state, listingId);
  return toldBy.includes(by) ? state : updateCandidate(state, listingId, { toldBy: [...toldBy, by] });
}

/** The record, with the sources that say it is booked. */
export function withWitnesses(record: ListingRecord, state: WithCandidates): ListingRecord {
  const { toldBy } = candidateOf(state, record.listingId);
  return toldBy.length === 0 ? record : { ...record, witnesses: toldBy };
}

/**
 * Listings that a write of the order, or a proof, has shown to be the order's: the followed one first, then those
 * that could be booked besides it.
 */
function orderListings(state: WithCandidates): readonly Candidate[] {
  const followed = state.at.listingId;
  const rankOf = ({ listingId, place, isOwn }: Candidate): number => {
    if (listingId === followed) return 0;
    if (place.kind === 'beside') return 1;
    if (isOwn) return 2;
    return place.kind === 'left' ? 3 : Infinity;
  };
  const isKnown = state.candidates.some(({ listingId }) => listingId === followed);
  const unknown = followed === undefined || isKnown ? [] : [candidateOf(state, followed)];
  return [...unknown, ...state.candidates]
    .filter((candidate) => rankOf(candidate) < Infinity)
    .toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Records which key has read one of the order's listings. The reading proves that the listing exists. */
export function keepReading<S extends WithCandidates>(state: S, { listingId, readBy }: ListingRecord): S {
  if (!orderListings(state).some((known) => known.listingId === listingId)) return state;
  const before = candidateOf(state, listingId).readBy;
  return updateCandidate(state, listingId, {
    gone: null,
    readBy: readBy === undefined ? before : withKey(before, readBy),
  });
}

const readingOf = ({ listingId, readBy }: Candidate): KnownReading => ({ listingId, readBy });

/** The order's listings that may exist. Excludes deleted ones, and those that a person found gone. */
export const standingListings = (state: WithCandidates): readonly KnownReading[] =>
  orderListings(state)
    .filter(({ gone }) => gone !== 'believed')
    .map(readingOf);

/**
 * What is known about who can read one of the order's listings. A listing that is gone is no witness, but shows which
 * key read it.
 */
export function proofOf(state: WithCandidates, listingId: string): ReadingProof {
  const gone = orderListings(state).filter((known) => known.gone === 'believed');
  return proofAmong([...standingListings(state), ...gone.map(readingOf)], listingId);
}

/** Every listing that is, was or may be the order's. A caller with limited room takes the last ones. */
export function knownListingIds(
  state: WithCandidates & { readonly listing: { readonly listingId: string } | null },
): readonly string[] {
  const of = (isIt: (candidate: Candidate) => boolean): readonly string[] =>
    idsOf(state.candidates.filter(isIt));
  const all = [
    // A listing that only an event names may be another order's.
    ...unreadIds(state),
    ...of(({ isOwn }) => isOwn),
    ...of(({ place }) => place.kind === 'beside'),
    ...leftIds(state),
    ...[state.listing?.listingId, state.at.listingId].filter((id) => id !== undefined),
  ];
  // A listing that is named twice keeps its last place.
  return [...new Set(all.toReversed())].toReversed();
}
