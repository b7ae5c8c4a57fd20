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
import type { Lateness } from './lateness';
import type { ListingRecord } from './listing';
import type { Load } from './listing-proof';
import { forgetMissingPapers, type PaperFacts } from './missing-papers';
import type { Money } from './money';
import type { AgreedPrice } from './price-objections';
import type { PriceChange } from './price-watch';
import type { EventCounts, SeenDigest } from './seen-events';
import type { Question } from './question';
import type { LtlRate } from './rate';
import type { RateDecision } from './rate-choice';
import type { IsoInstant, Shipment, ShipmentKind } from './shipment';
import type { KnownContacts, Tracking } from './tracking';
import type { CountedValue } from './unknown-values';

/** One line of the shipment's timeline, for people. Contains no name, phone or street. */
export interface TimelineEntry {
  readonly at: IsoInstant;
  readonly what: string;
}

/** The phase, with what is known only in that phase. */
export type PhaseState =
  | { readonly phase: 'validating' }
  | { readonly phase: 'quoting' }
  | {
      readonly phase: 'listing';
      readonly doubt: OpenDoubt | null;
      /** The listing was sent again after a doubt, so a refusal may be about the first send. */
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
      /** Null until the marketplace accepts the request. */
      readonly pending: { readonly executionId: string; readonly since: IsoInstant } | null;
      readonly doubt: OpenDoubt | null;
      /** The acceptance was sent again, as for a listing. */
      readonly isResent: boolean;
    }
  | { readonly phase: 'booked'; readonly listingId: string }
  | { readonly phase: 'inTransit'; readonly listingId: string }
  | {
      readonly phase: 'delivered';
      readonly listingId: string;
      readonly deliveredAt: IsoInstant;
      /** Set when the price is settled but a listing that an event named is still unread; null before. */
      readonly readsOnSince: IsoInstant | null;
    }
  | { readonly phase: 'settled'; readonly listingId: string; readonly deliveredAt: IsoInstant }
  /** A person ended the order, by a withdrawal or an answer. Nothing is booked. */
  | {
      readonly phase: 'cancelled';
      readonly by: string;
      readonly reason: string;
      readonly endedAt: IsoInstant;
    };

/**
 * The word of a write that made the followed listing. Consign checks the listing's record against it before anything
 * else, and returns to this phase if the record is another order's.
 */
export interface UnverifiedListing {
  readonly from: Extract<PhaseState, { readonly phase: 'listing' | 'accepting' }>;
  readonly doubt: Omit<OpenDoubt, 'reason' | 'askAt'>;
}

/** Consign cannot read the followed listing. */
export interface UnreadableListing {
  readonly since: IsoInstant;
  readonly reason: string;
  /** The listing answers 404, so a person is asked. Any other failure passes by itself. */
  readonly isMissing: boolean;
}

/** Where a shipment is in its life. */
export type Phase = PhaseState['phase'];

/** The rate request whose rates the shipment collects. */
export interface RateRequest {
  readonly rateRequestId: string;
  readonly attempt: number;
  readonly requestedAt: IsoInstant;
}

/** An image whose upload Consign tries again while it follows the listing. */
export interface ImageTrouble {
  readonly reason: string;
  readonly tries: number;
  readonly tryAgainAt: IsoInstant;
}

/** What the marketplace said about a call, as far as it may be shown. Only `consign show` prints it. */
export interface Said {
  readonly at: IsoInstant;
  /** The call and how it ended, in Consign's words. */
  readonly about: string;
  readonly words: string;
}

