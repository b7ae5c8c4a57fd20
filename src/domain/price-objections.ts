import { formatMoney, isAbove, raisedBy, type Money } from './money';

export interface PriceCheck {
  readonly price: Money;
  /** By a person, who saw its price. */
  readonly isSelected: boolean;
  readonly priceLimit: Money | null;
  readonly driftPercent: number;
  /** The request that the rate is of. */
  readonly rateRequestId: string;
  /** Of the rate that was taken last. */
  readonly agreedPrice: { readonly price: Money; readonly rateRequestId: string } | null;
}

/**
 * Why a rate needs a person's approval: it is dearer than the order allows, or much dearer than the one agreed on before
 * when that one could not be had. Empty when it can be taken.
 */
export function priceObjections(check: PriceCheck): readonly string[] {
  const { price, isSelected, priceLimit, driftPercent, rateRequestId, agreedPrice } = check;
  // Within one request the next rate is the next best; only a new request can show that prices went up.
  const before =
    agreedPrice === null || agreedPrice.rateRequestId === rateRequestId ? null : agreedPrice.price;
  const objections: string[] = [];
  if (before !== null && isAbove(price, raisedBy(before, driftPercent)))
    objections.push(`more than ${driftPercent} % above the ${formatMoney(before)} of the rate before`);
  if (!isSelected && priceLimit !== null && isAbove(price, priceLimit))
    objections.push(`above the limit of ${formatMoney(priceLimit)}`);
  return objections;
}
