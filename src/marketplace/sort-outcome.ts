import { assertNever } from '../domain/assert-never';

/** What is certain about the effect of a failed request. */
export type MarketplaceOutcome =
  /** It certainly had no effect: send it again later. */
  | 'notSent'
  /** The content was refused: a repetition changes nothing. */
  | 'rejected'
  /** The account was refused: a person must act. */
  | 'accountTrouble'
  /** It may have taken effect. */
  | 'inDoubt';

/** Calls that authenticate with the account's `auth`. */
export const API_CALLS = [
  'getFixedPrice',
  'createListing',
  'getListing',
  'updateListing',
  'deleteListing',
  'uploadListingImage',
  'getListingContacts',
  'getTracking',
  'getBillOfLading',
  'getListingAttachment',
  'createRateRequest',
  'listRates',
  'acceptRate',
  'getAcceptanceStatus',
  'listPaymentMethods',
  'listAddressTypes',
] as const;

/** A call of the marketplace, by the name of its operation. */
export type Operation = (typeof API_CALLS)[number] | 'grantToken' | 'signIn' | 'getTrackingLink';

/** How one attempt failed. */
export type Attempt =
  /** `connected`: whether a connection was made; null when a kept one may have been used. */
  | { readonly kind: 'noAnswer'; readonly connected: boolean | null }
  /** A status other than 2xx. `renewable`: a fresh token may fix a 401. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** All reasons and field names of the body. */
      readonly reasons: string;
      readonly renewable: boolean;
      /** False when the body is broken, undecodable or HTML: then its author is unknown. */
      readonly isReadable: boolean;
    }
  /** A 2xx whose content does not match the contract. */
  | { readonly kind: 'unreadable' };

/** Refusals that apply to every request of the account, whatever their status. */
const ACCOUNT_REASON =
  /\bsuspend|\bwhitelist|\ballow-?list|\bip[ -]address|\baccount (?:is )?(?:locked|disabled|closed)/i;
/** Accepting a rate: the currencies of rate, coverage and account must match, and the payment method must be usable. */
const PAYMENT_REASON =
  /payment ?method|\bcurrenc(?:y|ies|ytype)\b|\bcard (?:is |was |has )?(?:declined|expired)/i;

/** Something similar already exists: perhaps from an earlier attempt, or from a gateway's own repetition. */
const DUPLICATE_REASON = /\bduplicate|\balready (?:exists|been|accepted|booked|created|taken|used)/i;

/** Whether a refusal may be about an earlier request's result. Then it does not prove that nothing exists. */
export const saysDuplicate = (reasons: string): boolean => DUPLICATE_REASON.test(reasons);

/** Proxies and gateways answer these without saying whether the service saw the request. */
const UNCLEAR_STATUSES = new Set([408, 409, 425]);

function sortAnswer(operation: Operation, answer: Extract<Attempt, { kind: 'answer' }>): MarketplaceOutcome {
  const { status, reasons, isReadable } = answer;
  const isBooking = operation === 'createListing' || operation === 'acceptRate';
  // Contract: "top-level commodity not implemented" for the account.
  if (operation === 'listPaymentMethods' && status === 501) return 'accountTrouble';
  // The checksum is of an older record. (412 says the same, and needs no special case.)
  if (operation === 'updateListing' && status === 409) return 'rejected';
  if (status < 400 || status >= 500 || UNCLEAR_STATUSES.has(status)) return 'inDoubt';
  if (status === 429) return 'notSent';
  // The service refused an expired token before doing anything; the next token is fresh.
  if (status === 401) return answer.renewable ? 'notSent' : 'accountTrouble';
  if (status === 402 || status === 407) return 'accountTrouble';
  // A refusal without readable words counts only if the status alone gives the reason: 401, 402, 403, 407 and 429.
  if (isBooking && !isReadable && status !== 403) return 'inDoubt';
  if (ACCOUNT_REASON.test(reasons)) return 'accountTrouble';
  if (status === 403) {
    // Contract: 403 on DELETE means that the listing is booked, and a change is refused in the same way. A gateway's
    // page says neither.
    if (operation === 'deleteListing' || operation === 'updateListing')
      return isReadable ? 'rejected' : 'inDoubt';
    return 'accountTrouble';
  }
  if (operation === 'acceptRate' && PAYMENT_REASON.test(reasons)) return 'accountTrouble';
  if (isBooking && saysDuplicate(reasons)) return 'inDoubt';
  return 'rejected';
}

/**
 * The one place that classifies failures. Everything that is not provably without effect is in doubt: a wrong "not
 * sent" books a second truck, a wrong "in doubt" only asks a question.
 *
 * A token or session is requested before the request itself, so if that fails, the request was not sent.
 */
export function sortOutcome(operation: Operation, attempt: Attempt): MarketplaceOutcome {
  if (operation === 'grantToken' || operation === 'signIn') {
    const refused = attempt.kind === 'answer' && sortAnswer(operation, attempt);
    return refused === 'rejected' || refused === 'accountTrouble' ? 'accountTrouble' : 'notSent';
  }
  switch (attempt.kind) {
    case 'noAnswer':
      return attempt.connected === false ? 'notSent' : 'inDoubt';
    case 'answer':
      return sortAnswer(operation, attempt);
    case 'unreadable':
      return 'inDoubt';
    default:
      return assertNever(attempt);
  }
}

/** How an accepted request ended: the same reasons apply as for accepting it. */
export function isAccountTrouble(status: number, reasons: string): boolean {
  const answer = { kind: 'answer', status, reasons, renewable: false, isReadable: true } as const;
  return sortAnswer('acceptRate', answer) === 'accountTrouble';
}
