import type { Witness } from './booking-evidence';
import { BOOKING_TRACES, cutText, LIST_LIMITS, TEXT_BYTES } from './bounds';
import { proofAmong, withKey, type KnownReading, type ReadingProof } from './known-reading';
import type { ListingRecord } from './listing';
import type { IsoInstant } from './shipment';

/** A listing that carries the order's reference beside the one that is followed: it could bring a second truck. */
export interface Beside {
  readonly kind: 'beside';
  readonly status: string | null;
  /** Where a booked one can be cancelled. */
  readonly cancellationLink: string | null;
  /** In which way it is not as the order says, so that it is not followed. */
  readonly difference: string | null;
  /** It is delivered and differs, and a person was asked about that: the next answer lets it go. */
  readonly wasAskedAbout: boolean;
}

/** What the order does with a listing that it does not follow. */
export type Place =
  /** Something names it, and nothing proves whose it is. */
  | { readonly kind: 'named' }
  | Beside
  /** Its booking ended, it was taken off the market, or it was given up for another one. */
  | { readonly kind: 'left' };

/** A listing that is, was or may be the order's, with all that is known of it beside its record. */
export interface Candidate {
  readonly listingId: string;
  readonly place: Place;
  /** To be read: until it is, nothing may be booked or given up. */
  readonly isUnread: boolean;
  /** Named by the answer to our own write, or adopted by a person who checked it: it needs no reference. */
  readonly isOwn: boolean;
  /** What says that it is booked, beside its record. It counts where the record's status is unknown. */
  readonly toldBy: readonly Witness[];
  /** Fingerprints of the keys that have read it: the 404 of another one is not believed. */
  readonly readBy: readonly string[];
  /** It answers 404: nothing proves that it does not exist, or Consign took it down, or a person has checked that it is gone. */
  readonly gone: 'perhaps' | 'believed' | null;
  /** When the order knew first that there is a second one, and whether that was delivered too. It is kept when it is left. */
  readonly second: { readonly since: IsoInstant; readonly isDelivered: boolean } | null;
}

/** The state, as far as candidates go. */
export interface WithCandidates {
  readonly candidates: readonly Candidate[];
  readonly at: { readonly phase: string; readonly listingId?: string };
}

const NOTHING_KNOWN: Omit<Candidate, 'listingId'> = {
  ...{ place: { kind: 'named' }, isUnread: false, isOwn: false },
  ...{ toldBy: [], readBy: [], gone: null, second: null },
};

/** One that is to be read before anything else. */
export const unreadCandidate = (listingId: string): Candidate => ({
  ...{ listingId, ...NOTHING_KNOWN },
  isUnread: true,
});

/** Whether nothing is known of it but that somebody said it is booked. */
const isOnlyTold = ({ place, isUnread, isOwn, gone, second }: Candidate): boolean =>
  place.kind === 'named' && !isUnread && !isOwn && gone === null && second === null;
const MAX_ONLY_TOLD = 20;

/** Whether there is, or may have been, a listing of the order. */
export const hasTraces = ({ candidates }: WithCandidates): boolean =>
  candidates.some((candidate) => !isOnlyTold(candidate));

export const candidateOf = ({ candidates }: WithCandidates, listingId: string): Candidate =>
  candidates.find((known) => known.listingId === listingId) ?? { listingId, ...NOTHING_KNOWN };

/** Keeps what is known of a listing. One that is known already stays in its place. */
export function know<S extends WithCandidates>(
  state: S,
  listingId: string,
  facts: Partial<Omit<Candidate, 'listingId'>>,
): S {
  const known = { ...candidateOf(state, listingId), ...facts };
  const index = state.candidates.findIndex((one) => one.listingId === listingId);
  const candidates = index < 0 ? [...state.candidates, known] : state.candidates.with(index, known);
  return { ...state, candidates: forgetHearsay(candidates, state.at.listingId) };
}

/** Anybody can say of any listing that it is booked. */
function forgetHearsay(candidates: readonly Candidate[], followed?: string): readonly Candidate[] {
  const hearsay = candidates.filter((known) => known.listingId !== followed && isOnlyTold(known));
  if (hearsay.length === 0) return candidates;
  const kept = hearsay.filter(({ toldBy }) => toldBy.length > 0).slice(-MAX_ONLY_TOLD);
  return candidates.filter((known) => !hearsay.includes(known) || kept.includes(known));
}

const idsOf = (candidates: readonly Candidate[]): readonly string[] =>
  candidates.map(({ listingId }) => listingId);

/** Those that are to be read, in the order in which they are. */
export const unreadIds = ({ candidates }: WithCandidates): readonly string[] =>
  idsOf(candidates.filter(({ isUnread }) => isUnread));

/** Those that could bring a second truck. */
export const listingsBeside = ({
  candidates,
}: Pick<WithCandidates, 'candidates'>): readonly (Beside & { readonly listingId: string })[] =>
  candidates.flatMap(({ listingId, place }) => (place.kind === 'beside' ? [{ listingId, ...place }] : []));

/** Those that the order has left: what they tell is no longer of interest. */
export const leftIds = ({ candidates }: WithCandidates): readonly string[] =>
  idsOf(candidates.filter(({ place }) => place.kind === 'left'));

export const isBeside = (state: WithCandidates, listingId: string): boolean =>
  candidateOf(state, listingId).place.kind === 'beside';
export const isLeft = (state: WithCandidates, listingId: string): boolean =>
  candidateOf(state, listingId).place.kind === 'left';

export const leave = <S extends WithCandidates>(state: S, listingId: string): S =>
  know(state, listingId, { place: { kind: 'left' }, isUnread: false });

