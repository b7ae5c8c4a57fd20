import { mayBringTruck, whyConsidered } from './acceptance';
import { noRoomToBook } from './bounded-state';
import { namesOf } from './bounds';
import { duplicateListings, unreadIds } from './candidates';
import { isAskedAgain } from './missing-papers';
import type { ShipmentPolicy } from './policy';
import type { IsoInstant } from './shipment';
import { doubtOf, type ShipmentState } from './shipment-state';

/**
 * `book`: send a listing or an acceptance. `resend`: send one again whose outcome is unknown. `close`: end the order
 * with nothing booked. `complete`: end the order as delivered.
 */
export type FinalStep = 'book' | 'resend' | 'close' | 'complete';

export interface Blocking {
  /**
   * `carrier`: a carrier may still book an earlier acceptance; before all steps but `complete` this passes with time. `listing`: a listing must be
   * read, deleted or asked about. `doubt`: the carrier may still answer. `room`: the state has no room for another
   * booking. `papers`: papers of the delivery are awaited.
   */
  readonly by: 'carrier' | 'listing' | 'doubt' | 'room' | 'papers';
  readonly why: string;
}

interface Moment {
  readonly now: IsoInstant;
  readonly policy: Pick<ShipmentPolicy, 'acceptance' | 'unsafeResendInDoubt'>;
}

/** UNSAFE, see the policy: the judge of `npm run chaos` must see what happens when nobody looks after doubts and duplicates. */
export const isUnguarded = (policy: Pick<ShipmentPolicy, 'unsafeResendInDoubt'>): boolean =>
  policy.unsafeResendInDoubt === true;

/**
 * Why the order may not take a step after which a booking could be made twice or lost; null when it may. Only this
 * function decides that. The caller reads and deletes listings until the result is null, and awaits nothing between
 * the last call and the step.
 */
export function blockedBecause(state: ShipmentState, step: FinalStep, moment: Moment): Blocking | null {
  if (step === 'complete')
    return byListing(state, { isUnreadLeft: true }) ?? byAcceptance(state) ?? byPapers(state);
  const room = step === 'close' ? null : byRoom(state);
  if (isUnguarded(moment.policy)) return room;
  const doubt = step === 'resend' ? byDoubt(state, moment) : null;
  return doubt ?? byListing(state, { isUnreadLeft: false }) ?? byCarrier(state, moment) ?? room;
}

/** @param isUnreadLeft whether the order has waited long enough for a listing that cannot be read */
function byListing(
  state: ShipmentState,
  { isUnreadLeft }: { readonly isUnreadLeft: boolean },
): Blocking | null {
  const [beside] = duplicateListings(state);
  if (beside !== undefined) {
    const { listingId, status } = beside;
    return {
      by: 'listing',
      why: `listing ${listingId} (${status ?? 'no status'}) carries the reference of this order too`,
    };
  }
  const unread = unreadIds(state);
  if (isUnreadLeft || unread.length === 0) return null;
  return {
    by: 'listing',
    why: `listing ${namesOf(unread)} has not been read yet and may belong to this order`,
  };
}

function byCarrier(state: ShipmentState, { now, policy }: Moment): Blocking | null {
  const why = whyConsidered(state.earlierAcceptances, { now, windowMs: policy.acceptance.windowMs });
  return why === null ? null : { by: 'carrier', why };
}

/** The order follows a listing, and each acceptance is watched until it has an answer, or a person says that no truck comes. */
function byAcceptance({ earlierAcceptances }: ShipmentState): Blocking | null {
  const open = earlierAcceptances.find(({ said }) => mayBringTruck(said));
  return open === undefined
    ? null
    : { by: 'carrier', why: `it is not known yet whether ${open.carrier} books what was accepted before` };
}

/** The carrier may still answer the first acceptance. */
function byDoubt(state: ShipmentState, { now }: Moment): Blocking | null {
  const resendFrom = doubtOf(state)?.resendFrom ?? null;
  if (resendFrom === null || Date.parse(now) >= Date.parse(resendFrom)) return null;
  const why = `the first one may still be answered; it can be sent again, or abandoned, from ${resendFrom} on`;
  return { by: 'doubt', why };
}

function byRoom(state: ShipmentState): Blocking | null {
  const why = noRoomToBook(state);
  return why === null ? null : { by: 'room', why };
}

/** The proof of delivery may be on its way. The wait for an attachment that never comes ends by itself. */
function byPapers(state: ShipmentState): Blocking | null {
  const { missingPapers, wantedAttachments } = state;
  const isAwaited =
    wantedAttachments.length > 0 || missingPapers.some(({ paper }) => isAskedAgain(state, paper));
  return isAwaited ? { by: 'papers', why: 'papers of the delivery are on their way' } : null;
}
