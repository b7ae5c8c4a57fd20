import type { IsoDate } from './shipment';

/** The days between which, by the record, the goods arrive. At least one of them is set. */
export interface DeliveryWindow {
  readonly earliestOn: IsoDate | null;
  readonly latestOn: IsoDate | null;
}

/** @returns null when no day is given, or the last day is before the first */
export function toDeliveryWindow({ earliestOn, latestOn }: DeliveryWindow): DeliveryWindow | null {
  if (earliestOn === null && latestOn === null) return null;
  // Dates of this form sort as text.
  return earliestOn !== null && latestOn !== null && earliestOn > latestOn ? null : { earliestOn, latestOn };
}

/** `between 2035-03-08 and 2035-03-10`, for people. */
export function deliveryWindowText({ earliestOn, latestOn }: DeliveryWindow): string {
  if (earliestOn === null) return `by ${latestOn}`;
  if (latestOn === null) return `from ${earliestOn} on`;
  return earliestOn === latestOn ? `on ${latestOn}` : `between ${earliestOn} and ${latestOn}`;
}
