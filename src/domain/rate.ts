import type { LeftOut } from './left-out';
import type { Money } from './money';
import type { IsoInstant } from './shipment';

/** How the goods would move: what a price alone does not tell. */
export interface RateDescription {
  readonly serviceType: string | null;
  readonly transportMode: string | null;
  readonly vehicleType: string | null;
  /** The provider's own text, cut where it is long. */
  readonly additionalInformation: string | null;
}

/**
 * One carrier's offer (contract: rate object). The workflow compares its instants with Temporal's now, so the activity
 * that reads a rate moves them to Temporal's clock.
 */
export interface LtlRate extends RateDescription {
  readonly rateId: string;
  readonly createdAt: IsoInstant | null;
  readonly expiresAt: IsoInstant;
  readonly totalPrice: Money;
  /** ISO 4217 code of the account that asked. */
  readonly accountCurrency: string;
  /** Days from the pickup day until pickup or delivery; null when the carrier gave none. */
  readonly pickupDelayInDays: number | null;
  readonly deliveryDelayInDays: number | null;
  readonly carrier: RateCarrier;
}

/** The rates of a request, and how many of them could not be read. */
export interface RateList {
  readonly rates: readonly LtlRate[];
  readonly leftOut: LeftOut;
}

/** Rates as one call read them. */
export interface ReadRates extends RateList {
  /** Whose clock their instants are on. An answer that does not say what time it is leaves them on the marketplace's. */
  readonly clock: 'worker' | 'marketplace';
}

/** The carrier that offers a rate. */
export interface RateCarrier {
  readonly userId: string | null;
  readonly displayName: string;
  readonly feedbackCount: number | null;
  /** 0 to 100. */
  readonly percentPositive: number | null;
  /** 1 to 5. */
  readonly starRating: number | null;
}
