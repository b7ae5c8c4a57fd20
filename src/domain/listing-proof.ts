import type { ListingRecord, ReferenceNumber } from './listing';
import { totalWeightsInGrams, type Shipment } from './shipment';
import { orderReference, parseOrderReference, type OrderKey } from './workflow-id';

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

/** The number alone; the marketplace may answer label and number as one text. */
const isNumber = (text: string, number: string): boolean =>
  text.trim() === number || text.trim().endsWith(` - ${number}`);

/** Names under which marketplaces show the type of an order's own number; 11 is its place in their list. */
const ORDER_TYPES: ReadonlySet<string> = new Set([
  'thirdpartyordernumber',
  'thirdpartyorder',
  'ordernumber',
  '11',
]);
export const isOrderType = (type: string): boolean =>
  ORDER_TYPES.has(type.toLowerCase().replace(/[^a-z0-9]/g, ''));

/**
 * The order that a reference names; null where it has not the form of an order's. Its type may be renamed, a number or
 * missing, and label and number may come as one text.
 */
export function orderOfReference(number: string): OrderKey | null {
  return parseOrderReference(number.trim().split(' - ').at(-1) ?? '');
}

/** The order of this account that a record names: under the type of orders, or else under any. */
export function orderNamedBy(
  { referenceNumbers }: Pick<ListingRecord, 'referenceNumbers'>,
  account: string,
): OrderKey | null {
  const named = referenceNumbers.flatMap(({ type, number }) => {
    const order = orderOfReference(number);
    return order?.account === account ? [{ order, isTyped: isOrderType(type) }] : [];
  });
  return (named.find(({ isTyped }) => isTyped) ?? named[0])?.order ?? null;
}

/** Orders that a record names as its own; without a type, only those of this account are taken for such. */
function ordersNamed({ referenceNumbers }: ListingRecord, account: string): string[] {
  return referenceNumbers.flatMap(({ type, number }) => {
    const order = orderOfReference(number);
    if (order === null) return [];
    const isOwn = isOrderType(type) || (type === '' && order.account === account);
    return isOwn ? [orderReference(order.account, order.orderId)] : [];
  });
}

/**
 * Whether a record carries an order's reference, which is known by its value: its type may be renamed, a number or
 * missing. A reference of another type is another order's own remark where the record names that order as its own.
 */
export function carriesReference(record: ListingRecord, reference: string): boolean {
  if (!record.referenceNumbers.some(({ number }) => isNumber(number, reference))) return false;
  const named = ordersNamed(record, parseOrderReference(reference)?.account ?? '');
  return named.length === 0 || named.includes(reference);
}

/**
 * Whose order's a listing is that its record says to be another one's; null when it may be ours. A record need not say
 * so much: this is for a listing that our own write named, not for one that must prove itself.
 */
export function contradictingReference(record: ListingRecord, shipment: Shipment): string | null {
  const { account, orderId } = shipment;
  const own = orderReference(account, orderId);
  if (carriesReference(record, own)) return null;
  return ordersNamed(record, account)[0] ?? null;
}

/** What is moved, and between where: by it a listing is told apart from one that only carries the same reference. */
export interface Load {
  /** Of origin and destination; an order by coordinates has none to compare, which is ''. */
  readonly postalCodes: readonly [string, string];
  /** What the record may show as the weight of everything, the likeliest first. Empty where it is not known. */
  readonly weightsInGrams: readonly number[];
}

export const loadOf = (shipment: Shipment): Load => ({
  postalCodes: [shipment.origin.address.postalCode, shipment.destination.address.postalCode],
  weightsInGrams: totalWeightsInGrams(shipment),
});

/** An order, with what it was to move before it was revised: a listing of that time is its listing too. */
export interface OwnOrder {
  readonly shipment: Shipment;
  readonly earlierLoads: readonly Load[];
  /** Named by our own write: it needs no reference. */
  readonly isOwn: boolean;
}

/** Whose a listing is, as its record proves. An event alone proves nothing; it could be forged or somebody else's. */
export type Recognition =
  /** Our reference, the stops' postal codes and the weight; `outdated`: as they were before the order was revised. */
  | { readonly kind: 'ours'; readonly outdated: string | null }
  /** Our reference, and another load: it may well bring a second truck, and is not taken for the order's. */
  | { readonly kind: 'differs'; readonly why: string }
  /** No reference at all: a person who has looked may say that it is the order's. */
  | { readonly kind: 'unreferenced'; readonly load: LoadComparison; readonly why: string }
  /** References, and none of them is ours. */
  | { readonly kind: 'foreign'; readonly why: string };

/** `unknown`: the record says neither where it goes nor what it weighs. */
export type LoadComparison =
  | { readonly kind: 'same' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'differs'; readonly why: string };

/**
 * Whose a listing is by its references alone. One without any is the order's where that is known beside the record.
 * @returns null when it may be the order's; else why it is not, in words
 */
export function lacksReference(
  record: ListingRecord,
  { reference, isKnown }: { readonly reference: string; readonly isKnown: boolean },
): string | null {
  const isUnreferenced = record.referenceNumbers.length === 0;
  if (carriesReference(record, reference) || (isKnown && isUnreferenced)) return null;
  return `listing ${record.listingId} does not carry the reference ${reference}${isUnreferenced ? ', nor any other' : ''}`;
}

export function recogniseListing(
  record: ListingRecord,
  { shipment, earlierLoads, isOwn }: OwnOrder,
): Recognition {
  const reference = orderReference(shipment.account, shipment.orderId);
  const why = differenceOf(record, loadOf(shipment));
  const isOfBefore = earlierLoads.some((load) => differenceOf(record, load) === null);
  const lacks = lacksReference(record, { reference, isKnown: isOwn });
  if (lacks !== null) {
    if (record.referenceNumbers.length > 0) return { kind: 'foreign', why: lacks };
    return { kind: 'unreferenced', load: comparisonOf(record, isOfBefore ? null : why), why: lacks };
  }
  if (why === null) return { kind: 'ours', outdated: null };
  return isOfBefore ? { kind: 'ours', outdated: why } : { kind: 'differs', why };
}

/** Whether the record names another send than this one; one that names none may be of any. */
export function isOfAnotherSend(record: ListingRecord, sendId: string): boolean {
  return (sendIdOf(record) ?? sendId) !== sendId;
}

function comparisonOf(record: ListingRecord, difference: string | null): LoadComparison {
  if (difference !== null) return { kind: 'differs', why: difference };
  const saysNothing = record.postalCodes.length === 0 && record.totalWeightInGrams === null;
  return { kind: saysNothing ? 'unknown' : 'same' };
}

/** A record need not say where it goes, or what it weighs: then it is held against the rest. */
function differenceOf(record: ListingRecord, { postalCodes, weightsInGrams }: Load): string | null {
  const { listingId, postalCodes: found, totalWeightInGrams: weight } = record;
  const isSame = (code: string, stop: number) => code === '' || samePostalCode(code, found[stop] ?? '');
  if (found.length > 0 && !postalCodes.every(isSame))
    return `listing ${listingId} goes from and to other postal codes`;
  if (weight !== null && weightsInGrams.length > 0 && !weightsInGrams.includes(weight))
    return `listing ${listingId} weighs ${weight} g, the order ${weightsInGrams[0]} g`;
  return null;
}