/** What is told of it from now on concerns the listing that is followed. */
export const startFollowing = <S extends WithCandidates>(state: S, listingId: string): S =>
  know(state, listingId, { place: { kind: 'named' }, isUnread: false });

/** Those that could not be read wait behind the others. */
export function putBack<S extends WithCandidates>(state: S, listingIds: readonly string[]): S {
  const isPutBack = ({ listingId }: Candidate): boolean => listingIds.includes(listingId);
  const others = state.candidates.filter((candidate) => !isPutBack(candidate));
  return { ...state, candidates: [...others, ...state.candidates.filter(isPutBack)] };
}

/**
 * Keeps a listing with the order's reference beside the one that is followed.
 * @param difference in which way it is not as the order says; null where it is
 */
export function keepBeside<S extends WithCandidates>(
  state: S,
  { listingId, status, cancellationLink }: ListingRecord,
  { difference, at }: { readonly difference: string | null; readonly at: IsoInstant },
): S {
  const before = candidateOf(state, listingId);
  const wasAskedAbout = before.place.kind === 'beside' && before.place.wasAskedAbout;
  if (before.place.kind !== 'beside' && listingsBeside(state).length >= BOOKING_TRACES.beside)
    // It is read again once there is room, and until then nothing is booked or closed.
    return know(state, listingId, { isUnread: true });
  const why = difference === null ? null : cutText(difference, TEXT_BYTES.notice);
  const place: Place = { kind: 'beside', status, cancellationLink, difference: why, wasAskedAbout };
  return knowSecond(know(state, listingId, { place, isUnread: false }), listingId, { since: at });
}

/** Keeps that there is, or was, a second one; what is known of it already stays. Of very many the newest are kept. */
export function knowSecond<S extends WithCandidates>(
  state: S,
  listingId: string,
  { since, isDelivered = false }: { readonly since: IsoInstant; readonly isDelivered?: boolean },
): S {
  const { second } = candidateOf(state, listingId);
  const told = {
    since: second?.since ?? since,
    isDelivered: second?.isDelivered === true || isDelivered,
  };
  const next = know(state, listingId, { second: told });
  const [oldest, ...others] = secondListings(next);
  return oldest !== undefined && others.length >= LIST_LIMITS.secondListings.count
    ? know(next, oldest.listingId, { second: null })
    : next;
}

/** A listing that carried the order's reference beside the one that was followed then. */
export interface SecondListing {
  readonly listingId: string;
  /** Since when the order knows of it. */
  readonly since: IsoInstant;
  /** It was delivered for the order too, which nobody can undo. */
  readonly isDelivered: boolean;
}

/** The second listings that there are and were, for whoever has to see to a second truck. */
export const secondListings = ({
  candidates,
}: Pick<WithCandidates, 'candidates'>): readonly SecondListing[] =>
  candidates.flatMap(({ listingId, second }) => (second === null ? [] : [{ listingId, ...second }]));

/** Keeps what says of a listing that it is booked; once. */
export function keepTold<S extends WithCandidates>(state: S, listingId: string, by: Witness): S {
  const { toldBy } = candidateOf(state, listingId);
  return toldBy.includes(by) ? state : know(state, listingId, { toldBy: [...toldBy, by] });
}

/** The record with what is said of it besides. */
export function withWitnesses(record: ListingRecord, state: WithCandidates): ListingRecord {
  const { toldBy } = candidateOf(state, record.listingId);
  return toldBy.length === 0 ? record : { ...record, witnesses: toldBy };
}

/**
 * The listings that our own writes, or a proof, have shown to be the order's: the followed one first, then those that
 * could be booked beside it.
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

/** Keeps which key has read a listing of the order. It exists, whatever was believed of it before. */
export function keepReading<S extends WithCandidates>(state: S, { listingId, readBy }: ListingRecord): S {
  if (!orderListings(state).some((known) => known.listingId === listingId)) return state;
  const before = candidateOf(state, listingId).readBy;
  return know(state, listingId, {
    gone: null,
    readBy: readBy === undefined ? before : withKey(before, readBy),
  });
}

const readingOf = ({ listingId, readBy }: Candidate): KnownReading => ({ listingId, readBy });

/** The order's listings that may exist: none that was taken down, or that a person has seen to be gone. */
export const standingListings = (state: WithCandidates): readonly KnownReading[] =>
  orderListings(state)
    .filter(({ gone }) => gone !== 'believed')
    .map(readingOf);

/** What is known about who can read a listing of the order. One that is gone can be no witness, but tells whose key read it. */
export function proofOf(state: WithCandidates, listingId: string): ReadingProof {
  const gone = orderListings(state).filter((known) => known.gone === 'believed');
  return proofAmong([...standingListings(state), ...gone.map(readingOf)], listingId);
}

/** Every listing that is, was or may be the order's. Whoever has room for a few takes the last ones. */
export function knownListingIds(
  state: WithCandidates & { readonly listing: { readonly listingId: string } | null },
): readonly string[] {
  const of = (isIt: (candidate: Candidate) => boolean): readonly string[] =>
    idsOf(state.candidates.filter(isIt));
  const all = [
    // Of those that events name any may be somebody else's.
    ...unreadIds(state),
    ...of(({ isOwn }) => isOwn),
    ...of(({ place }) => place.kind === 'beside'),
    ...leftIds(state),
    ...[state.listing?.listingId, state.at.listingId].filter((id) => id !== undefined),
  ];
  // The last place counts.
  return [...new Set(all.toReversed())].toReversed();
}
