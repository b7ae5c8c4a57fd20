import { cutText, jsonBytes, TEXT_BYTES } from './bounds';
import { commandLines } from './command-lines';
import type { Question, QuestionKind } from './question';
import type { OrderKey } from './workflow-id';

/**
 * What is asked, in a few words. Null: the question's own text begins with it, in our words, with nothing but prices,
 * days, listings and carriers. The others quote the marketplace, whose words may name people and places.
 */
const SHORT: Readonly<Record<QuestionKind, string | null>> = {
  premiumUnknown: null,
  priceApproval: null,
  pickupPassed: null,
  listingEnded: null,
  rateChoice: 'No rate fits the policy. Which one is taken?',
  noRates: 'There is no rate that can be taken. What next?',
  paymentMethod: 'The payment method of the order cannot be used. What next?',
  inDoubt: 'It is unknown whether a write took effect. Does the listing exist?',
  listingMissing: 'The listing cannot be found any more. Which one is followed?',
  possibleDoubleBooking: 'A second listing carries the reference of the order. Which one is kept?',
  stillConsidered: 'A carrier may still book the order. Wait, or look again?',
  unexpectedFailure: 'A step failed. What next?',
};

/** A summary shows no address of the web or of a person, whatever a carrier calls itself. */
const ADDRESSES = /\s*(?:https?:\/\/\S+|\S+@\S+)/g;
/** In bytes; enough for what is asked, and before a command that a longer text may name. */
const LONGEST_TEXT = 110;

/**
 * The open question as Temporal's web UI shows it beside a timer: short, without links, people or their addresses, and
 * with the command that prints all of it.
 */
export function questionSummary(order: OrderKey, { id, kind, text }: Question): string {
  const behind = ` (${id}; ${commandLines.show(order)})`;
  const room = Math.min(LONGEST_TEXT, TEXT_BYTES.summary - jsonBytes(behind));
  return `${cutText(SHORT[kind] ?? text.replaceAll(ADDRESSES, ''), Math.max(room, 0))}${behind}`;
}
