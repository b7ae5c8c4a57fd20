import { noticesOf } from './bounded-state';
import { knownListingIds } from './candidates';
import { proNumberOf } from './listing';
import { formatMoney, type Money } from './money';
import type { In, ShipmentState } from './shipment-state';
import type { IsoInstant } from './shipment';

/** What a completed shipment workflow answers. */
export type ShipmentResult = DeliveredResult | WithdrawnResult;

/** The goods arrived, and the price is settled. */
export interface DeliveredResult {
  readonly kind: 'delivered';
  readonly listingId: string;
  readonly billOfLadingNumber: string | null;
  /** The carrier's own number, once the record names it. */
  readonly proNumber: string | null;
  readonly carrier: string | null;
  /** What the listing costs by the marketplace's record: for furniture the list price of the account's settings. */
  readonly price: Money | null;
  /** What the customer pays: the total of the fixed price, or the rate that was accepted. */
  readonly customerPrice: Money | null;
  readonly transitStatus: string | null;
  readonly notices: readonly string[];
}

/** A person ended the order, and nothing is booked. It is not booked again without a statement of what was checked. */
export interface WithdrawnResult extends Withdrawal {
  readonly kind: 'withdrawn';
}

/** Who ended an order, and why. Also the memo `withdrawn` of its workflow, which a starter reads without a worker. */
export interface Withdrawal {
  readonly by: string;
  readonly reason: string;
  readonly at: IsoInstant;
  /** The listings that were this order's: a new run reads them before it books. */
  readonly listingIds: readonly string[];
}

/** What the customer was told to pay: the total of the fixed price, or the chosen rate. Never corrected afterwards. */
function customerPrice(state: ShipmentState): Money | null {
  return state.fixedPrice?.total ?? state.rateDecision?.chosen?.totalPrice ?? null;
}

/** What the listing costs by the marketplace's record: corrected, accepted, or named. Null while there is none. */
function listingCost({ listing }: ShipmentState): Money | null {
  return listing?.totalCost ?? listing?.acceptedPrice ?? listing?.namedPrice ?? null;
}

/**
 * The amounts of a shipment with the names that people read everywhere. The two may differ for furniture, by the
 * account's setting `listPrice` and by corrections; what the record says is not explained by either.
 */
export function priceLines(state: ShipmentState): [string, string | null][] {
  const paid = customerPrice(state);
  const cost = listingCost(state);
  const { fixedPrice } = state;
  const parts =
    fixedPrice?.premium == null
      ? ''
      : ` (price ${formatMoney(fixedPrice.price)}, premium ${formatMoney(fixedPrice.premium)})`;
  const source = fixedPrice === null ? '' : " (by the marketplace's record)";
  return [
    ['Customer pays', paid === null ? null : `${formatMoney(paid)}${parts}`],
    ['Listing costs', cost === null ? null : `${formatMoney(cost)}${source}`],
  ];
}

/** The number on the bill of lading, once the document is there. */
export function billOfLadingNumber({ billOfLading }: ShipmentState): string | null {
  return billOfLading === null || billOfLading === 'unavailable' ? null : billOfLading.billOfLadingNumber;
}

/** Who carries it, or is about to. */
export function carrierName(state: ShipmentState): string | null {
  return state.listing?.carrier?.displayName ?? state.rateDecision?.chosen?.carrier.displayName ?? null;
}

export function withdrawalOf(state: ShipmentState, { by, reason, endedAt }: In<'cancelled'>): Withdrawal {
  return { by, reason, at: endedAt, listingIds: knownListingIds(state) };
}

/** Reads the memo `withdrawn`; null where there is none. */
export function parseWithdrawal(memo: unknown): Withdrawal | null {
  if (typeof memo !== 'object' || memo === null) return null;
  const { by, reason, at, listingIds }: Record<string, unknown> = { ...memo };
  if (typeof by !== 'string' || typeof reason !== 'string' || typeof at !== 'string') return null;
  return { by, reason, at, listingIds: listOfIds(listingIds) };
}

/** Reads a list of listing ids from a memo. */
export function listOfIds(memo: unknown): readonly string[] {
  return Array.isArray(memo) ? memo.filter((id) => typeof id === 'string') : [];
}

export function deliveredResult(state: ShipmentState, listingId: string): DeliveredResult {
  return {
    kind: 'delivered',
    listingId,
    billOfLadingNumber: billOfLadingNumber(state) ?? state.listing?.billOfLadingNumber ?? null,
    proNumber: state.listing === null ? null : proNumberOf(state.listing),
    carrier: state.listing?.carrier?.displayName ?? null,
    price: listingCost(state),
    customerPrice: customerPrice(state),
    transitStatus: state.listing?.transitStatus ?? null,
    notices: noticesOf(state),
  };
}
