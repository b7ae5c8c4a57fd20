import type { Carrier, ListingRecord } from './listing';
import { isOfAnotherCarrier } from './listing-proof';
import type { IsoInstant } from './shipment';
import type { ShipmentState } from './shipment-state';

/** The one attempt of a write. A late outcome names it, so the outcome finds its doubt. */
export interface WriteAttempt {
  /** Activity ids start again with each run. */
  readonly runId: string;
  readonly activityId: string;
}

/** An acceptance whose status cannot be asked for. */
export interface UnknownAcceptance {
  readonly carrier: Carrier;
  /** An earlier acceptance by this carrier was taken too. Its booking looks the same. */
  readonly isRepeated: boolean;
}

/** Whether a booked listing may come from an earlier acceptance: then it leaves open what became of this one. */
export const isPerhapsEarlier = (
  record: Pick<ListingRecord, 'carrier'>,
  { carrier, isRepeated }: UnknownAcceptance,
): boolean => isRepeated || isOfAnotherCarrier(record, carrier);

/**
 * Whether a booked listing can only be the booking of this acceptance: the order knew nothing of it before, and no
 * other acceptance can have brought it.
 */
export function isBookingOf(
  { candidates, earlierAcceptances }: Pick<ShipmentState, 'candidates' | 'earlierAcceptances'>,
  record: Pick<ListingRecord, 'listingId' | 'carrier'>,
  acceptance: UnknownAcceptance,
): boolean {
  const known = candidates.find(({ listingId }) => listingId === record.listingId);
  if (known?.isOwn === true || known?.place.kind === 'left') return false;
  if (record.carrier === null && earlierAcceptances.length > 0) return false;
  return !isPerhapsEarlier(record, acceptance);
}

/** A write that may have taken effect. The state keeps it until it is settled, whatever else goes wrong. */
export interface OpenDoubt {
  /** `creating the listing`, for the question. */
  readonly what: string;
  readonly reason: string;
  /**
   * The write was sent again and refused. A person who finds that nothing exists confirms that the refusal was true.
   */
  readonly isRefusal: boolean;
  /** The attempt that may still report its outcome; null when it has reported everything that it knows. */
  readonly attempt: WriteAttempt | null;
  /** The send id that a listing must carry to be the outcome; null accepts any listing of the order. */
  readonly sendId: string | null;
  /** Earliest time to send an acceptance again, because the carrier may still answer the first one; null: at once. */
  readonly resendFrom: IsoInstant | null;
  /** Only a booked listing is the outcome of an acceptance: an open one may come from another acceptance. */
  readonly onlyLive: boolean;
  /** Null where any listing of the order settles the doubt. */
  readonly acceptance: UnknownAcceptance | null;
  /** When to ask a person, unless an event or a late outcome comes first. */
  readonly askAt: IsoInstant;
}
