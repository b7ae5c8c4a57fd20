import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';
import { pickupAttribute } from '../../contract/search-attributes';
import type { Shipment } from '../../domain/shipment';

const ORDER_ID = defineSearchAttributeKey('OrderId', 'KEYWORD');
const ACCOUNT = defineSearchAttributeKey('Account', 'KEYWORD');
const SHIPMENT_KIND = defineSearchAttributeKey('ShipmentKind', 'KEYWORD');
const PICKUP_ON = defineSearchAttributeKey('PickupOn', 'DATETIME');
const SHIPMENT_PHASE = defineSearchAttributeKey('ShipmentPhase', 'KEYWORD');
const NEEDS_ATTENTION = defineSearchAttributeKey('NeedsAttention', 'BOOL');

/** What is known of an order at its start, set with it, so that it can be found before its first task. */
export function fixedAttributePairs(shipment: Shipment): SearchAttributePair[] {
  return [
    { key: ORDER_ID, value: shipment.orderId },
    { key: ACCOUNT, value: shipment.account },
    { key: SHIPMENT_KIND, value: shipment.kind },
    { key: PICKUP_ON, value: new Date(pickupAttribute(shipment)) },
    { key: SHIPMENT_PHASE, value: 'validating' },
    { key: NEEDS_ATTENTION, value: false },
  ];
}
