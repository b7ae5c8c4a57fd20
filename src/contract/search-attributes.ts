import {
  defineSearchAttributeKey,
  type SearchAttributePair,
  type SearchAttributeType,
} from '@temporalio/common';
import { attributeOf, jsonBytes, keepNewest, LIST_LIMITS } from '../domain/bounds';
import { proNumberOf } from '../domain/listing';
import { billOfLadingNumber } from '../domain/shipment-result';
import type { Shipment } from '../domain/shipment';
import type { ShipmentState } from '../domain/shipment-state';
import type { OrderKey } from '../domain/workflow-id';

// Search attributes are never encrypted: none may contain a name, phone, street or e-mail address. (A server on
// SQLite has room for 10 keywords and 3 of each other type.)
export const ORDER_ID = defineSearchAttributeKey('OrderId', 'KEYWORD');
export const ACCOUNT = defineSearchAttributeKey('Account', 'KEYWORD');
const SHIPMENT_KIND = defineSearchAttributeKey('ShipmentKind', 'KEYWORD');
export const SHIPMENT_PHASE = defineSearchAttributeKey('ShipmentPhase', 'KEYWORD');
export const LISTING_ID = defineSearchAttributeKey('ListingId', 'KEYWORD');
export const TRANSIT_STATUS = defineSearchAttributeKey('TransitStatus', 'KEYWORD');
const PICKUP_ON = defineSearchAttributeKey('PickupOn', 'DATETIME');
export const NEEDS_ATTENTION = defineSearchAttributeKey('NeedsAttention', 'BOOL');
export const WAITS_FOR_ACCOUNT = defineSearchAttributeKey('WaitsForAccount', 'BOOL');

// `References` is a word of SQL, which the server refuses in a query.
export const REFERENCES = defineSearchAttributeKey('ReferenceNumbers', 'KEYWORD_LIST');

/** Every shipment, in Temporal's visibility language. */
export const SHIPMENTS_FILTER = "WorkflowType IN ('furnitureShipment', 'ltlShipment')";

const KEYS = [
  ...[ORDER_ID, ACCOUNT, SHIPMENT_KIND, SHIPMENT_PHASE, LISTING_ID, TRANSIT_STATUS],
  ...[PICKUP_ON, NEEDS_ATTENTION, WAITS_FOR_ACCOUNT, REFERENCES],
];

/** The search attributes and their types, created when a process starts. */
export const SEARCH_ATTRIBUTES: Readonly<Record<string, SearchAttributeType>> = Object.fromEntries(
  KEYS.map(({ name, type }) => [name, type]),
);

/** Changes when the order is revised or its pickup is postponed. */
export const pickupPair = ({ pickup }: Shipment) => ({
  key: PICKUP_ON,
  value: new Date(`${pickup.latest}T00:00:00Z`),
});

/** The numbers by which people find an order: its references, and those of its papers. */
export function referencesPair({ references }: Shipment, state: ShipmentState | null = null) {
  const numbers = [
    ...references.map(({ number }) => number),
    ...(state === null ? [] : [billOfLadingNumber(state), state.listing?.billOfLadingNumber]),
    state?.listing == null ? null : proNumberOf(state.listing),
  ].flatMap((number) => (number == null ? [] : [attributeOf(number)]));
  // The numbers of papers come last, and are the ones that carriers name.
  const { kept } = keepNewest([...new Set(numbers)], LIST_LIMITS.numbers, (number) => jsonBytes(number) + 2);
  return { key: REFERENCES, value: [...kept] };
}

/** Attributes that are known at the start, so the order can be found before its first task. */
export function startPairs(shipment: Shipment): SearchAttributePair[] {
  return [
    { key: ORDER_ID, value: shipment.orderId },
    { key: ACCOUNT, value: shipment.account },
    { key: SHIPMENT_KIND, value: shipment.kind },
    pickupPair(shipment),
    { key: SHIPMENT_PHASE, value: 'validating' },
    { key: NEEDS_ATTENTION, value: false },
    ...(shipment.references.length === 0 ? [] : [referencesPair(shipment)]),
  ];
}

/** A workflow that delivers notifications shows in its phase whether an endpoint keeps failing. */
export const DELIVERING = 'notifications';
export const DELIVERY_FAILING = 'notificationsFailing';

export const notificationPairs = (order: OrderKey): SearchAttributePair[] => [
  { key: ORDER_ID, value: order.orderId },
  { key: ACCOUNT, value: order.account },
  { key: SHIPMENT_PHASE, value: DELIVERING },
];
