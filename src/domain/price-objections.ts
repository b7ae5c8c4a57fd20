import { formatMoney, isAbove, raisedBy, type Money } from './money';

/** The price that rates of a later request are compared with. */
export interface AgreedPrice {
  readonly price: Money;
  readonly rateRequestId: string;
}

export interface PriceCheck {
  readonly price: Money;
  /** A person selected this rate and saw its price. */
  readonly isSelected: boolean;
  readonly priceLimit: Money | null;
  readonly driftPercent: number;
  /** The rate's own request. */
  readonly rateRequestId: string;
  readonly agreedPrice: AgreedPrice | null;
}

/**
 * The agreed price after a rate is accepted. A price within the allowed band does not become the new measure, or many
 * small steps could go any distance without a question. Only a person moves it, or the next best rate of the same
 * request.
 */
export function agreePrice(before: AgreedPrice | null, taken: AgreedPrice, isByPerson: boolean): AgreedPrice {
  const isOfSameRequest = before?.rateRequestId === taken.rateRequestId;
  return before === null || isByPerson || isOfSameRequest ? taken : before;
}

/**
 * Why a person must approve a rate: it is above the order's limit, or much dearer than the agreed rate that could not
 * be booked. Empty when Consign may accept it.
 */
export function priceObjections(check: PriceCheck): readonly string[] {
  const { price, isSelected, priceLimit, driftPercent, rateRequestId, agreedPrice } = check;
  // Within one request the next rate is simply the next best. Only a new request can show that prices rose.
  const before =
    agreedPrice === null || agreedPrice.rateRequestId === rateRequestId ? null : agreedPrice.price;
  const objections: string[] = [];
  if (before !== null && isAbove(price, raisedBy(before, driftPercent)))
    objections.push(`more than ${driftPercent} % above the ${formatMoney(before)} that was agreed on`);
  if (!isSelected && priceLimit !== null && isAbove(price, priceLimit))
    objections.push(`above the limit of ${formatMoney(priceLimit)}`);
  return objections;
}
