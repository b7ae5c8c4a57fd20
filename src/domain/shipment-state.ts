import type { EarlierAcceptance } from './acceptance';
import type { AccountTrouble } from './account-pause';
import type { AmendmentReport } from './amendment';
import {
  cutText,
  jsonBytes,
  keepNewest,
  leaveOut,
  LIST_LIMITS,
  NOTHING_LEFT_OUT,
  TEXT_BYTES,
  type LeftOut,
} from './bounds';
import { imagesOf, type DocumentFacts } from './documents';
import { leave, startFollowing, unreadCandidate, type Candidate } from './candidates';
import type { OpenDoubt } from './doubt';
import type { FixedPrice } from './fixed-price';
import type { ListingRecord } from './listing';
import type { Load } from './listing-proof';
import { forgetMissingPapers, type PaperFacts } from './missing-papers';
import type { AgreedPrice } from './price-objections';
import type { EventCounts, SeenDigest } from './seen-events';
import type { Question } from './question';
import type { LtlRate } from './rate';
import type { RateDecision } from './rate-choice';
import type { IsoInstant, Shipment, ShipmentKind } from './shipment';
import type { KnownContacts, Tracking } from './tracking';
import type { CountedValue } from './unknown-values';

/** One line of the shipment's story, for people. Holds no names, phones or streets. */
export interface TimelineEntry {
  readonly at: IsoInstant;
  readonly what: string;
}

/** Where the shipment is, with what is only true there. */
export type PhaseState =
  | { readonly phase: 'validating' }
  | { readonly phase: 'quoting' }
  | {
      readonly phase: 'listing';
      readonly doubt: OpenDoubt | null;
      /** It is sent again after a doubt, so that a refusal may be about the first one. */
      readonly isResent: boolean;
    }
  | {
      readonly phase: 'awaitingBooking';
      readonly listingId: string;
      readonly unverified: UnverifiedListing | null;
    }
  | { readonly phase: 'collectingRates'; readonly request: RateRequest | null }
  | {
      readonly phase: 'accepting';
      readonly request: RateRequest;
      readonly rate: LtlRate;
      /** Null until the marketplace took the acceptance. */
      readonly pending: { readonly executionId: string; readonly since: IsoInstant } | null;
      readonly doubt: OpenDoubt | null;
      /** As for a listing. */
      readonly isResent: boolean;
    }
  | { readonly phase: 'booked'; readonly listingId: string }
  | { readonly phase: 'inTransit'; readonly listingId: string }
  | {
      readonly phase: 'delivered';
      readonly listingId: string;
      readonly deliveredAt: IsoInstant;
      /** The price is settled, and a listing that an event named could not be read by then; null before. */
      readonly readsOnSince: IsoInstant | null;
    }
  | { readonly phase: 'settled'; readonly listingId: string }
  /** A person ended it, by whatever they withdrew or answered; nothing is booked. */
  | {
      readonly phase: 'cancelled';
      readonly by: string;
      readonly reason: string;
      readonly endedAt: IsoInstant;
    };

/**
 * A listing is taken at the word of the write that made it; its record is held against that word before anything else.
 * This is what to go back to when the record is another order's.
 */
export interface UnverifiedListing {
  readonly from: Extract<PhaseState, { readonly phase: 'listing' | 'accepting' }>;
  readonly doubt: Omit<OpenDoubt, 'reason' | 'askAt'>;
}

/** The listing that is followed answers no reading. */
export interface UnreadableListing {
  readonly since: IsoInstant;
  readonly reason: string;
  /** It answers 404: a person is asked. Anything else passes by itself. */
  readonly isMissing: boolean;
}

export type Phase = PhaseState['phase'];

/** The rate request whose rates the shipment collects. */
export interface RateRequest {
  readonly rateRequestId: string;
  readonly attempt: number;
  readonly requestedAt: IsoInstant;
}

/** An image that is tried again beside the following of its listing. */
export interface ImageTrouble {
  readonly reason: string;
  readonly tries: number;
  readonly tryAgainAt: IsoInstant;
}

/** What the marketplace said of a call, as far as it may be shown. For `consign show`; it goes nowhere else. */
export interface Said {
  readonly at: IsoInstant;
  /** The call and how it ended, in words of our own. */
  readonly about: string;
  readonly words: string;
}

