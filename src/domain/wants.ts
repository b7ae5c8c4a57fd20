import { after } from './calendar';
import { blockedBecause } from './blocked';
import { unreadIds } from './candidates';
import { listingStanding } from './listing-progress';
import { BOOKING_PAPERS, isAskedAgain, paperWindowStart, type BookingPaper } from './missing-papers';
import type { ShipmentPolicy } from './policy';
import type { IsoDate, IsoInstant } from './shipment';
import { followedListing, type In, type ShipmentState } from './shipment-state';
import { isDelivered, markOf, type TrackingMark } from './tracking';

/** How long Consign asks for a paper. */
export type Asking =
  /** Until its window ends; `since` is the start of the window. */
  | { readonly kind: 'window'; readonly since: IsoInstant }
  /** Once more after the window, because something may have made the paper ready. */
  | { readonly kind: 'once' };

/**
 * Something that a shipment waits for while it follows a listing. Two equal wants are the same want, so the activity
 * or timer that serves it continues. Plain JSON.
 */
export type Want =
  | {
      readonly kind: 'record';
      readonly listingId: string;
      /** How long the listing may be unreadable before Consign reports it; null: already reported. Milliseconds. */
      readonly tellAfterMs: number | null;
      /**
       * The parts of the last record that decide about the booking, as read: a status that returns to its old value
       * must not look unchanged. Other parts are left out, because each new watch costs six events of history, and a
       * sweep that finds what an event has already reported costs the same.
       */
      readonly decisive: readonly unknown[];
    }
  | { readonly kind: 'tracking'; readonly listingId: string; readonly known: TrackingMark | null }
  | {
      readonly kind: 'papers';
      readonly listingId: string;
      readonly wanted: readonly BookingPaper[];
      readonly asking: Asking;
      /** If the record names a bill of lading, Consign asks for it at once. */
      readonly billOfLadingNumber: string | null;
      readonly reasonsToAsk: number;
    }
  | {
      readonly kind: 'attachment';
      readonly listingId: string;
      readonly attachmentId: string;
      readonly asking: Asking;
      readonly reasonsToAsk: number;
    }
  /** Contacts. Only a booked listing has them, whatever its status is called. */
  | { readonly kind: 'evidence'; readonly listingId: string }
  | { readonly kind: 'earlierAcceptance'; readonly executionId: string }
  /** An event named a listing that could not be read yet. */
  | { readonly kind: 'nextLook' }
  /** The change of the open listing needs something that could not be read. */
  | { readonly kind: 'nextTry' }
  | Deadline;

/** A time at which something is due. */
export interface Deadline {
  /**
   * `image`: send the next image again. `overdue`: an accepted listing should be booked by then. `settlement`: the
   * price is settled.
   */
  readonly kind: 'image' | 'overdue' | 'settlement';
  readonly at: IsoInstant;
}

/** What is known besides the state. */
export interface Following {
  readonly now: IsoInstant;
  readonly policy: ShipmentPolicy;
  readonly lastPickupOn: IsoDate;
  /** A change of the open listing waits for something that could not be read. */
  readonly isAmendmentPutOff: boolean;
}

/** Everything that the shipment still waits for while it follows a listing. */
export function wantsOf(state: ShipmentState, following: Following): readonly Want[] {
  const listingId = followedListing(state);
  if (listingId === null) return [];
  const isUnread = unreadIds(state).length > 0;
  return [
    recordWant(state, listingId, following),
    ...trackingWants(state, listingId),
    ...paperWants(state, listingId, following),
    ...attachmentWants(state, listingId),
    ...(isUnknown(state) ? [{ kind: 'evidence', listingId } as const] : []),
    ...imageDeadlines(state),
    ...(isUnread ? [{ kind: 'nextLook' } as const] : []),
    ...(following.isAmendmentPutOff ? [{ kind: 'nextTry' } as const] : []),
    ...overdueDeadlines(state, following),
    ...state.earlierAcceptances.map(
      ({ executionId }) => ({ kind: 'earlierAcceptance', executionId }) as const,
    ),
    ...settlementDeadlines(state, following),
  ];
}

function recordWant(state: ShipmentState, listingId: string, { policy }: Following): Want {
  const { listing, at, unreadable } = state;
  const known = unreadable === null ? policy.unreadableAfterMs : null;
  return {
    ...{ kind: 'record', listingId },
    // A listing that only the order's own write named may not exist at all.
    tellAfterMs: at.phase === 'awaitingBooking' && at.unverified !== null ? 0 : known,
    decisive: [
      ...[listing?.status, listing?.cancellationStatus, listing?.hasPendingBookingRequest],
      ...[listing?.bookedOn, listing?.completedOn],
    ],
  };
}