/** Facts that stay true or useful after a phase ends. */
export interface ShipmentFacts extends DocumentFacts, PaperFacts {
  readonly kind: ShipmentKind;
  readonly account: string;
  readonly orderId: string;
  /** When the phase began. Null from the phase change until the state is published, which reads the clock. */
  readonly phaseSince: IsoInstant | null;
  readonly question: Question | null;
  /** Set while the shipment waits for its account; one question covers all shipments of the account. */
  readonly pause: (AccountTrouble & { readonly since: IsoInstant }) | null;
  /** Numbers of questions and sends; they never decrease. */
  readonly questionsAsked: number;
  readonly sends: number;
  readonly timeline: readonly TimelineEntry[];
  /** What a person should know although nothing waits for it. */
  readonly notices: readonly string[];
  /** Listing statuses, unknown or absent, whose interpretation a notice has explained. */
  readonly toldStatuses: readonly (string | null)[];
  /** How many list entries were left out. */
  readonly leftOut: LeftOut;
  /** The newest last. */
  readonly said: readonly Said[];
  readonly fixedPrice: FixedPrice | null;
  readonly paymentMethodId: string | null;
  readonly rates: readonly LtlRate[];
  readonly rateDecision: RateDecision | null;
  readonly excludedRateIds: readonly string[];
  /** Why the last rate failed, for the person who chooses another. */
  readonly lastRefusal: string | null;
  /** Rate requests since a person last decided about rates; the policy bounds them. */
  readonly rateRequests: number;
  /** Price of the first accepted rate, or of the last one that a person chose or approved. */
  readonly agreedPrice: AgreedPrice | null;
  readonly listing: ListingRecord | null;
  /** Fingerprint of the record as read. `listing` is no substitute, because it keeps the furthest transit status. */
  readonly seenFingerprint: string | null;
  /** All listings that are, were or may be the order's, each once. */
  readonly candidates: readonly Candidate[];
  /** Loads from before revisions: a listing of an earlier load may still be booked. */
  readonly earlierLoads: readonly Load[];
  /** How the last change of an open listing ended. */
  readonly amendment: AmendmentReport | null;
  /** Each could still be booked besides the followed listing. */
  readonly earlierAcceptances: readonly EarlierAcceptance[];
  readonly bookedAt: IsoInstant | null;
  /** When a reading first showed the goods on the truck. */
  readonly pickedUpAt: IsoInstant | null;
  /** Set once the listing has been unreadable for too long; null while it can be read. */
  readonly unreadable: UnreadableListing | null;
  readonly tracking: Tracking | null;
  /** When the tracking last had news; null before the first. */
  readonly heardAt: IsoInstant | null;
  /** What the shipment is late with now. */
  readonly late: Lateness | null;
  /** What a booked listing's price is compared with; null before the booking. */
  readonly acceptedPrice: Money | null;
  /** Set while a person should decide about a raised price. */
  readonly priceChange: PriceChange | null;
  /** The last place that any reading named. */
  readonly lastSeen: string | null;
  readonly contacts: KnownContacts | 'unavailable' | null;
  /** Public tracking page, without sign-in; no `url` when the account has no web login. */
  readonly trackingLink: { readonly url: string | null } | null;
  /** How many images were tried, uploaded or not: none is sent twice. */
  readonly imagesTried: number;
  /** Why the next image could not be sent, and how often; null when nothing blocks it. */
  readonly imageTrouble: ImageTrouble | null;
  /** Identifiers of past events. Only the newest, because no event repeats for ever. */
  readonly seenEventIds: readonly string[];
  /** Digests of past events that came with one. */
  readonly seenDigests: readonly SeenDigest[];
  readonly events: EventCounts;
  /** Changes that a reading found and no event announced: a sign of lost events. */
  readonly repairs: number;
  /** Values of the marketplace's open lists that this version does not know. */
  readonly unknownValues: readonly CountedValue[];
}

/** The whole state of a shipment. Plain JSON: the query returns it, and continue-as-new carries it. */
export interface ShipmentState extends ShipmentFacts {
  readonly at: PhaseState;
}

export type In<P extends Phase> = Extract<PhaseState, { readonly phase: P }>;

/** @param earlierListings listings of an earlier run of the order, which are read before anything is booked */
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
    heardAt: null,
    late: null,
    acceptedPrice: null,
    priceChange: null,
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

/** The instant and the names of the fields. */
const BYTES_BESIDE_LINE = 60;