/** What is kept beside the phase, because it stays true or useful in later ones. */
export interface ShipmentFacts extends DocumentFacts, PaperFacts {
  readonly kind: ShipmentKind;
  readonly account: string;
  readonly orderId: string;
  /** When the phase was entered; null from then until it is shown, which is when the clock is at hand. */
  readonly phaseSince: IsoInstant | null;
  readonly question: Question | null;
  /** It waits for its account, about which one question is asked for all. */
  readonly pause: (AccountTrouble & { readonly since: IsoInstant }) | null;
  /** Numbers questions and sends; never goes back. */
  readonly questionsAsked: number;
  readonly sends: number;
  readonly timeline: readonly TimelineEntry[];
  /** What a person should know although nothing waits for it. */
  readonly notices: readonly string[];
  /** Of the listing, unknown or absent: a notice tells of each what it is taken for. */
  readonly toldStatuses: readonly (string | null)[];
  /** How much of its lists was not kept. */
  readonly leftOut: LeftOut;
  /** The newest last. */
  readonly said: readonly Said[];
  readonly fixedPrice: FixedPrice | null;
  readonly paymentMethodId: string | null;
  readonly rates: readonly LtlRate[];
  readonly rateDecision: RateDecision | null;
  readonly excludedRateIds: readonly string[];
  /** What became of the one of them that was tried last, for whoever is asked to choose another. */
  readonly lastRefusal: string | null;
  /** Requests since a person last decided about the rates: they are bounded. */
  readonly rateRequests: number;
  /** Of the first rate that was taken, or of the last one that a person chose or approved. */
  readonly agreedPrice: AgreedPrice | null;
  readonly listing: ListingRecord | null;
  /** Of the record as it was read; the one above keeps the furthest transit, and would never match an odd one. */
  readonly seenFingerprint: string | null;
  /** All listings that are, were or may be the order's, each once. */
  readonly candidates: readonly Candidate[];
  /** What the order was to move before it was revised: what was sent then may still be booked. */
  readonly earlierLoads: readonly Load[];
  /** Of an open listing, the last one. */
  readonly amendment: AmendmentReport | null;
  /** Each could still be booked beside the listing that is followed. */
  readonly earlierAcceptances: readonly EarlierAcceptance[];
  readonly bookedAt: IsoInstant | null;
  /** When a reading first showed that the carrier of the listing has the goods. */
  readonly pickedUpAt: IsoInstant | null;
  /** Since when the listing cannot be read, once that has lasted too long. Null while it can. */
  readonly unreadable: UnreadableListing | null;
  readonly tracking: Tracking | null;
  /** The last place that any reading named. */
  readonly lastSeen: string | null;
  readonly contacts: KnownContacts | 'unavailable' | null;
  /** Where anybody may look at the shipment without signing in; no `url` where the account has no web login. */
  readonly trackingLink: { readonly url: string | null } | null;
  /** Images tried so far, uploaded or not: none is sent twice. */
  readonly imagesTried: number;
  /** Why the next image could not be sent, and how often it was tried; null while nothing is in its way. */
  readonly imageTrouble: ImageTrouble | null;
  /** Identifiers of the events taken so far; the newest only, events are not repeated for ever. */
  readonly seenEventIds: readonly string[];
  /** What those of them said that came with a digest. */
  readonly seenDigests: readonly SeenDigest[];
  readonly events: EventCounts;
  /** Changes that reading found and no event told: how one knows that events are being lost. */
  readonly repairs: number;
  /** Values of the marketplace's open lists that this version does not know. */
  readonly unknownValues: readonly CountedValue[];
}

/** The whole state of a shipment: plain JSON, answered by the query and carried over continue-as-new. */
export interface ShipmentState extends ShipmentFacts {
  readonly at: PhaseState;
}

/** What is known in one phase. */
export type In<P extends Phase> = Extract<PhaseState, { readonly phase: P }>;

/** @param earlierListings of an earlier run of the order: they are read before anything is booked */
export function initialState(shipment: Shipment, earlierListings: readonly string[] = []): ShipmentState {
  return {
    at: { phase: 'validating' },
    kind: shipment.kind,
    account: shipment.account,
    orderId: shipment.orderId,
    phaseSince: null,
    question: null,
    pause: null,
    questionsAsked: 0,
    sends: 0,
    timeline: [],
    notices: [],
    toldStatuses: [],
    leftOut: NOTHING_LEFT_OUT,
    said: [],
    fixedPrice: null,
    paymentMethodId: null,
    rates: [],
    rateDecision: null,
    excludedRateIds: [],
    lastRefusal: null,
    rateRequests: 0,
    agreedPrice: null,
    listing: null,
    seenFingerprint: null,
    candidates: earlierListings.map(unreadCandidate),
    earlierLoads: [],
    amendment: null,
    earlierAcceptances: [],
    bookedAt: null,
    pickedUpAt: null,
    unreadable: null,
    tracking: null,
    lastSeen: null,
    images: imagesOf(shipment),
    billOfLading: null,
    attachments: [],
    wantedAttachments: [],
    contacts: null,
    trackingLink: null,
    imagesTried: 0,
    imageTrouble: null,
    missingPapers: [],
    reasonsToAsk: 0,
    seenEventIds: [],
    seenDigests: [],
    events: { taken: 0, doubled: 0, quarantined: 0 },
    repairs: 0,
    unknownValues: [],
  };
}

/** An instant and the names of the fields. */
const BYTES_BESIDE_LINE = 60;

