import { cutText, jsonBytes, TEXT_BYTES } from './bounds';
import { commandLines } from './command-lines';
import type { Question, QuestionKind } from './question';
import type { OrderKey } from './workflow-id';

/**
 * The question in a few words. Null: the question's text starts with it, in Consign's words, and names only prices,
 * days, listings and carriers. The other texts quote the marketplace, which may name people and places.
 */
const SHORT: Readonly<Record<QuestionKind, string | null>> = {
  premiumUnknown: null,
  priceApproval: null,
  pickupPassed: null,
  listingEnded: null,
  priceChanged: null,
  late: null,
  rateChoice: 'No rate fits the policy. Which one is taken?',
  noRates: 'There is no rate that can be taken. What next?',
  paymentMethod: 'The payment method of the order cannot be used. What next?',
  inDoubt: 'It is unknown whether a write took effect. Does the listing exist?',
  listingMissing: 'The listing cannot be found any more. Which one is followed?',
  possibleDoubleBooking: 'A second listing carries the reference of the order. Which one is kept?',
  stillConsidered: 'A carrier may still book the order. Wait, or look again?',
  unansweredAcceptance:
    'An earlier acceptance has no answer, and may bring a second truck. Is it taken back?',
  unexpectedFailure: 'A step failed. What next?',
};

/** Removes web and e-mail addresses, which a carrier's name may contain. */
const ADDRESSES = /\s*(?:https?:\/\/\S+|\S+@\S+)/g;
/** In bytes: enough for the question, and short of the commands that follow in a longer text. */
const LONGEST_TEXT = 110;

/**
 * The open question for Temporal's web UI: short, without links, people or addresses, and with the command that
 * prints the whole question.
 */
export function questionSummary(order: OrderKey, { id, kind, text }: Question): string {
  const behind = ` (${id}; ${commandLines.show(order)})`;
  const room = Math.min(LONGEST_TEXT, TEXT_BYTES.summary - jsonBytes(behind));
  return `${cutText(SHORT[kind] ?? text.replaceAll(ADDRESSES, ''), Math.max(room, 0))}${behind}`;
}