/** While in transit. After the delivery, until the tracking shows it too: the carrier's tracking can lag behind. */
function trackingWants({ at, tracking, lastSeen }: ShipmentState, listingId: string): readonly Want[] {
  const isTracked = at.phase === 'inTransit' || (at.phase === 'delivered' && !isDelivered(tracking));
  const known = tracking === null ? null : markOf(tracking, lastSeen);
  return isTracked ? [{ kind: 'tracking', listingId, known }] : [];
}

function paperWants(state: ShipmentState, listingId: string, { lastPickupOn }: Following): readonly Want[] {
  const { bookedAt, pickedUpAt, reasonsToAsk, listing } = state;
  if (bookedAt === null) return [];
  const since = paperWindowStart(bookedAt, lastPickupOn, pickedUpAt);
  const askings: readonly (readonly [readonly BookingPaper[], Asking])[] = [
    [BOOKING_PAPERS.filter((name) => state[name] === null), { kind: 'window', since }],
    [BOOKING_PAPERS.filter((name) => state[name] !== null && isAskedAgain(state, name)), { kind: 'once' }],
  ];
  return askings.flatMap(([wanted, asking]) => {
    const number = wanted.includes('billOfLading') ? (listing?.billOfLadingNumber ?? null) : null;
    const want = { kind: 'papers', listingId, wanted, asking, reasonsToAsk } as const;
    return wanted.length === 0 ? [] : [{ ...want, billOfLadingNumber: number }];
  });
}

/** An attachment that never becomes ready must not delay the proof of delivery behind it. */
const ATTACHMENTS_AT_ONCE = 5;

/** In the order of their events, several at once. */
function attachmentWants(state: ShipmentState, listingId: string): readonly Want[] {
  const { wantedAttachments, missingPapers, reasonsToAsk } = state;
  const want = (attachmentId: string, asking: Asking): Want => ({
    ...{ kind: 'attachment', listingId, attachmentId, asking, reasonsToAsk },
  });
  const wanted = new Set(wantedAttachments.map(({ attachmentId }) => attachmentId));
  const again = missingPapers
    .filter(({ paper }) => isAskedAgain(state, paper))
    .flatMap(({ paper }) => (typeof paper === 'object' ? [paper.attachmentId] : []))
    .filter((attachmentId) => !wanted.has(attachmentId));
  return [
    ...wantedAttachments
      .slice(0, ATTACHMENTS_AT_ONCE)
      .map(({ attachmentId, since }) => want(attachmentId, { kind: 'window', since })),
    ...again.slice(0, ATTACHMENTS_AT_ONCE).map((attachmentId) => want(attachmentId, { kind: 'once' })),
  ];
}

/** The status is unknown, and nothing in the record shows a booking. */
const isUnknown = ({ at, listing }: ShipmentState): boolean =>
  at.phase === 'awaitingBooking' && listing !== null && listingStanding(listing) === 'unknown';

const imageDeadlines = ({ at, imageTrouble }: ShipmentState): readonly Deadline[] =>
  at.phase === 'awaitingBooking' && imageTrouble !== null
    ? [{ kind: 'image', at: imageTrouble.tryAgainAt }]
    : [];

/**
 * Until when an LTL listing may still read as open after its acceptance said booked; null when that does not apply.
 * After it, the carrier gave the booking up before any reading showed it.
 */
function overdueAt(state: ShipmentState, { sweepPace }: ShipmentPolicy): IsoInstant | null {
  const { kind, at, phaseSince, listing } = state;
  if (kind !== 'ltl' || at.phase !== 'awaitingBooking' || phaseSince === null || listing === null)
    return null;
  return listingStanding(listing) === 'open' ? after(phaseSince, sweepPace.maximumMs) : null;
}

/** Whether an accepted listing has read as open for too long. */
export function isOverdue(state: ShipmentState, { now, policy }: Pick<Following, 'now' | 'policy'>): boolean {
  const at = overdueAt(state, policy);
  return at !== null && Date.parse(at) <= Date.parse(now);
}

function overdueDeadlines(state: ShipmentState, { now, policy }: Following): readonly Deadline[] {
  const at = overdueAt(state, policy);
  return at === null || Date.parse(at) <= Date.parse(now) ? [] : [{ kind: 'overdue', at }];
}

function settlementDeadlines(state: ShipmentState, { now, policy }: Following): readonly Deadline[] {
  const { at } = state;
  if (at.phase !== 'delivered' || blockedBecause(state, 'complete', { now, policy }) !== null) return [];
  return [{ kind: 'settlement', at: settledAt(state, at, policy) }];
}

/** A listing that could not be read delays the end for a while: it may be a second truck. */
const settledAt = (
  state: ShipmentState,
  { readsOnSince, deliveredAt }: In<'delivered'>,
  { documentWindowMs, settlementWindowMs }: ShipmentPolicy,
): IsoInstant =>
  readsOnSince !== null && unreadIds(state).length > 0
    ? after(readsOnSince, documentWindowMs)
    : after(deliveredAt, settlementWindowMs);
