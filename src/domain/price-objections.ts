import { formatMoney, isAbove, raisedBy, type Money } from './money';

/** What the rates of a later request are held against. */
export interface AgreedPrice {
  readonly price: Money;
  readonly rateRequestId: string;
}

export interface PriceCheck {
  readonly price: Money;
  /** By a person, who saw its price. */
  readonly isSelected: boolean;
  readonly priceLimit: Money | null;
  readonly driftPercent: number;
  /** The request that the rate is of. */
  readonly rateRequestId: string;
  readonly agreedPrice: AgreedPrice | null;
}

/**
 * What is agreed on once a rate is taken. A price within the band does not become the next one's measure, or many small
 * steps would go any distance unasked: only a person moves it, or the next best rate of the same request.
 */
export function agreePrice(before: AgreedPrice | null, taken: AgreedPrice, isByPerson: boolean): AgreedPrice {
  const isOfSameRequest = before?.rateRequestId === taken.rateRequestId;
  return before === null || isByPerson || isOfSameRequest ? taken : before;
}

/**
 * Why a rate needs a person's approval: it is dearer than the order allows, or much dearer than the one agreed on before
 * when that one could not be had. Empty when it can be taken.
 */
export function priceObjections(check: PriceCheck): readonly string[] {
  const { price, isSelected, priceLimit, driftPercent, rateRequestId, agreedPrice } = check;
  // Within its request the next rate is the next best; only a new request can show that prices went up.
  const before =
    agreedPrice === null || agreedPrice.rateRequestId === rateRequestId ? null : agreedPrice.price;
  const objections: string[] = [];
  if (before !== null && isAbove(price, raisedBy(before, driftPercent)))
    objections.push(`more than ${driftPercent} % above the ${formatMoney(before)} that was agreed on`);
  if (!isSelected && priceLimit !== null && isAbove(price, priceLimit))
    objections.push(`above the limit of ${formatMoney(priceLimit)}`);
  return objections;
}
