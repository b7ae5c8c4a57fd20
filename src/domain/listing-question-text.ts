import { unansweredAcceptances } from './acceptance';
import { duplicateListings } from './candidates';
import { commandLines } from './command-lines';
import { latenessText } from './lateness';
import type { ListingQuestion } from './listing-question';
import { formatMoney } from './money';
import { isPickedUp, whenPickedUp } from './picked-up';
import { likelyCause } from './price-watch';
import type { NewQuestion } from './question';
import type { IsoInstant, Shipment } from './shipment';
import type { ShipmentState } from './shipment-state';
import { orderReference } from './workflow-id';

/** The order and its followed listing, when a question is asked. */
export interface Asked {
  readonly state: ShipmentState;
  readonly shipment: Shipment;
  readonly listingId: string;
  readonly now: IsoInstant;
}

/** What a person reads, and can answer. */
export const listingQuestion = (
  kind: ListingQuestion,
  asked: Asked,
): Required<Pick<NewQuestion, 'kind' | 'text' | 'answers'>> => ({
  ...{ kind, text: TEXTS[kind](asked), answers: ANSWERS[kind] },
});

/** Why a question closes by itself. */
export const TAKEN_BACK: Readonly<Record<ListingQuestion, string>> = {
  listingMissing: 'the listing can be read again',
  listingEnded: 'the listing lives again',
  possibleDoubleBooking: 'only one listing is left',
  unansweredAcceptance: 'the earlier acceptance has an answer now, or something else is asked first',
  priceChanged: 'the price is within the tolerance again, or something else is asked first',
  late: 'the delay is over, or something else is asked first',
};

const ANSWERS: Readonly<Record<ListingQuestion, NewQuestion['answers']>> = {
  listingMissing: ['adopt', 'rebook', 'close', 'retry'],
  listingEnded: ['rebook', 'close'],
  possibleDoubleBooking: ['adopt', 'retry'],
  unansweredAcceptance: ['retry'],
  priceChanged: ['approve'],
  late: ['retry'],
};

const TEXTS: Readonly<Record<ListingQuestion, (asked: Asked) => string>> = {
  listingMissing: missingText,
  listingEnded: endedText,
  possibleDoubleBooking: doubleBookingText,
  unansweredAcceptance: unansweredText,
  priceChanged: priceText,
  late: lateText,
};

function endedText({ state, listingId }: Asked): string {
  const what = `Listing ${listingId} is ${state.listing?.status ?? 'gone'}`;
  return isPickedUp(state)
    ? `${what}, after its goods were ${whenPickedUp(state)}. Find out where they are. Answer close if the order is done. Book it again ` +
        `only if no truck has the goods: \`${commandLines.answer(state, { answer: 'rebook', isChecked: true })}\`.`
    : `${what}, and its goods were not picked up. Answer rebook or close. The question closes by itself if the listing becomes active ` +
        'again.';
}

function missingText({ state, listingId, now }: Asked): string {
  const { unreadable, at } = state;
  const known = isPickedUp(state) ? `It was ${whenPickedUp(state)}. ` : '';
  const was = at.phase === 'awaitingBooking' ? 'not booked' : at.phase;
  return (
    `Listing ${listingId} (${was}) cannot be read since ${unreadable?.since ?? now}: ${unreadable?.reason ?? ''}. ` +
    `${known}Look it up at the marketplace. If another listing is this order's, adopt it. If there is none, rebook the order ` +
    'or close it. Retry reads the listing again. The question closes by itself when the listing can be read.'
  );
}

function doubleBookingText({ state, listingId }: Asked): string {
  const [followed, ...others] = [
    { listingId, status: state.listing?.status ?? null, difference: null },
    ...duplicateListings(state),
  ].map(
    ({ listingId, status, difference }) =>
      `${listingId} (${[status ?? 'status unknown', ...(difference === null ? [] : [difference])].join(', ')})`,
  );
  return (
    `Beside listing ${followed} also ${others.join(' and ')} carries the reference ${orderReference(state.account, state.orderId)}: ` +
    `two trucks may come. Cancel one at the marketplace (\`${commandLines.show(state)}\` has the links), then ` +
    'answer retry; or adopt the one to keep (not one that is other than the order), and the other is deleted unless a carrier has booked it. Where both are delivered, answer retry.'
  );
}

function unansweredText({ state, listingId }: Asked): string {
  const open = unansweredAcceptances(state).map(
    ({ carrier, rateId, since }) => `${carrier} (rate ${rateId}, accepted ${since})`,
  );
  const status = state.listing?.status ?? 'status unknown';
  return (
    `Beside listing ${listingId} (${status}) an earlier acceptance has no answer, although the time for it is over: ` +
    `${open.join(' and ')}. A second truck may come. Have it taken back by the marketplace's support, then answer retry. ` +
    'If it still has no answer, and you know from the carrier that no truck comes, say so: ' +
    `\`${commandLines.answer(state, { answer: 'retry', isChecked: true })}\`. ` +
    'The question closes by itself when the acceptance is taken back, refused or booked.'
  );
}

function priceText({ state, shipment, listingId }: Asked): string {
  const { priceChange } = state;
  if (priceChange === null) throw new TypeError('the price has not changed');
  const { accepted, price, since } = priceChange;
  return (
    `Listing ${listingId} costs ${formatMoney(price)} now; ${formatMoney(accepted)} was accepted. ` +
    `Likely cause: ${likelyCause(state, shipment)}. A wrong price can be disputed at the marketplace within 72 business hours, ` +
    `counted from ${since} at the latest. Approve the price once it is right, or disputed; the reason says which.`
  );
}

function lateText({ state: { late, listing }, listingId }: Asked): string {
  if (late === null) throw new TypeError('the shipment is not late');
  const carrier = listing?.carrier == null ? 'a carrier' : listing.carrier.displayName;
  const whom = late.kind === 'unbooked' ? 'Look at the listing, or cancel the order' : `Call ${carrier}`;
  return (
    `Listing ${listingId} is late: ${latenessText(late)}. ${whom}, then answer retry: it reads the listing again, and ` +
    'this delay is not asked about a second time. The question closes by itself when the delay is over.'
  );
}