/** Adds a line to the story; the first lines go first when it grows too long for a payload. */
export function addTimeline(state: ShipmentState, at: IsoInstant, what: string): ShipmentState {
  const line = { at, what: cutText(what, TEXT_BYTES.line) };
  const { kept, leftOut } = keepNewest(
    [...state.timeline, line],
    LIST_LIMITS.timeline,
    (entry) => jsonBytes(entry.what) + BYTES_BESIDE_LINE,
  );
  return { ...state, timeline: kept, leftOut: leaveOut(state.leftOut, { timeline: leftOut }) };
}

/** Moves to another phase. What only the old phase knew goes with it. */
export const enterPhase = (state: ShipmentState, at: PhaseState): ShipmentState => ({
  ...state,
  ...{ at, phaseSince: null },
});

/** Dates a phase that was just entered; one that is dated keeps its date, whatever is noted in it. */
export function datePhase(state: ShipmentState, at: IsoInstant): ShipmentState {
  return state.phaseSince === null ? { ...state, phaseSince: at } : state;
}

/** What is known of one listing, and says nothing of the next. */
const OF_LISTING = {
  listing: null,
  ...{ bookedAt: null, pickedUpAt: null, unreadable: null },
  ...{ tracking: null, billOfLading: null, contacts: null, trackingLink: null },
};

/** Follows another listing than before; what was known of the one before is dropped, its id is kept. */
export function switchListing(
  state: ShipmentState,
  { to, unverified = null }: { readonly to: string; readonly unverified?: UnverifiedListing | null },
): ShipmentState {
  const from = followedListing(state);
  const left = from === null || from === to ? state : leave(state, from);
  const next = enterPhase(
    { ...forgetMissingPapers(left), ...OF_LISTING },
    { phase: 'awaitingBooking', listingId: to, unverified },
  );
  return startFollowing(next, to);
}

/** The order's document is another one now; what it was to move before stays known. */
export function keepLoad(state: ShipmentState, load: Load): ShipmentState {
  const text = JSON.stringify(load);
  const isKnown = state.earlierLoads.some((known) => JSON.stringify(known) === text);
  return isKnown ? state : { ...state, earlierLoads: [...state.earlierLoads, load] };
}

/** Begins anew with another document: what was priced, chosen and approved for the one before is dropped. */
export function restart(state: ShipmentState): ShipmentState {
  const fresh: ShipmentState = {
    ...state,
    ...{ rates: [], rateDecision: null, excludedRateIds: [], lastRefusal: null },
    ...{ rateRequests: 0, agreedPrice: null },
  };
  return enterPhase(
    fresh,
    state.kind === 'furniture' ? { phase: 'quoting' } : { phase: 'collectingRates', request: null },
  );
}

/**
 * Leaves a listing whose booking ended, so that the order can be booked anew: what was known of it is dropped, its id
 * is kept, and the kind's first step is taken again.
 */
export function leaveListing(state: ShipmentState, listingId: string): ShipmentState {
  return restart({
    ...forgetMissingPapers(leave(state, listingId)),
    ...OF_LISTING,
    ...{ imagesTried: 0, imageTrouble: null, wantedAttachments: [] },
  });
}

/** Goes on watching an acceptance that nobody waits for; once for each. */
export function keepEarlierAcceptance(
  state: ShipmentState,
  kept: Omit<EarlierAcceptance, 'said'>,
): ShipmentState {
  const { earlierAcceptances } = state;
  const isKnown = earlierAcceptances.some(({ executionId }) => executionId === kept.executionId);
  const acceptance: EarlierAcceptance = { ...kept, said: { kind: 'considered' } };
  return isKnown ? state : { ...state, earlierAcceptances: [...earlierAcceptances, acceptance] };
}

/** Whether the marketplace can hold a booking of this order, as far as the state tells. */
export function isBooked(state: ShipmentState): boolean {
  return ['booked', 'inTransit', 'delivered', 'settled'].includes(state.at.phase);
}

/** The listing that is followed, or was; null in the phases without one. */
export function followedListing({ at }: ShipmentState): string | null {
  return 'listingId' in at ? at.listingId : null;
}

/** The same as a list: none, or one. */
export function followedListings(state: ShipmentState): readonly string[] {
  const listingId = followedListing(state);
  return listingId === null ? [] : [listingId];
}

/** Phases of calls that are answered at once, while nothing is in their way. No write is among them. */
const PASSING: readonly Phase[] = ['validating', 'quoting'];

/** Whether the shipment is about to be somewhere else. */
export function isPassing({ at, question, pause }: ShipmentState): boolean {
  if (question !== null || pause !== null) return false;
  if (at.phase === 'collectingRates') return at.request === null;
  return PASSING.includes(at.phase);
}

/** The write of which nobody knows whether it took effect, if there is one. */
export function doubtOf(state: ShipmentState): OpenDoubt | null {
  return 'doubt' in state.at ? state.at.doubt : null;
}

/**
 * Whether something goes on at the marketplace whatever becomes of our calls, so that an event, or some time, is reason
 * enough to look again.
 */
export function isUnderWay(state: ShipmentState): boolean {
  const isAccepted = state.at.phase === 'accepting' && state.at.pending !== null;
  return 'listingId' in state.at || isAccepted || doubtOf(state) !== null;
}
