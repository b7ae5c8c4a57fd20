import { assertNever } from './assert-never';
import { after } from './calendar';
import type { IsoInstant } from './shipment';

/** What the marketplace answers when Consign accepts a rate. */
export type AcceptanceReceipt =
  /** The usual 202: the carrier has not answered yet. */
  | { readonly kind: 'pending'; readonly executionId: string }
  /** The older form: 201 with the listing, at once. */
  | { readonly kind: 'booked'; readonly listingId: string };

/** An acceptance that the order no longer waits for. Its carrier may still book, because no status is final. */
export interface EarlierAcceptance {
  readonly rateId: string;
  readonly executionId: string;
  readonly carrier: string;
  /** When the marketplace took the acceptance. */
  readonly since: IsoInstant;
  /** When the order stopped waiting for the acceptance. */
  readonly leftOn: IsoInstant;
  /** What the last status said. */
  readonly said: AcceptanceSaid;
}

/** What is known of a rate that was accepted earlier. */
export type AcceptanceSaid =
  /** The carrier may still book it. */
  | { readonly kind: 'considered' }
  /** It is booked, and Consign has not read a record of the listing yet. */
  | { readonly kind: 'unseen'; readonly listingId: string }
  /** The carrier's time is over, and it is still not known what the carrier answered. */
  | {
      readonly kind: 'unanswered';
      /** Whether the open question names it: a person's check is about these only. */
      readonly isAsked: boolean;
    }
  /** The order follows its booking, or followed it, although no status says so. */
  | { readonly kind: 'followed' }
  /** The carrier did not book it. */
  | { readonly kind: 'over' };

/** Whether it may be booked beside the listing that the order follows. */
export const mayBringTruck = ({ kind }: AcceptanceSaid): boolean => kind !== 'over' && kind !== 'followed';

/** Notes that the question which is opened now names these. */
export const askedAbout = (acceptances: readonly EarlierAcceptance[]): readonly EarlierAcceptance[] =>
  acceptances.map((known) =>
    known.said.kind === 'unanswered' ? { ...known, said: { ...known.said, isAsked: true } } : known,
  );

export const unansweredAcceptances = ({
  earlierAcceptances,
}: {
  readonly earlierAcceptances: readonly EarlierAcceptance[];
}): readonly EarlierAcceptance[] => earlierAcceptances.filter(({ said }) => said.kind === 'unanswered');

/**
 * Why nothing may be booked or closed yet: the first earlier acceptance that a carrier may still book. It counts only
 * for the time that a carrier has, because no status says for certain that an acceptance is over.
 */
export function whyConsidered(
  acceptances: readonly EarlierAcceptance[],
  { now, windowMs }: { readonly now: IsoInstant; readonly windowMs: number },
): string | null {
  for (const { carrier, since, said } of acceptances) {
    const until = after(since, windowMs);
    if (!mayBringTruck(said) || Date.parse(now) >= Date.parse(until)) continue;
    return said.kind === 'unseen'
      ? `${carrier} has booked listing ${said.listingId}, whose record does not exist yet`
      : `${carrier} may still book what was accepted before, until ${until}`;
  }
  return null;
}

/**
 * One reading of the acceptance status endpoint. `reason` is Consign's own text. `words` quotes the marketplace, as
 * far as the quote may be shown.
 */
export type AcceptanceStatus =
  /** `listingId`: a listing that the pending answer names; only the listing's record says whether it is booked. */
  | { readonly kind: 'pending'; readonly statusCode: number | null; readonly listingId: string | null }
  /** 404: the execution is not visible in its first seconds. */
  | { readonly kind: 'notVisible' }
  | { readonly kind: 'booked'; readonly listingId: string }
  /** It ended because of the account, for example its card: another rate would end in the same way. */
  | {
      readonly kind: 'accountTrouble';
      readonly statusCode: number;
      readonly reason: string;
      readonly words: string | null;
      readonly listingId: string | null;
    }
  /**
   * `listingId`: the listing that the failure names. It may still be on the market, or booked.
   * `isDuplicate`: the rate is already accepted, perhaps by an earlier request of this order.
   */
  | {
      readonly kind: 'failed';
      readonly statusCode: number;
      readonly reason: string;
      readonly words: string | null;
      readonly listingId: string | null;
      readonly isDuplicate: boolean;
    }
  /** The end does not say whether a carrier booked: an inner 5xx, or booked without a listing. */
  | {
      readonly kind: 'inDoubt';
      readonly reason: string;
      readonly words: string | null;
      readonly listingId: string | null;
    };

const namedIn = (listingId: string | null): string =>
  listingId === null ? '' : `, and names listing ${listingId}`;

/** Whether the carrier may still book it: only the carrier's own answer ends an acceptance. */
export function mayStillBook({ kind }: AcceptanceStatus): boolean {
  switch (kind) {
    // A 404, a gateway's page and an end without a clear result do not come from the carrier.
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

/** Why an acceptance is not booked, for people, with the listing that the answer names. */
export const reasonWithListing = ({
  reason,
  listingId,
}: {
  readonly reason: string;
  readonly listingId: string | null;
}): string => `${reason}${namedIn(listingId)}`;

/** What a status says, for people, with its code and the listing that it names. */
export function acceptanceStatusText(status: AcceptanceStatus): string {
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
