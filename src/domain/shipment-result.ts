import { noticesOf } from './bounded-state';
import { knownListingIds } from './candidates';
import { proNumberOf } from './listing';
import { formatMoney, type Money } from './money';
import type { In, ShipmentState } from './shipment-state';
import type { IsoInstant } from './shipment';

/** Result of a completed shipment workflow. */
export type ShipmentResult = DeliveredResult | WithdrawnResult;

/** The goods arrived, and the price is settled. */
export interface DeliveredResult {
  readonly kind: 'delivered';
  readonly listingId: string;
  readonly billOfLadingNumber: string | null;
  /** The carrier's own number; null until the record has it. */
  readonly proNumber: string | null;
  readonly carrier: string | null;
  /** Cost by the marketplace's record. For furniture this is the list price that the account's settings select. */
  readonly price: Money | null;
  /** What the customer pays: the total of the fixed price, or the accepted rate. */
  readonly customerPrice: Money | null;
  readonly transitStatus: string | null;
  readonly notices: readonly string[];
}

/**
 * A person ended the order, and nothing is booked. Starting the order again requires a statement of what was checked.
 */
export interface WithdrawnResult extends Withdrawal {
  readonly kind: 'withdrawn';
}

/** Who ended an order, and why. Also the workflow's memo `withdrawn`, which a starter can read without a worker. */
export interface Withdrawal {
  readonly by: string;
  readonly reason: string;
  readonly at: IsoInstant;
  /** The order's listings: a new run reads them before it books. */
  readonly listingIds: readonly string[];
}

/** The price that the customer saw: the total of the fixed price, or the chosen rate. Never corrected later. */
export function customerPrice(state: ShipmentState): Money | null {
  return state.fixedPrice?.total ?? state.rateDecision?.chosen?.totalPrice ?? null;
}

/**
 * Cost by the marketplace's record: the corrected price, else the accepted, else the listed one. Null when there is
 * none.
 */
export function listingCost({ listing }: ShipmentState): Money | null {
  return listing?.totalCost ?? listing?.acceptedPrice ?? listing?.namedPrice ?? null;
}

/**
 * The shipment's amounts under the names that people see everywhere. For furniture the two may differ because of the
 * account's setting `listPrice` and because of corrections.
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

/** Null until the bill of lading is stored. */
export function billOfLadingNumber({ billOfLading }: ShipmentState): string | null {
  return billOfLading === null || billOfLading === 'unavailable' ? null : billOfLading.billOfLadingNumber;
}

/** The booked or chosen carrier. */
export function carrierName(state: ShipmentState): string | null {
  return state.listing?.carrier?.displayName ?? state.rateDecision?.chosen?.carrier.displayName ?? null;
}

export function withdrawalOf(state: ShipmentState, { by, reason, endedAt }: In<'cancelled'>): Withdrawal {
  return { by, reason, at: endedAt, listingIds: knownListingIds(state) };
}

/** Reads the memo `withdrawn`; null when there is none. */
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
