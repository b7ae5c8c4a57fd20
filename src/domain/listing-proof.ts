import type { Carrier, ListingRecord, ReferenceNumber } from './listing';
import { totalWeightsInGrams, type Shipment } from './shipment';
import { orderReference, parseOrderReference, type OrderKey } from './workflow-id';

export const ORDER_REFERENCE_TYPE = 'ThirdPartyOrderNumber';
/** Label of the reference that identifies one send of a listing. */
export const SEND_LABEL = 'Send';

const normalise = (postalCode: string): string => postalCode.replace(/[\s-]/g, '').toUpperCase().slice(0, 6);
const samePostalCode = (a: string, b: string): boolean => {
  const [left, right] = [normalise(a), normalise(b)];
  // ZIP+4 on one side only still means the same place.
  return left === right || (/^\d{5}/.test(left) && left.slice(0, 5) === right.slice(0, 5));
};

/** The send id in a reference. The marketplace may return label and number as one text. */
function sendOf({ label, number }: ReferenceNumber): string | null {
  const prefix = `${SEND_LABEL} - `;
  if (number.startsWith(prefix)) return number.slice(prefix.length);
  return label === SEND_LABEL ? number : null;
}

/** The send id in a record; null when it has none. */
export const sendIdOf = ({ referenceNumbers }: ListingRecord): string | null =>
  referenceNumbers.map(sendOf).find((found) => found !== null) ?? null;

/** Whether the record carries this send id. A listing of an earlier run, or made by hand, may carry none. */
export function isOfSend({ referenceNumbers }: ListingRecord, sendId: string): boolean {
  return referenceNumbers.some((reference) => sendOf(reference) === sendId);
}

/** Whether a record names another carrier. One that it does not name may be this one. */
export function isOfAnotherCarrier({ carrier }: Pick<ListingRecord, 'carrier'>, expected: Carrier): boolean {
  if (carrier === null) return false;
  return carrier.userId === null || expected.userId === null
    ? carrier.displayName !== expected.displayName
    : carrier.userId !== expected.userId;
}

/** Compares the number alone: the marketplace may return label and number as one text. */
const isNumber = (text: string, number: string): boolean =>
  text.trim() === number || text.trim().endsWith(` - ${number}`);

/** Names that marketplaces show for the type of an order's own number; 11 is its position in their list. */
const ORDER_TYPES: ReadonlySet<string> = new Set([
  'thirdpartyordernumber',
  'thirdpartyorder',
  'ordernumber',
  '11',
]);
export const isOrderType = (type: string): boolean =>
  ORDER_TYPES.has(type.toLowerCase().replace(/[^a-z0-9]/g, ''));

/**
 * The order that a reference names; null when the number does not have the form of an order reference. The
 * marketplace may rename the type, show it as a number or omit it, and may return label and number as one text.
 */
export function orderOfReference(number: string): OrderKey | null {
  return parseOrderReference(number.trim().split(' - ').at(-1) ?? '');
}

/** The order of this account that a record names: first by the type for order numbers, then by any type. */
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

/** Orders that a record names as its own. Without a type, only orders of this account count. */
function ordersNamed({ referenceNumbers }: ListingRecord, account: string): string[] {
  return referenceNumbers.flatMap(({ type, number }) => {
    const order = orderOfReference(number);
    if (order === null) return [];
    const isOwn = isOrderType(type) || (type === '' && order.account === account);
    return isOwn ? [orderReference(order.account, order.orderId)] : [];
  });
}

/**
 * Whether a record carries an order's reference. Only the value counts, because the type may be renamed, numeric or
 * missing. But a reference of another type is only a remark if the record names another order as its own.
 */
export function carriesReference(record: ListingRecord, reference: string): boolean {
  if (!record.referenceNumbers.some(({ number }) => isNumber(number, reference))) return false;
  const named = ordersNamed(record, parseOrderReference(reference)?.account ?? '');
  return named.length === 0 || named.includes(reference);
}

/**
 * The other order that a record says it belongs to; null when the listing may be this order's. For a listing that
 * this order's own write named: its record needs no reference. A listing from elsewhere must prove itself instead.
 */
export function contradictingReference(record: ListingRecord, shipment: Shipment): string | null {
  const { account, orderId } = shipment;
  const own = orderReference(account, orderId);
  if (carriesReference(record, own)) return null;
  return ordersNamed(record, account)[0] ?? null;
}

/** The load and its route. They distinguish the order's listing from one that only carries the same reference. */
export interface Load {
  /** Of origin and destination; '' for a stop given by coordinates, which cannot be compared. */
  readonly postalCodes: readonly [string, string];
  /** Possible total weights in the record, the likeliest first. Empty when unknown. */
  readonly weightsInGrams: readonly number[];
}

export const loadOf = (shipment: Shipment): Load => ({
  postalCodes: [shipment.origin.address.postalCode, shipment.destination.address.postalCode],
  weightsInGrams: totalWeightsInGrams(shipment),
});

/** An order, with its loads from before revisions: a listing of an earlier load is the order's too. */
export interface OwnOrder {
  readonly shipment: Shipment;
  readonly earlierLoads: readonly Load[];
  /** This order's own write named the listing, so it needs no reference. */
  readonly isOwn: boolean;
}

/**
 * Whose a listing is, as its record proves. An event alone proves nothing: it could be forged or about another order.
 */
export type Recognition =
  /** The order's reference, postal codes and weight match. `outdated`: they match the order from before a revision. */
  | { readonly kind: 'ours'; readonly outdated: string | null }
  /** The order's reference with another load. It may bring a second truck, and Consign does not follow it. */
  | { readonly kind: 'differs'; readonly why: string }
  /** No reference: a person who has checked may say that the listing is the order's. */
  | { readonly kind: 'unreferenced'; readonly load: LoadComparison; readonly why: string }
  /** The record has references, and none is the order's. */
  | { readonly kind: 'foreign'; readonly why: string };

/** `unknown`: the record has neither postal codes nor a weight. */
export type LoadComparison =
  | { readonly kind: 'same' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'differs'; readonly why: string };

/**
 * Whose a listing is by its references alone. A record without references passes if the listing is known to be the
 * order's.
 * @returns null when it may be the order's; otherwise why it is not
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

/** Whether the record carries another send id. A record without one may be of any send. */
export function isOfAnotherSend(record: ListingRecord, sendId: string): boolean {
  return (sendIdOf(record) ?? sendId) !== sendId;
}

function comparisonOf(record: ListingRecord, difference: string | null): LoadComparison {
  if (difference !== null) return { kind: 'differs', why: difference };
  const saysNothing = record.postalCodes.length === 0 && record.totalWeightInGrams === null;
  return { kind: saysNothing ? 'unknown' : 'same' };
}

/** Compares only what the record has: postal codes or weight may be missing. */
function differenceOf(record: ListingRecord, { postalCodes, weightsInGrams }: Load): string | null {
  const { listingId, postalCodes: found, totalWeightInGrams: weight } = record;
  const isSame = (code: string, stop: number) => code === '' || samePostalCode(code, found[stop] ?? '');
  if (found.length > 0 && !postalCodes.every(isSame))
    return `listing ${listingId} goes from and to other postal codes`;
  if (weight !== null && weightsInGrams.length > 0 && !weightsInGrams.includes(weight))
    return `listing ${listingId} weighs ${weight} g, the order ${weightsInGrams[0]} g`;
  return null;
}
