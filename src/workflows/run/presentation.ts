import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { noticesOf } from '../../domain/bounded-state';
import { attributeOf, cutText, jsonBytes, TEXT_BYTES } from '../../domain/bounds';
import { deliveryText } from '../../domain/listing';
import {
  ACCOUNT,
  LISTING_ID,
  NEEDS_ATTENTION,
  SHIPMENT_PHASE,
  TRANSIT_STATUS,
  WAITS_FOR_ACCOUNT,
} from '../../contract/search-attributes';
import { billOfLadingNumber, carrierName, priceLines } from '../../domain/shipment-result';
import { followedListing, type ShipmentState } from '../../domain/shipment-state';
import { waitingLine, type Waiting } from '../../domain/waiting';

/** Lists an account's question among the questions of shipments. */
export function accountPausePairs(account: string): SearchAttributeUpdatePair[] {
  return [
    { key: ACCOUNT, value: account },
    { key: SHIPMENT_PHASE, value: 'accountPause' },
    { key: NEEDS_ATTENTION, value: true },
  ];
}

/** Search attributes that change with the state. */
export function searchAttributePairs(state: ShipmentState): SearchAttributeUpdatePair[] {
  const listingId = followedListing(state) ?? state.listing?.listingId ?? null;
  return [
    { key: SHIPMENT_PHASE, value: state.at.phase },
    { key: NEEDS_ATTENTION, value: state.question !== null || state.unreadable !== null },
    // The account's pause counts shipments by this attribute.
    { key: WAITS_FOR_ACCOUNT, value: state.pause === null ? null : true },
    // Null deletes the value: a search for a listing that the order has left must not find this order.
    { key: LISTING_ID, value: attributeOrNull(listingId) },
    { key: TRANSIT_STATUS, value: attributeOrNull(state.listing?.transitStatus ?? null) },
  ];
}

/** Bounds every value of the marketplace, because a value that the server refuses ends the workflow. */
const attributeOrNull = (value: string | null): string | null => (value === null ? null : attributeOf(value));

/** Cuts a long question, but never the commands after it. */
export function waitingMemo(waiting: Waiting | null): string {
  if (waiting === null) return waitingLine(null);
  const room = TEXT_BYTES.memo - jsonBytes(waitingLine({ ...waiting, what: '' }));
  return cutText(waitingLine({ ...waiting, what: cutText(waiting.what, room) }), TEXT_BYTES.memo);
}

/** Markdown for the web UI: what the shipment waits for, its facts, and the last timeline lines. */
export function currentDetails(state: ShipmentState, waiting: Waiting | null): string {
  const facts: [string, string | null | undefined][] = [
    ['Listing', followedListing(state)],
    ['Carrier', carrierName(state)],
    ...priceLines(state),
    ['Bill of lading', billOfLadingNumber(state)],
    ['Transit', state.listing?.transitStatus],
    ['Delivery', state.listing === null ? null : deliveryText(state.listing)],
    ['Last seen', state.lastSeen],
  ];
  const details = [
    `**${state.at.phase}**`,
    ...(waiting === null ? [] : [`Waits for ${waiting.what}`, `You may: ${waiting.mayDo}`]),
    facts.flatMap(([name, value]) => (value == null ? [] : [`- ${name}: ${value}`])).join('\n'),
    noticesOf(state)
      .map((text) => `- Notice: ${text}`)
      .join('\n'),
    state.timeline
      .slice(-12)
      .map(({ at, what }) => `- ${at} ${what}`)
      .join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
  return cutText(details, TEXT_BYTES.details);
}
