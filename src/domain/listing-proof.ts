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

/** The send that a record names; null where it names none. */
export const sendIdOf = ({ referenceNumbers }: ListingRecord): string | null =>
  referenceNumbers.map(sendOf).find((found) => found !== null) ?? null;

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

/** What is moved, and between where: by it a listing is told apart from one that only carries the same reference. */
export interface Load {
  /** Of origin and destination; an order by coordinates has none to compare, which is ''. */
  readonly postalCodes: readonly [string, string];
  /** Zero where it is not known. */
  readonly weightInGrams: number;
}

export const loadOf = (shipment: Shipment): Load => ({
  postalCodes: [shipment.origin.address.postalCode, shipment.destination.address.postalCode],
  weightInGrams: totalWeightInGrams(shipment),
});

/** An order, with what it was to move before it was revised: a listing of that time is its listing too. */
export interface OwnOrder {
  readonly shipment: Shipment;
  readonly earlierLoads: readonly Load[];
}

/** Whose a listing is, as its record proves. An event alone proves nothing; it could be forged or somebody else's. */
export type Recognition =
  /** Our reference, the stops' postal codes and the weight; `outdated`: as they were before the order was revised. */
  | { readonly kind: 'ours'; readonly outdated: string | null }
  /** Our reference, and another load: it may well bring a second truck, and is not taken for the order's. */
  | { readonly kind: 'differs'; readonly why: string }
  | { readonly kind: 'foreign'; readonly why: string };

export function recogniseListing(record: ListingRecord, { shipment, earlierLoads }: OwnOrder): Recognition {
  const reference = orderReference(shipment.account, shipment.orderId);
  if (!carriesReference(record, reference)) {
    return { kind: 'foreign', why: `listing ${record.listingId} does not carry the reference ${reference}` };
  }
  const why = differenceOf(record, loadOf(shipment));
  if (why === null) return { kind: 'ours', outdated: null };
  const isOfBefore = earlierLoads.some((load) => differenceOf(record, load) === null);
  return isOfBefore ? { kind: 'ours', outdated: why } : { kind: 'differs', why };
}

export function carriesReference({ referenceNumbers }: ListingRecord, reference: string): boolean {
  return referenceNumbers.some(({ type, number }) => type === ORDER_REFERENCE_TYPE && number === reference);
}

/** Whether the record names another send than this one; one that names none may be of any. */
export function isOfAnotherSend(record: ListingRecord, sendId: string): boolean {
  return (sendIdOf(record) ?? sendId) !== sendId;
}

/** A record need not say where it goes, or what it weighs: then it is held against the rest. */
function differenceOf(record: ListingRecord, { postalCodes, weightInGrams }: Load): string | null {
  const { listingId, postalCodes: found, totalWeightInGrams: weight } = record;
  const isSame = (code: string, stop: number) => code === '' || samePostalCode(code, found[stop] ?? '');
  if (found.length > 0 && !postalCodes.every(isSame))
    return `listing ${listingId} goes from and to other postal codes`;
  if (weight !== null && weightInGrams > 0 && weight !== weightInGrams)
    return `listing ${listingId} weighs ${weight} g, the order ${weightInGrams} g`;
  return null;
}
