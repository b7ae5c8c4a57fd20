import { assertNever } from './assert-never';
import { after } from './calendar';
import type { IsoInstant } from './shipment';

/** What the marketplace answers to taking a rate. */
export type AcceptanceReceipt =
  /** The usual 202: a carrier has yet to answer. */
  | { readonly kind: 'pending'; readonly executionId: string }
  /** The older form, 201 with the listing at once. */
  | { readonly kind: 'booked'; readonly listingId: string };

/** An acceptance that nobody waits for any more, although its carrier may still book: no status of one is final. */
export interface EarlierAcceptance {
  readonly rateId: string;
  readonly executionId: string;
  readonly carrier: string;
  /** When the marketplace took it. */
  readonly since: IsoInstant;
  /** When it was not waited for any more. */
  readonly leftOn: IsoInstant;
  /** What its status said last. */
  readonly said: AcceptanceSaid;
}

/** What is known of a rate that was accepted earlier. */
export type AcceptanceSaid =
  /** Its carrier may still book it, as far as is known. */
  | { readonly kind: 'considered' }
  /** It is booked, and there is no record of the listing as yet. */
  | { readonly kind: 'unseen'; readonly listingId: string }
  | { readonly kind: 'over' };

/**
 * Why nothing may be booked or closed beside acceptances that nobody waits for any more: the first that may still book.
 * Only for the time that a carrier has: no status of one tells that it is over.
 */
export function whyConsidered(
  acceptances: readonly EarlierAcceptance[],
  { now, windowMs }: { readonly now: IsoInstant; readonly windowMs: number },
): string | null {
  for (const { carrier, since, said } of acceptances) {
    const until = after(since, windowMs);
    if (said.kind === 'over' || Date.parse(now) >= Date.parse(until)) continue;
    return said.kind === 'unseen'
      ? `${carrier} has booked listing ${said.listingId}, whose record does not exist yet`
      : `${carrier} may still book what was accepted before, until ${until}`;
  }
  return null;
}

/**
 * One reading of the acceptance status endpoint. `reason` is in words of our own, `words` are the marketplace's, as far as
 * they may be shown.
 */
export type AcceptanceStatus =
  /** `listingId`: a listing that the answer names all the same; its record tells whether it is booked. */
  | { readonly kind: 'pending'; readonly statusCode: number | null; readonly listingId: string | null }
  /** 404: in the first seconds the execution is not visible yet. */
  | { readonly kind: 'notVisible' }
  | { readonly kind: 'booked'; readonly listingId: string }
  /** It ended for a reason of the account's, such as its card: another rate would end in the same way. */
  | {
      readonly kind: 'accountTrouble';
      readonly statusCode: number;
      readonly reason: string;
      readonly words: string | null;
      readonly listingId: string | null;
    }
  /**
   * `listingId`: the listing that the failure names, which may still be on the market, or booked all the same.
   * `isDuplicate`: the rate is taken already, perhaps by an earlier request of ours.
   */
  | {
      readonly kind: 'failed';
      readonly statusCode: number;
      readonly reason: string;
      readonly words: string | null;
      readonly listingId: string | null;
      readonly isDuplicate: boolean;
    }
  /** It ended in a way that does not say whether it booked: inner 5xx, or booked without a listing. */
  | {
      readonly kind: 'inDoubt';
      readonly reason: string;
      readonly words: string | null;
      readonly listingId: string | null;
    };

const namedIn = (listingId: string | null): string =>
  listingId === null ? '' : `, and names listing ${listingId}`;

/** Whether its carrier may still book it: only a word of the carrier's says that it is over. */
export function mayStillBook({ kind }: AcceptanceStatus): boolean {
  switch (kind) {
    // Neither a 404, nor a page of a gateway, nor an end that does not say whether it booked.
    case 'pending':
    case 'notVisible':
    case 'inDoubt':
      return true;
    case 'booked':
    case 'failed':
    case 'accountTrouble':
      return false;
    default:
      return assertNever(kind);
  }
}

/** Why one is not booked, for people: with the listing that the answer names. */
export const reasonWithListing = ({
  reason,
  listingId,
}: {
  readonly reason: string;
  readonly listingId: string | null;
}): string => `${reason}${namedIn(listingId)}`;

/** What a reading says, for people: with its status code and the listing that it names. */
export function heard(status: AcceptanceStatus): string {
  switch (status.kind) {
    case 'pending':
      return `pending (${status.statusCode ?? 'no status code'})${namedIn(status.listingId)}`;
    case 'notVisible':
      return 'not visible (404)';
    case 'booked':
      return `booked as listing ${status.listingId}`;
    case 'failed':
      return `failed (${status.reason})${namedIn(status.listingId)}`;
    case 'accountTrouble':
      return `trouble of the account (${status.reason})${namedIn(status.listingId)}`;
    case 'inDoubt':
      return `in doubt (${status.reason})${namedIn(status.listingId)}`;
    default:
      return assertNever(status);
  }
}
