import type { LeftOut } from './left-out';
import type { RateDecision } from './rate-choice';
import type { LtlRate } from './rate';
import type { IsoInstant, LtlShipment } from './shipment';

/** What an LTL order would cost now; nothing is booked. */
export interface LtlQuote {
  readonly requestedAt: IsoInstant;
  /** Empty when no carrier answered within the policy's longest wait. */
  readonly rates: readonly LtlRate[];
  /** Of what carriers offered, what could not be read. */
  readonly leftOut: LeftOut;
  /** Which of them the order's policy would take, and why the others lose. */
  readonly decision: RateDecision;
}

const MAX_ORDER_ID_LENGTH = 50;
const SUFFIX = '.quote';

/**
 * The shipment under an order id of its own: of several rate requests of one order only the latest counts, and a
 * quote must not take the place of that of a shipment which is being booked.
 */
export function asQuote(shipment: LtlShipment): LtlShipment {
  const orderId = `${shipment.orderId.slice(0, MAX_ORDER_ID_LENGTH - SUFFIX.length)}${SUFFIX}`;
  return { ...shipment, orderId };
}
