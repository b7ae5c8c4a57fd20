import { addMoney, type Money } from './money';

/** The prices in an answer to a fixed price request. */
export interface AnsweredPrice {
  /** With service charges: what the shipper's customer is shown. */
  readonly price: Money;
  /** What the listing names: without service charges (`nypAmount`), unless the account's settings say otherwise. */
  readonly listPrice: Money;
  readonly priceCorrelationId: string | null;
}

/** The price of a furniture order (contract: fixed price response). */
export interface FixedPrice extends AnsweredPrice {
  /** What the asked coverage costs; null when no coverage was asked for. */
  readonly premium: Money | null;
  /** Price plus premium. */
  readonly total: Money;
}

/** Coverage was asked for, and the answer names no premium. There is no total until a person states the premium. */
export interface PriceWithoutPremium extends AnsweredPrice {
  readonly premium: 'unknown';
  /** The account offers its listings at the total, which `listPrice` then lacks. */
  readonly isListedAtTotal: boolean;
}

/** An answer to a fixed price request, with or without the premium. */
export type FixedPriceAnswer = FixedPrice | PriceWithoutPremium;

/** Completes an answer that named no premium. @returns null when the currencies differ: there is no total then */
export function withPremium(answer: PriceWithoutPremium, premium: Money): FixedPrice | null {
  const { price, listPrice, priceCorrelationId, isListedAtTotal } = answer;
  const total = addMoney(price, premium);
  if (total === null) return null;
  return { price, listPrice: isListedAtTotal ? total : listPrice, priceCorrelationId, premium, total };
}
