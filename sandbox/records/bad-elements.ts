import type { BadElement } from '../model/bad-element';
import { objectOf, type JsonObject } from '../model/json';

const within = (record: JsonObject, field: string, changes: JsonObject): JsonObject => ({
  ...record,
  [field]: { ...objectOf(record[field]), ...changes },
});

const spoilRateBy: Readonly<Partial<Record<BadElement, (rate: JsonObject) => JsonObject>>> = {
  rateExpiresNull: (rate) => ({ ...rate, expires: null }),
  ratePriceZero: (rate) => within(rate, 'totalPrice', { value: 0 }),
  ratePriceNull: (rate) => within(rate, 'totalPrice', { value: null }),
  ratePriceText: (rate) => within(rate, 'totalPrice', { value: '1,234.56' }),
  rateStarsText: (rate) =>
    within(rate, 'bidder', within(objectOf(rate['bidder']), 'feedback', { starRating: 'N/A' })),
  rateDelayText: (rate) => within(rate, 'deliveryTimeframe', { delay: '1-2' }),
};

/** The first name spoils the first rate that arrived, the second the second, and so on. */
export function spoilRate(rate: JsonObject, place: number, names: readonly BadElement[]): JsonObject {
  const name = names.filter((candidate) => candidate in spoilRateBy)[place];
  return name === undefined ? rate : (spoilRateBy[name]?.(rate) ?? rate);
}

/** The primary card, the pay on terms and the expired card each have a flaw of their own. */
export function spoilPaymentMethod(
  method: JsonObject,
  place: number,
  names: readonly BadElement[],
): JsonObject {
  const { year } = objectOf(method['expiration']);
  if (place === 0 && names.includes('paymentYearShort'))
    return within(method, 'expiration', { year: Number(year) % 100 });
  if (place === 1 && names.includes('paymentExpiryZero'))
    return within(method, 'expiration', { month: 0, year: 0 });
  return place === 2 && names.includes('paymentIdNull') ? { ...method, id: null } : method;
}

export function spoilAttachment(attachment: JsonObject, names: readonly BadElement[]): JsonObject {
  return names.includes('attachment')
    ? { ...attachment, fileSize: '12 KB', dateCreated: null, links: [null] }
    : attachment;
}

/** What stands in front of the good elements of a list; nothing unless the name is among the chosen ones. */
const inFront =
  (name: BadElement, element: unknown) =>
  (names: readonly BadElement[]): readonly unknown[] =>
    names.includes(name) ? [element] : [];

export const badReference = inFront('reference', { number: null, type: null, referenceNumberLabel: null });
export const badUpload = inFront('attachment', null);
export const badPlace = inFront('trackingPlace', { latitude: null, longitude: 'N/A', dateSet: null });
export const badPlaceAddress = inFront('trackingPlace', null);
export const badTrackingStatus = inFront('trackingStatus', { status: null, dateSet: 'yesterday' });
