import { after } from './calendar';
import { blockedBecause } from './blocked';
import { unreadIds } from './candidates';
import { listingStanding } from './listing-progress';
import { BOOKING_PAPERS, isAskedAgain, paperWindowStart, type BookingPaper } from './missing-papers';
import type { ShipmentPolicy } from './policy';
import type { IsoDate, IsoInstant } from './shipment';
import { followedListing, type In, type ShipmentState } from './shipment-state';
import { isDelivered, markOf, type TrackingMark } from './tracking';

/** For how long a paper is asked for. */
export type Asking =
  /** Until its window is over; `since` is its start. */
  | { readonly kind: 'window'; readonly since: IsoInstant }
  /** After its window: something happened that can have made it ready. */
  | { readonly kind: 'once' };

/**
 * One thing that a shipment waits for while it follows a listing. Two that are equal are the same: what runs for it goes on.
 * Plain JSON.
 */
export type Want =
  | {
      readonly kind: 'record';
      readonly listingId: string;
      /** After how long a listing that cannot be read is reported; null: never again. Milliseconds. */
      readonly tellAfterMs: number | null;
      /**
       * The parts of the last record on which the booking depends, as they were read: a status that goes back to what it was
       * must not look unchanged. The rest is not part of it: each beginning is six events of the history, and a sweep that
       * finds what an event has told costs no more.
       */
      readonly decisive: readonly unknown[];
    }
  | { readonly kind: 'tracking'; readonly listingId: string; readonly known: TrackingMark | null }
  | {
      readonly kind: 'papers';
      readonly listingId: string;
      readonly wanted: readonly BookingPaper[];
      readonly asking: Asking;
      /** The bill of lading is asked for at once when the record names its number. */
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
  /** Contacts, which only a booked listing has, whatever its status is called. */
  | { readonly kind: 'evidence'; readonly listingId: string }
  | { readonly kind: 'earlierAcceptance'; readonly executionId: string }
  /** An event named a listing that could not be read. */
  | { readonly kind: 'nextLook' }
  /** The open listing is to be changed, and something that the change depends on could not be read. */
  | { readonly kind: 'nextTry' }
  | Deadline;

/** A time at which something is due. */
export interface Deadline {
  /**
   * `image`: the next image is sent again. `overdue`: an accepted listing should be booked by then. `settlement`: the price
   * is settled.
   */
  readonly kind: 'image' | 'overdue' | 'settlement';
  readonly at: IsoInstant;
}

/** What is known beside the state. */
export interface Following {
  readonly now: IsoInstant;
  readonly policy: ShipmentPolicy;
  readonly lastPickupOn: IsoDate;
  /** A change of the open listing waits for something that could not be read. */
  readonly isAmendmentPutOff: boolean;
}

/** Everything that a shipment that follows a listing waits for, as far as it is still unknown. */
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
    // One that only our own write named may not exist at all.
    tellAfterMs: at.phase === 'awaitingBooking' && at.unverified !== null ? 0 : known,
    decisive: [
      ...[listing?.status, listing?.cancellationStatus, listing?.hasPendingBookingRequest],
      ...[listing?.bookedOn, listing?.completedOn],
    ],
  };
}

/** On its way; after the delivery until the tracking shows it too, which is late where nobody waits for it. */
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

/** One that does not become ready must not hold up the proof of delivery behind it. */
const ATTACHMENTS_AT_ONCE = 5;

/** In the order of their events, some at once. */
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

/** Nobody knows what its status means, and nothing in its record shows a booking. */
const isUnknown = ({ at, listing }: ShipmentState): boolean =>
  at.phase === 'awaitingBooking' && listing !== null && listingStanding(listing) === 'unknown';

const imageDeadlines = ({ at, imageTrouble }: ShipmentState): readonly Deadline[] =>
  at.phase === 'awaitingBooking' && imageTrouble !== null
    ? [{ kind: 'image', at: imageTrouble.tryAgainAt }]
    : [];

/**
 * Until when an LTL listing whose acceptance said that it is booked may still read as open; null where that is no question.
 * After it, its carrier gave it up before anybody saw it booked.
 */
function overdueAt(state: ShipmentState, { sweepPace }: ShipmentPolicy): IsoInstant | null {
  const { kind, at, phaseSince, listing } = state;
  if (kind !== 'ltl' || at.phase !== 'awaitingBooking' || phaseSince === null || listing === null)
    return null;
  return listingStanding(listing) === 'open' ? after(phaseSince, sweepPace.maximumMs) : null;
}

/** Whether an accepted listing reads as open for too long. */
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

/** It is put off for a while by a listing that could not be read: it may be a second truck. */
const settledAt = (
  state: ShipmentState,
  { readsOnSince, deliveredAt }: In<'delivered'>,
  { documentWindowMs, settlementWindowMs }: ShipmentPolicy,
): IsoInstant =>
  readsOnSince !== null && unreadIds(state).length > 0
    ? after(readsOnSince, documentWindowMs)
    : after(deliveredAt, settlementWindowMs);
