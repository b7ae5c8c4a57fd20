import type { LeftOut } from './left-out';
import type { Money } from './money';
import type { IsoInstant } from './shipment';

/** What describes a rate besides its price. */
export interface RateDescription {
  readonly serviceType: string | null;
  readonly transportMode: string | null;
  readonly vehicleType: string | null;
  /** The carrier's text, shortened if it is long. */
  readonly additionalInformation: string | null;
}

/**
 * One carrier's offer (contract: rate object). The workflow compares its instants with Temporal's clock, so the
 * activity that reads a rate converts them to that clock.
 */
export interface LtlRate extends RateDescription {
  readonly rateId: string;
  readonly createdAt: IsoInstant | null;
  readonly expiresAt: IsoInstant;
  readonly totalPrice: Money;
  /** Currency of the account (ISO 4217). */
  readonly accountCurrency: string;
  /** Days from the pickup day until pickup or delivery; null when the carrier gave none. */
  readonly pickupDelayInDays: number | null;
  readonly deliveryDelayInDays: number | null;
  readonly carrier: RateCarrier;
}

/** The rates of a request, and how many could not be read. */
export interface RateList {
  readonly rates: readonly LtlRate[];
  readonly leftOut: LeftOut;
}

/** Rates from one call. */
export interface ReadRates extends RateList {
  /** The clock of their instants. If the answer has no date, they stay on the marketplace's clock. */
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
