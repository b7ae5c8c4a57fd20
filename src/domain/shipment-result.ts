import { proNumberOf } from './listing';
import { formatMoney, type Money } from './money';
import type { ShipmentState } from './shipment-state';

/** What a completed shipment workflow answers. */
export interface ShipmentResult {
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

export function shipmentResult(state: ShipmentState, listingId: string): ShipmentResult {
  return {
    listingId,
    billOfLadingNumber: billOfLadingNumber(state) ?? state.listing?.billOfLadingNumber ?? null,
    proNumber: state.listing === null ? null : proNumberOf(state.listing),
    carrier: state.listing?.carrier?.displayName ?? null,
    price: listingCost(state),
    customerPrice: customerPrice(state),
    transitStatus: state.listing?.transitStatus ?? null,
    notices: state.notices,
  };
}
