import { assertNever } from '../domain/assert-never';

/** What is certain about the effect of a request that did not end well. */
export type MarketplaceOutcome =
  /** It certainly had no effect; the same request may be sent again later. */
  | 'notSent'
  /** Refused for a reason of its content; repeating it changes nothing. */
  | 'rejected'
  /** Refused for a reason of the account's; a person must act. */
  | 'accountTrouble'
  /** It may have had its effect. */
  | 'inDoubt';

/** The calls that prove themselves by the account's `auth`. */
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

/** How one attempt ended, when it did not end well. */
export type Attempt =
  /** `connected`: whether a connection stood; null where one may have been kept from before. */
  | { readonly kind: 'noAnswer'; readonly connected: boolean | null }
  /** A status other than 2xx. `renewable`: a fresh token may cure a 401. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** All reasons and field names that the body gave. */
      readonly reasons: string;
      readonly renewable: boolean;
      /** False where the body is broken, undecodable or a page in HTML: then nobody knows whose word it is. */
      readonly isReadable: boolean;
    }
  /** A 2xx whose content is not what the contract describes. */
  | { readonly kind: 'unreadable' };

/** Refusals that are true of every request of the account, whatever status carries them. */
const ACCOUNT_REASON =
  /\bsuspend|\bwhitelist|\ballow-?list|\bip[ -]address|\baccount (?:is )?(?:locked|disabled|closed)/i;
/** Taking a rate: the currencies of rate, protection and account must match, and the method must be usable. */
const PAYMENT_REASON =
  /payment ?method|\bcurrenc(?:y|ies|ytype)\b|\bcard (?:is |was |has )?(?:declined|expired)/i;

/** Something of the same kind is there already: perhaps what an earlier attempt, or a gateway's own repetition, made. */
const DUPLICATE_REASON = /\bduplicate|\balready (?:exists|been|accepted|booked|created|taken|used)/i;

/** Whether a refusal may be about what an earlier request of ours made, so that it does not say that there is nothing. */
export const saysDuplicate = (reasons: string): boolean => DUPLICATE_REASON.test(reasons);

/** Proxies and gateways answer these without saying whether the service behind them saw the request. */
const UNCLEAR_STATUSES = new Set([408, 409, 425]);

function sortAnswer(operation: Operation, answer: Extract<Attempt, { kind: 'answer' }>): MarketplaceOutcome {
  const { status, reasons, isReadable } = answer;
  const isBooking = operation === 'createListing' || operation === 'acceptRate';
  // Contract: "top-level commodity not implemented" for the account.
  if (operation === 'listPaymentMethods' && status === 501) return 'accountTrouble';
  // The checksum is of an older record (the other status that says so, 412, is no special case).
  if (operation === 'updateListing' && status === 409) return 'rejected';
  if (status < 400 || status >= 500 || UNCLEAR_STATUSES.has(status)) return 'inDoubt';
  if (status === 429) return 'notSent';
  // A token that was good before and is not now was refused before anything was done; the next one is fresh.
  if (status === 401) return answer.renewable ? 'notSent' : 'accountTrouble';
  if (status === 402 || status === 407) return 'accountTrouble';
  // What says no without words is believed only where the status alone says why: 401, 402, 403, 407 and 429.
  if (isBooking && !isReadable && status !== 403) return 'inDoubt';
  if (ACCOUNT_REASON.test(reasons)) return 'accountTrouble';
  if (status === 403) {
    // Contract: 403 on DELETE of a listing says that it is already booked; its change is refused in the same way. A
    // gateway's page says neither that nor anything else about a listing.
    if (operation === 'deleteListing' || operation === 'updateListing')
      return isReadable ? 'rejected' : 'inDoubt';
    return 'accountTrouble';
  }
  if (operation === 'acceptRate' && PAYMENT_REASON.test(reasons)) return 'accountTrouble';
  if (isBooking && saysDuplicate(reasons)) return 'inDoubt';
  return 'rejected';
}

/**
 * The one place that sorts what went wrong. Everything that is not provably without effect is in doubt: a wrong
 * "not sent" books a second truck, a wrong "in doubt" asks a question.
 *
 * A token or a session is asked for before the request itself, so that whatever happens to it, the request was not sent.
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

/** What an acceptance that was taken ended with: the same reasons hold as for taking it. */
export function isAccountTrouble(status: number, reasons: string): boolean {
  const answer = { kind: 'answer', status, reasons, renewable: false, isReadable: true } as const;
  return sortAnswer('acceptRate', answer) === 'accountTrouble';
}
