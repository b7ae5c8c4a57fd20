import { unansweredAcceptances } from './acceptance';
import { assertNever } from './assert-never';
import { duplicateListings } from './candidates';
import { hasEnded } from './listing-progress';
import type { QuestionKind } from './question';
import type { ShipmentState } from './shipment-state';

/** Questions about an order's listings, the most important first. */
export const LISTING_QUESTIONS = [
  ...(['listingMissing', 'listingEnded', 'possibleDoubleBooking', 'unansweredAcceptance'] as const),
  ...(['priceChanged', 'late'] as const),
] as const;
export type ListingQuestion = (typeof LISTING_QUESTIONS)[number];

export const isListingQuestion = (kind: QuestionKind): kind is ListingQuestion =>
  LISTING_QUESTIONS.some((known) => known === kind);

/**
 * Whether there is a reason to ask. An open question without one closes.
 * @param isOverdue the acceptance said booked, and the record has not followed for too long
 */
export function isReason(state: ShipmentState, kind: ListingQuestion, isOverdue: boolean): boolean {
  switch (kind) {
    case 'listingMissing':
      return state.unreadable?.isMissing === true;
    case 'listingEnded':
      return hasEnded(state) || isOverdue;
    case 'possibleDoubleBooking':
      return duplicateListings(state).length > 0;
    case 'unansweredAcceptance':
      return unansweredAcceptances(state).length > 0 && !isAny(MORE_URGENT, state, isOverdue);
    // These wait while something decides about the booking itself.
    case 'priceChanged':
      return state.priceChange !== null && !isAny(ABOUT_BOOKING, state, isOverdue);
    case 'late':
      return state.late?.isSeen === false && !isAny(ABOUT_BOOKING, state, isOverdue);
    default:
      return assertNever(kind);
  }
}

const MORE_URGENT = ['listingMissing', 'listingEnded', 'possibleDoubleBooking'] as const;
const ABOUT_BOOKING = [...MORE_URGENT, 'unansweredAcceptance'] as const;

const isAny = (kinds: readonly ListingQuestion[], state: ShipmentState, isOverdue: boolean): boolean =>
  kinds.some((kind) => isReason(state, kind, isOverdue));

/** The question that a person must answer about the listings now; null when there is none. */
export const wantedQuestion = (state: ShipmentState, isOverdue: boolean): ListingQuestion | null =>
  LISTING_QUESTIONS.find((kind) => isReason(state, kind, isOverdue)) ?? null;
