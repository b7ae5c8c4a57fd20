/** One element of a list that cannot be read, among others that can. */
export const badElements = [
  'rateExpiresNull',
  'ratePriceZero',
  'ratePriceNull',
  'ratePriceText',
  'rateStarsText',
  'rateDelayText',
  'paymentExpiryZero',
  'paymentYearShort',
  'paymentIdNull',
  'reference',
  'attachment',
  'trackingPlace',
  'trackingStatus',
] as const;
export type BadElement = (typeof badElements)[number];
