import { LISTING_STATUSES, TRANSIT_STATUSES } from './listing';

/** A status of a listing that Consign knows. */
export type ListingStatus = (typeof LISTING_STATUSES)[number];
/** How far the goods have come. */
export type TransitStatus = (typeof TRANSIT_STATUSES)[number];
/** A status of a listing or of its transit that Consign knows. */
export type KnownStatus = ListingStatus | TransitStatus;

/** A marketplace's own names for the statuses that Consign knows. */
export type StatusNames = Readonly<Record<string, KnownStatus>>;

/** The words that a record shows as its status: the value, then other names. The first word counts most. */
export type StatusWords = readonly string[];

const LISTING_SYNONYMS: StatusNames = { Complete: 'Completed', Canceled: 'Cancelled' };
const TRANSIT_SYNONYMS: StatusNames = {
  Complete: 'Delivered',
  Completed: 'Delivered',
  'Delivered to consignee': 'Delivered',
  'Delivered to receiver': 'Delivered',
  'Delivered to recipient': 'Delivered',
  'Delivered to customer': 'Delivered',
};

/** Normalises spelling: `Picked Up`, `picked-up` and `PICKED_UP` are the same word. */
export const statusKey = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const sameNames = (statuses: readonly KnownStatus[]): StatusNames =>
  Object.fromEntries(statuses.map((status) => [status, status]));

const byKey = (...names: readonly StatusNames[]): ReadonlyMap<string, KnownStatus> =>
  new Map(names.flatMap(Object.entries<KnownStatus>).map(([word, status]) => [statusKey(word), status]));

const LISTING = byKey(
  sameNames(TRANSIT_STATUSES),
  TRANSIT_SYNONYMS,
  LISTING_SYNONYMS,
  sameNames(LISTING_STATUSES),
);
const TRANSIT = byKey(TRANSIT_SYNONYMS, sameNames(TRANSIT_STATUSES));

/** An id may start with the name of its list, as `ListingStatus.Booked` does. */
const keysOf = (word: string): string[] => [word, word.split(/[.:/]/).at(-1) ?? ''].map(statusKey);

function recognise(
  words: StatusWords,
  names: StatusNames,
  known: ReadonlyMap<string, KnownStatus>,
): KnownStatus | null {
  const own = byKey(names);
  for (const key of words.flatMap(keysOf)) {
    const status = own.get(key) ?? known.get(key);
    if (status !== undefined) return status;
  }
  return null;
}

/** Some marketplaces show transit progress as the listing's status. */
export const recogniseListingStatus = (words: StatusWords, names: StatusNames): KnownStatus | null =>
  recognise(words, names, LISTING);

const isTransitStatus = (status: KnownStatus | null): status is TransitStatus =>
  TRANSIT_STATUSES.some((known) => known === status);

export function recogniseTransitStatus(words: StatusWords, names: StatusNames): TransitStatus | null {
  const status = recognise(words, names, TRANSIT);
  return isTransitStatus(status) ? status : null;
}

/** Transit progress, if the listing's status shows it. */
export function recogniseProgress(words: StatusWords, names: StatusNames): TransitStatus | null {
  const status = recogniseListingStatus(words, names);
  return isTransitStatus(status) ? status : null;
}

/** The word to show for an unknown status: a word with letters says more than a number. */
export const shownWord = (words: StatusWords): string | null =>
  words.find((word) => /\p{L}/u.test(word)) ?? words[0] ?? null;
