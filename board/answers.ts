import { assertNever } from '../src/domain/assert-never';
import { formatMoney } from '../src/domain/money';
import type { AnswerKind, Question } from '../src/domain/question';
import type { LtlRate } from '../src/domain/rate';

/** What an answer needs besides the reason. */
export type AnswerNeed = 'premium' | 'rate' | 'listing';

/** An answer as a button: its words, what it will do, and what it needs. */
export interface AnswerButton {
  readonly kind: AnswerKind;
  readonly label: string;
  /** Said before it is done. */
  readonly effect: string;
  readonly needs: AnswerNeed | null;
  /** It cannot be taken back, or it can book a second truck. */
  readonly isGrave: boolean;
}

const ADOPT =
  'Consign follows the listing that you name as the order’s. If the question names others, Consign deletes them, unless a carrier has booked them.';

/** What `retry` does depends on the question. */
const RETRY: Readonly<Partial<Record<Question['kind'], string>>> = {
  premiumUnknown: 'Consign asks for the price again. Do this after `premiumPath` of the account was set.',
  priceApproval: 'Consign asks for a new price or for new rates. Nothing is booked at the old price.',
  rateChoice: 'Consign requests new rates, and chooses by the policy again.',
  noRates: 'Consign requests rates again. Without a change of the order the list may be empty again.',
  paymentMethod: 'Consign reads the payment methods again, and goes on if the order’s one can be used.',
  listingMissing: 'Consign reads the listing again at once.',
  possibleDoubleBooking:
    'Consign reads both listings again. Do this after you cancelled one at the marketplace.',
  late: 'Consign reads the listing again at once, and does not ask about the same delay a second time.',
  stillConsidered: 'Consign looks again at once whether the carrier has booked.',
  unansweredAcceptance:
    'Consign reads again whether the acceptance has an end. Do this after the marketplace took it back. With your statement that no truck comes, Consign waits for it no longer.',
  unexpectedFailure: 'Consign tries the step again that failed.',
};

const CONTENT: Readonly<
  Record<Exclude<AnswerKind, 'retry' | 'approve' | 'revise'>, Omit<AnswerButton, 'kind'>>
> = {
  premium: {
    label: 'State the premium',
    effect: 'Consign adds your amount to the price as the cost of the coverage, and lists the order.',
    needs: 'premium',
    isGrave: false,
  },
  selectRate: {
    label: 'Take a rate',
    effect: 'Consign accepts the rate that you choose, which books its carrier.',
    needs: 'rate',
    isGrave: false,
  },
  adopt: { label: 'Keep a listing', effect: ADOPT, needs: 'listing', isGrave: false },
  resend: {
    label: 'Send again',
    effect:
      'You state that nothing exists at the marketplace, and Consign sends the write again. If the first one took effect after all, a second truck comes.',
    needs: null,
    isGrave: true,
  },
  abandon: {
    label: 'Give the order up',
    effect: 'You state that nothing exists at the marketplace, and the order ends. Nothing is booked.',
    needs: null,
    isGrave: true,
  },
  postpone: {
    label: 'Postpone the pickup',
    effect: 'The pickup moves to the day that the question names, and Consign requests rates for it.',
    needs: null,
    isGrave: false,
  },
  rebook: {
    label: 'Book again',
    effect: 'Consign seeks another booking for the same order. The old listing must have no truck any more.',
    needs: null,
    isGrave: true,
  },
  close: {
    label: 'Close the order',
    effect: 'The order ends. Consign first reads that nothing is booked.',
    needs: null,
    isGrave: true,
  },
  cancel: {
    label: 'Withdraw the order',
    effect: 'Consign deletes the open listing, and the order ends. It is refused once a carrier has booked.',
    needs: null,
    isGrave: true,
  },
};

/** The answers of a question as buttons. `revise` needs a document, and has a separate button. */
export function answerButtons({ kind, answers, offer }: Question): readonly AnswerButton[] {
  return answers.flatMap((answer): AnswerButton[] => {
    switch (answer) {
      case 'revise':
        return [];
      case 'retry':
        return [
          {
            kind: answer,
            label: 'Try again',
            effect: RETRY[kind] ?? 'Consign tries the step again that waits.',
            ...{ needs: null, isGrave: false },
          },
        ];
      case 'approve':
        return [
          {
            kind: answer,
            label: offer === null ? 'Approve the price' : `Approve ${formatMoney(offer.price)}`,
            effect:
              kind === 'priceChanged'
                ? 'Nothing is booked or paid by this. The new price is what later prices are compared with.'
                : `Consign books at ${offer === null ? 'this price' : formatMoney(offer.price)}, although it is above the limit.`,
            ...{ needs: null, isGrave: false },
          },
        ];
      case 'premium':
      case 'selectRate':
      case 'adopt':
      case 'resend':
      case 'abandon':
      case 'postpone':
      case 'rebook':
      case 'close':
      case 'cancel':
        return [{ kind: answer, ...CONTENT[answer] }];
      default:
        return assertNever(answer);
    }
  });
}

/** What the person filled in. */
export interface FilledIn {
  readonly reason: string;
  readonly person: string;
  readonly checked: string;
  readonly premium: string;
  readonly rateId: string;
  readonly listingId: string;
}

/** The request of an answer: its place below the shipment, and its body. */
export function answerRequest(
  { kind, needs }: AnswerButton,
  questionId: string,
  filled: FilledIn,
): { readonly place: 'answer' | 'cancel'; readonly body: Readonly<Record<string, unknown>> } {
  const reason = signed(filled);
  if (kind === 'cancel') return { place: 'cancel', body: { reason } };
  return {
    place: 'answer',
    body: {
      ...{ kind, reason, questionId },
      ...(filled.checked.trim() === '' ? {} : { checked: filled.checked.trim() }),
      ...(needs === 'premium' ? { premiumMinorUnits: minorUnitsOf(filled.premium) } : {}),
      ...(needs === 'rate' ? { rateId: filled.rateId } : {}),
      ...(needs === 'listing' ? { listingId: filled.listingId.trim() } : {}),
    },
  };
}

/** The reason with the name of the person: the API knows only the name of the token. */
export const signed = ({ reason, person }: Pick<FilledIn, 'reason' | 'person'>): string =>
  person.trim() === '' ? reason.trim() : `${reason.trim()} (${person.trim()})`;

const AMOUNT = /^\d{1,9}(?:\.\d{1,2})?$/;

/** Hundredths of an amount such as `48.50`; null when it is none. */
export function minorUnitsOf(text: string): number | null {
  const amount = text.trim();
  if (!AMOUNT.test(amount)) return null;
  const [whole = '0', part = ''] = amount.split('.');
  return Number(whole) * 100 + Number(part.padEnd(2, '0'));
}

/** `USD 1,049.00, Acme Freight, 3 days`, for a choice. */
export function rateText({ totalPrice, carrier, deliveryDelayInDays, serviceType }: LtlRate): string {
  const days = deliveryDelayInDays === null ? null : `${deliveryDelayInDays} days`;
  return [formatMoney(totalPrice), carrier.displayName, days, serviceType]
    .filter((part) => part !== null)
    .join(', ');
}
