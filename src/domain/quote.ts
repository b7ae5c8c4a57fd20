import type { LeftOut } from './left-out';
import type { RateDecision } from './rate-choice';
import type { LtlRate } from './rate';
import type { IsoInstant, LtlShipment } from './shipment';

/** Current offers for an LTL order; nothing is booked. */
export interface LtlQuote {
  readonly requestedAt: IsoInstant;
  /** Empty when no carrier answered within the policy's maximum wait. */
  readonly rates: readonly LtlRate[];
  /** Offers that could not be read. */
  readonly leftOut: LeftOut;
  /** The rate that the order's policy would accept, and why the others lose. */
  readonly decision: RateDecision;
}

const MAX_ORDER_ID_LENGTH = 50;
const SUFFIX = '.quote';

/**
 * Gives the quote its own order id. Of several rate requests with one order id only the latest counts, so a quote
 * must not replace the request of a shipment that is being booked.
 */
export function asQuote(shipment: LtlShipment): LtlShipment {
  const orderId = `${shipment.orderId.slice(0, MAX_ORDER_ID_LENGTH - SUFFIX.length)}${SUFFIX}`;
  return { ...shipment, orderId };
}
