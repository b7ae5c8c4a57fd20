import type { ListingRecord, ReferenceNumber } from './listing';
import { totalWeightInGrams, type Shipment } from './shipment';
import { orderReference } from './workflow-id';

export const ORDER_REFERENCE_TYPE = 'ThirdPartyOrderNumber';
/** Label of the reference that names one send of a listing. */
export const SEND_LABEL = 'Send';

const normalise = (postalCode: string): string => postalCode.replace(/[\s-]/g, '').toUpperCase().slice(0, 6);
const samePostalCode = (a: string, b: string): boolean => {
  const [left, right] = [normalise(a), normalise(b)];
  // ZIP+4 on one side only is the same place.
  return left === right || (/^\d{5}/.test(left) && left.slice(0, 5) === right.slice(0, 5));
};

/** The send that a reference names; the marketplace may answer label and number as one text. */
function sendOf({ label, number }: ReferenceNumber): string | null {
  const prefix = `${SEND_LABEL} - `;
  if (number.startsWith(prefix)) return number.slice(prefix.length);
  return label === SEND_LABEL ? number : null;
}

/** Whether the record names this very send; one of an earlier run, or made by hand, may name none. */
export function isOfSend({ referenceNumbers }: ListingRecord, sendId: string): boolean {
  return referenceNumbers.some((reference) => sendOf(reference) === sendId);
}

/**
 * Whose order's a listing is that its record says to be another one's; null when it may be ours. A record need not say
 * so much: this is for a listing that our own write named, not for one that must prove itself.
 */
export function contradictingReference(
  { referenceNumbers }: ListingRecord,
  shipment: Shipment,
): string | null {
  const orders = referenceNumbers
    .filter(({ type }) => type === ORDER_REFERENCE_TYPE)
    .map(({ number }) => number);
  return orders.includes(orderReference(shipment.account, shipment.orderId)) ? null : (orders[0] ?? null);
}

/**
 * Why a listing is not this order's, or null when its record proves that it is: our reference, the stops'
 * postal codes and the weight. An event alone proves nothing; it could be forged or somebody else's.
 */
export function disproveListing(
  record: ListingRecord,
  shipment: Shipment,
  sendId: string | null,
): string | null {
  const reference = orderReference(shipment.account, shipment.orderId);
  if (
    !record.referenceNumbers.some(({ type, number }) => type === ORDER_REFERENCE_TYPE && number === reference)
  ) {
    return `listing ${record.listingId} does not carry the reference ${reference}`;
  }
  const send = record.referenceNumbers.map(sendOf).find((found) => found !== null) ?? null;
  if (sendId !== null && send !== null && send !== sendId) {
    return `listing ${record.listingId} comes from send ${send}, not ${sendId}`;
  }
  const expected = [shipment.origin.address.postalCode, shipment.destination.address.postalCode];
  const found = record.postalCodes;
  // An order by coordinates has no postal codes to compare.
  const isSame = (code: string, stop: number) => code === '' || samePostalCode(code, found[stop] ?? '');
  if (found.length > 0 && !expected.every(isSame)) {
    return `listing ${record.listingId} goes from and to other postal codes`;
  }
  const weight = totalWeightInGrams(shipment);
  if (record.totalWeightInGrams !== null && weight > 0 && record.totalWeightInGrams !== weight) {
    return `listing ${record.listingId} weighs ${record.totalWeightInGrams} g, the order ${weight} g`;
  }
  return null;
}
