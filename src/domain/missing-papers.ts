import { LIST_LIMITS } from './bounds';
import type { StoredBillOfLading } from './documents';
import type { IsoDate, IsoInstant } from './shipment';
import type { KnownContacts } from './tracking';

/** A paper that Consign could not get within its window. A later event asks for it once more. */
export interface MissingPaper {
  readonly paper: Paper;
  /** The notice to a person; null when there was none. */
  readonly notice: string | null;
  /** The value of `reasonsToAsk` when Consign last asked for it. */
  readonly askedFor: number;
}

/** Papers of every booking. */
export const BOOKING_PAPERS = ['billOfLading', 'contacts', 'trackingLink'] as const;
/** A paper that each booking has. */
export type BookingPaper = (typeof BOOKING_PAPERS)[number];

export interface RefusedPaper {
  readonly paper: BookingPaper;
  /** Consign's own text. */
  readonly reason: string;
  /** What the marketplace said, as far as it may be shown; null when it said nothing. */
  readonly words: string | null;
}

/** Result of asking for several papers. Papers that it does not mention are not ready. */
export interface PapersFound {
  readonly billOfLading?: StoredBillOfLading;
  readonly contacts?: KnownContacts;
  /** No `url` when the account has no web login. */
  readonly trackingLink?: { readonly url: string | null };
  /** Papers that will never come. */
  readonly refused?: readonly RefusedPaper[];
}

/** A paper of a booking, or an attachment. */
export type Paper = BookingPaper | { readonly attachmentId: string };

const isSamePaper = (a: Paper, b: Paper): boolean =>
  typeof a === 'object' && typeof b === 'object' ? a.attachmentId === b.attachmentId : a === b;

/** What is known about a missing paper; undefined when it is not missing. */
export const missingOf = ({ missingPapers }: PaperFacts, paper: Paper): MissingPaper | undefined =>
  missingPapers.find((one) => isSamePaper(one.paper, paper));

/** What a shipment knows of its missing papers. */
export interface PaperFacts {
  readonly missingPapers: readonly MissingPaper[];
  /** Counts reasons to ask again for missing papers: events, transit steps, a person's request. */
  readonly reasonsToAsk: number;
}

type WithNotices = PaperFacts & { readonly notices: readonly string[] };

/** The newest are kept, because a state must fit into a payload. */
const MOST_MISSING = 103;

/** Whether there was a new reason since Consign last asked for this paper. */
export function isAskedAgain(facts: PaperFacts, paper: Paper): boolean {
  const missing = missingOf(facts, paper);
  return missing !== undefined && missing.askedFor < facts.reasonsToAsk;
}

/** Gives a paper up until there is a new reason to ask. A paper that is missed several times gets one notice. */
export function markPaperMissing<T extends WithNotices>(state: T, paper: Paper, notice: string | null): T {
  const left = clearMissingPaper(state, paper);
  const missing = { paper, notice, askedFor: state.reasonsToAsk };
  const notices = [...left.notices, ...(notice === null ? [] : [notice])];
  return {
    ...left,
    notices: notices.slice(-LIST_LIMITS.notices.count),
    missingPapers: [...left.missingPapers, missing].slice(-MOST_MISSING),
  };
}

/** The paper arrived, or is no longer wanted. Removes the notice that it was missing. */
export function clearMissingPaper<T extends WithNotices>(state: T, paper: Paper): T {
  const missing = missingOf(state, paper);
  if (missing === undefined) return state;
  return {
    ...state,
    notices: state.notices.filter((notice) => notice !== missing.notice),
    missingPapers: state.missingPapers.filter((one) => one !== missing),
  };
}

/** Drops the missing papers of a booking that is over. */
export function forgetMissingPapers<T extends WithNotices>(state: T): T {
  return state.missingPapers.reduce((left, { paper }) => clearMissingPaper(left, paper), state);
}

/** Records that something may have made a missing paper ready. */
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

/** Why Consign cannot ask again for the missing documents; null when it can. */
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
 * Start of the waiting window for a booking's papers: carriers write them for the pickup.
 * @param pickedUpAt when a reading showed the goods on the truck; null before
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
