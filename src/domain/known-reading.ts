/** A listing, and the fingerprints of the keys that have read it; the newest last. */
export interface KnownReading {
  readonly listingId: string;
  readonly readBy: readonly string[];
}

/** Evidence for judging a 404: which keys have read this listing, and which have read other listings of the order. */
export interface ReadingProof {
  readonly readBy: readonly string[];
  /** Null when the listing may be anyone's: then no key can prove anything, and the marketplace's 404 counts. */
  readonly witnesses: readonly KnownReading[] | null;
}

export const OWNER_UNKNOWN: ReadingProof = { readBy: [], witnesses: null };

/** Keys are rotated now and then, and two may be in use at once. */
const MAX_KEYS = 4;
const MAX_WITNESSES = 5;

export function withKey(readBy: readonly string[], key: string): readonly string[] {
  return readBy.includes(key) ? readBy : [...readBy, key].slice(-MAX_KEYS);
}

/** What is known about who can read a listing and others of its order; the best witnesses first. */
export function proofAmong(known: readonly KnownReading[], listingId: string): ReadingProof {
  const own = known.find((reading) => reading.listingId === listingId);
  const others = known.filter((reading) => reading !== own);
  return { readBy: own?.readBy ?? [], witnesses: others.slice(0, MAX_WITNESSES) };
}

/** Reads a list of readings from a memo; empty when there is none. */
export function parseReadings(memo: unknown): readonly KnownReading[] {
  if (!Array.isArray(memo)) return [];
  return memo.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return [];
    const { listingId, readBy }: Record<string, unknown> = { ...entry };
    if (typeof listingId !== 'string' || !Array.isArray(readBy)) return [];
    return [{ listingId, readBy: readBy.filter((key) => typeof key === 'string') }];
  });
}