/** Adds a timeline line; the oldest lines are dropped when the timeline grows too long for a payload. */
export function addTimeline(state: ShipmentState, at: IsoInstant, what: string): ShipmentState {
  const line = { at, what: cutText(what, TEXT_BYTES.line) };
  const { kept, leftOut } = keepNewest(
    [...state.timeline, line],
    LIST_LIMITS.timeline,
    (entry) => jsonBytes(entry.what) + BYTES_BESIDE_LINE,
  );
  return { ...state, timeline: kept, leftOut: leaveOut(state.leftOut, { timeline: leftOut }) };
}

/** Moves to another phase and drops what only the old phase knew. */
export const enterPhase = (state: ShipmentState, at: PhaseState): ShipmentState => ({
  ...state,
  ...{ at, phaseSince: null },
});

/** Dates a phase that just began; a dated phase keeps its date. */
export function datePhase(state: ShipmentState, at: IsoInstant): ShipmentState {
  return state.phaseSince === null ? { ...state, phaseSince: at } : state;
}

/** Facts about one listing that do not apply to the next. */
const OF_LISTING = {
  listing: null,
  ...{ bookedAt: null, pickedUpAt: null, unreadable: null },
  ...{ tracking: null, billOfLading: null, contacts: null, trackingLink: null },
  ...{ heardAt: null, late: null, acceptedPrice: null, priceChange: null },
};

/** Follows another listing: drops the facts about the previous one and keeps its id. */
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

/** Remembers the load from before a revision. */
export function keepLoad(state: ShipmentState, load: Load): ShipmentState {
  const text = JSON.stringify(load);
  const isKnown = state.earlierLoads.some((known) => JSON.stringify(known) === text);
  return isKnown ? state : { ...state, earlierLoads: [...state.earlierLoads, load] };
}

/** Starts again with another document: drops the prices, choices and approvals of the previous one. */
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
 * Leaves a listing whose booking ended, to book the order again: drops the facts about the listing, keeps its id, and
 * returns to the first phase.
 */
export function leaveListing(state: ShipmentState, listingId: string): ShipmentState {
  return restart({
    ...forgetMissingPapers(leave(state, listingId)),
    ...OF_LISTING,
    ...{ imagesTried: 0, imageTrouble: null, wantedAttachments: [] },
  });
}

/** Keeps watching, once, an acceptance that the order no longer waits for. */
export function keepEarlierAcceptance(state: ShipmentState, kept: EarlierAcceptance): ShipmentState {
  const { earlierAcceptances } = state;
  const isKnown = earlierAcceptances.some(({ executionId }) => executionId === kept.executionId);
  return isKnown ? state : { ...state, earlierAcceptances: [...earlierAcceptances, kept] };
}

/** Whether the state says that the order is booked at the marketplace. */
export function isBooked(state: ShipmentState): boolean {
  return ['booked', 'inTransit', 'delivered', 'settled'].includes(state.at.phase);
}

/** The listing that the order follows or followed; null in phases without one. */
export function followedListing({ at }: ShipmentState): string | null {
  return 'listingId' in at ? at.listingId : null;
}

/** The followed listing as a list of none or one. */
export function followedListings(state: ShipmentState): readonly string[] {
  const listingId = followedListing(state);
  return listingId === null ? [] : [listingId];
}

/** Phases whose calls normally return at once. None of them writes. */
const PASSING: readonly Phase[] = ['validating', 'quoting'];

/** Whether the shipment is about to leave its phase. */
export function isPassing({ at, question, pause }: ShipmentState): boolean {
  if (question !== null || pause !== null) return false;
  if (at.phase === 'collectingRates') return at.request === null;
  return PASSING.includes(at.phase);
}

/** The write with unknown outcome; null when there is none. */
export function doubtOf(state: ShipmentState): OpenDoubt | null {
  return 'doubt' in state.at ? state.at.doubt : null;
}

/**
 * Whether the marketplace may act without further calls from Consign. Then an event, or some time, is a reason to
 * look again.
 */
export function isUnderWay(state: ShipmentState): boolean {
  const isAccepted = state.at.phase === 'accepting' && state.at.pending !== null;
  return 'listingId' in state.at || isAccepted || doubtOf(state) !== null;
}
