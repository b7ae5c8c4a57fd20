import { LIST_LIMITS } from './bounds';
import type { StoredBillOfLading } from './documents';
import type { IsoDate, IsoInstant } from './shipment';
import type { KnownContacts } from './tracking';

/** A paper that could not be had within its window. Later events ask for it once more. */
export interface MissingPaper {
  readonly paper: Paper;
  /** What a person was told about it; null where nothing was. */
  readonly notice: string | null;
  /** Up to which reason to ask it was asked for. */
  readonly askedFor: number;
}

/** What every booking has. */
export const BOOKING_PAPERS = ['billOfLading', 'contacts', 'trackingLink'] as const;
/** A paper that each booking has. */
export type BookingPaper = (typeof BOOKING_PAPERS)[number];

export interface RefusedPaper {
  readonly paper: BookingPaper;
  /** In words of our own. */
  readonly reason: string;
  /** What the marketplace said, as far as it may be shown; null where it said nothing. */
  readonly words: string | null;
}

/** What one asking for some of them brought; those that it does not name are not ready. */
export interface PapersFound {
  readonly billOfLading?: StoredBillOfLading;
  readonly contacts?: KnownContacts;
  /** No `url` where the account has no web login. */
  readonly trackingLink?: { readonly url: string | null };
  /** For good. */
  readonly refused?: readonly RefusedPaper[];
}

/** A paper of a booking, or an attachment. */
export type Paper = BookingPaper | { readonly attachmentId: string };

const isSamePaper = (a: Paper, b: Paper): boolean =>
  typeof a === 'object' && typeof b === 'object' ? a.attachmentId === b.attachmentId : a === b;

/** What is known of a paper that is missing; undefined while it is not. */
export const missingOf = ({ missingPapers }: PaperFacts, paper: Paper): MissingPaper | undefined =>
  missingPapers.find((one) => isSamePaper(one.paper, paper));

/** What a shipment knows of its missing papers. */
export interface PaperFacts {
  readonly missingPapers: readonly MissingPaper[];
  /** How many reasons there were to ask for missing papers again: events, transit steps, a person. */
  readonly reasonsToAsk: number;
}

type WithNotices = PaperFacts & { readonly notices: readonly string[] };

/** So many are kept, the newest: a state must fit into a payload. */
const MOST_MISSING = 103;

/** Whether there was a reason to ask for a missing paper since it was asked for last. */
export function isAskedAgain(facts: PaperFacts, paper: Paper): boolean {
  const missing = missingOf(facts, paper);
  return missing !== undefined && missing.askedFor < facts.reasonsToAsk;
}

/** Gives a paper up until there is a reason to ask for it again. A notice stands once, however often it is missed. */
export function missPaper<T extends WithNotices>(state: T, paper: Paper, notice: string | null): T {
  const left = findPaper(state, paper);
  const missing = { paper, notice, askedFor: state.reasonsToAsk };
  const notices = [...left.notices, ...(notice === null ? [] : [notice])];
  return {
    ...left,
    notices: notices.slice(-LIST_LIMITS.notices.count),
    missingPapers: [...left.missingPapers, missing].slice(-MOST_MISSING),
  };
}

/** A paper is there, or no longer wanted: the notice that it was missing is taken back. */
export function findPaper<T extends WithNotices>(state: T, paper: Paper): T {
  const missing = missingOf(state, paper);
  if (missing === undefined) return state;
  return {
    ...state,
    notices: state.notices.filter((notice) => notice !== missing.notice),
    missingPapers: state.missingPapers.filter((one) => one !== missing),
  };
}

/** The papers were of a booking that is over. */
export function forgetMissingPapers<T extends WithNotices>(state: T): T {
  return state.missingPapers.reduce((left, { paper }) => findPaper(left, paper), state);
}

/** Something happened that can have made a missing paper ready. */
export function askAgain<T extends PaperFacts>(state: T): T {
  return state.missingPapers.length === 0 ? state : { ...state, reasonsToAsk: state.reasonsToAsk + 1 };
}

interface Asked extends PaperFacts {
  readonly at: { readonly phase: string };
  readonly bookedAt: IsoInstant | null;
  readonly billOfLading: unknown;
  readonly contacts: unknown;
  readonly trackingLink: unknown;
  readonly wantedAttachments: readonly unknown[];
}

/** Why a person cannot have the missing documents asked for again; null when they can. */
export function refuseFetching(
  state: Asked,
  { by, reason }: { readonly by: string; readonly reason: string },
): string | null {
  if (by.trim() === '') return 'say who asks: `by` must not be empty';
  if (reason.trim() === '') return 'say why: `reason` must not be empty';
  if (state.bookedAt === null) return 'the shipment is not booked, so it has no documents';
  const papers = [state.billOfLading, state.contacts, state.trackingLink];
  const isComplete =
    !papers.includes(null) && state.missingPapers.length === 0 && state.wantedAttachments.length === 0;
  return isComplete ? 'no document is missing' : null;
}

/**
 * From when the window of a booking's papers counts: carriers write them for the pickup.
 * @param pickedUpAt when the goods were seen to be on the truck; null while they are not
 */
export function paperWindowStart(
  bookedAt: IsoInstant,
  lastPickupOn: IsoDate,
  pickedUpAt: IsoInstant | null,
): IsoInstant {
  const pickupDay = `${lastPickupOn}T00:00:00.000Z`;
  const pickup = pickedUpAt !== null && pickedUpAt < pickupDay ? pickedUpAt : pickupDay;
  return pickup > bookedAt ? pickup : bookedAt;
}
