import type { Money } from './money';

/** The marketplace's answer for furniture (contract: fixed price response). */
export interface FixedPrice {
  /** With service charges: what the shipper's customer is shown. */
  readonly price: Money;
  /** What the listing names: without service charges (`nypAmount`), unless the account's settings say otherwise. */
  readonly listPrice: Money;
  readonly priceCorrelationId: string | null;
  /** What the asked coverage costs; null when no coverage was asked for. */
  readonly premium: Money | null;
  /** Price plus premium. */
  readonly total: Money;
}
