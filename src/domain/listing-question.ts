import { assertNever } from './assert-never';
import { listingsBeside } from './candidates';
import { hasEnded } from './listing-progress';
import type { QuestionKind } from './question';
import type { ShipmentState } from './shipment-state';

/** What is asked about the listings of an order, what matters most first. */
export const LISTING_QUESTIONS = ['listingMissing', 'listingEnded', 'possibleDoubleBooking'] as const;
export type ListingQuestion = (typeof LISTING_QUESTIONS)[number];

export const isListingQuestion = (kind: QuestionKind): kind is ListingQuestion =>
  LISTING_QUESTIONS.some((known) => known === kind);

/**
 * Whether there is reason to ask: without one, a question that is open is taken back.
 * @param isOverdue an acceptance said that it is booked, and its record does not for too long
 */
export function isReason(state: ShipmentState, kind: ListingQuestion, isOverdue: boolean): boolean {
  switch (kind) {
    case 'listingMissing':
      return state.unreadable?.isMissing === true;
    case 'listingEnded':
      return hasEnded(state) || isOverdue;
    case 'possibleDoubleBooking':
      return listingsBeside(state).length > 0;
    default:
      return assertNever(kind);
  }
}

/** What a person must be asked about the listings now; null where all is clear. */
export const wantedQuestion = (state: ShipmentState, isOverdue: boolean): ListingQuestion | null =>
  LISTING_QUESTIONS.find((kind) => isReason(state, kind, isOverdue)) ?? null;
