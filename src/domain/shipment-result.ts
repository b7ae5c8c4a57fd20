import type { Money } from './money';
import type { ShipmentState } from './shipment-state';

/** What a completed shipment workflow answers. */
export interface ShipmentResult {
  readonly listingId: string;
  readonly billOfLadingNumber: string | null;
  readonly carrier: string | null;
  /** What the shipper pays, as far as the record tells. */
  readonly price: Money | null;
  readonly transitStatus: string | null;
  readonly notices: readonly string[];
}

/** The price that is true now: corrected, accepted, or asked. */
export function currentPrice(state: ShipmentState): Money | null {
  const accepted = state.rateDecision?.chosen?.totalPrice ?? null;
  return (
    state.listing?.totalCost ?? state.listing?.acceptedPrice ?? accepted ?? state.fixedPrice?.total ?? null
  );
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
    carrier: state.listing?.carrier?.displayName ?? null,
    price: currentPrice(state),
    transitStatus: state.listing?.transitStatus ?? null,
    notices: state.notices,
  };
}
