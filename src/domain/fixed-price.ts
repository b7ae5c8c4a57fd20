import { addMoney, type Money } from './money';

/** The prices in an answer to a fixed price request. */
export interface AnsweredPrice {
  /** Includes service charges; this is what the shipper's customer sees. */
  readonly price: Money;
  /**
   * The price to name in the listing: without service charges (`nypAmount`), unless the account's settings say
   * otherwise.
   */
  readonly listPrice: Money;
  readonly priceCorrelationId: string | null;
}

/** The price of a furniture order (contract: fixed price response). */
export interface FixedPrice extends AnsweredPrice {
  /** What the coverage costs; null when the order asks for none. */
  readonly premium: Money | null;
  /** Price plus premium. */
  readonly total: Money;
}

/**
 * The order asks for coverage, and the answer names no premium. There is no total until a person states the premium.
 */
export interface PriceWithoutPremium extends AnsweredPrice {
  readonly premium: 'unknown';
  /** The account lists at the total, so `listPrice` still lacks the premium. */
  readonly isListedAtTotal: boolean;
}

/** An answer to a fixed price request, with or without the premium. */
export type FixedPriceAnswer = FixedPrice | PriceWithoutPremium;

/**
 * Adds a premium to an answer without one.
 * @returns null when the currencies differ and no total exists
 */
export function withPremium(answer: PriceWithoutPremium, premium: Money): FixedPrice | null {
  const { price, listPrice, priceCorrelationId, isListedAtTotal } = answer;
  const total = addMoney(price, premium);
  if (total === null) return null;
  return { price, listPrice: isListedAtTotal ? total : listPrice, priceCorrelationId, premium, total };
}
