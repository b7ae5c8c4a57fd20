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

/** An account's one question stands among the questions of shipments. */
export function accountPausePairs(account: string): SearchAttributeUpdatePair[] {
  return [
    { key: ACCOUNT, value: account },
    { key: SHIPMENT_PHASE, value: 'accountPause' },
    { key: NEEDS_ATTENTION, value: true },
  ];
}

/** What changes with the state. */
export function searchAttributePairs(state: ShipmentState): SearchAttributeUpdatePair[] {
  const listingId = followedListing(state) ?? state.listing?.listingId ?? null;
  return [
    { key: SHIPMENT_PHASE, value: state.at.phase },
    { key: NEEDS_ATTENTION, value: state.question !== null || state.unreadable !== null },
    // By this the account's question counts them.
    { key: WAITS_FOR_ACCOUNT, value: state.pause === null ? null : true },
    // Null takes it back: a listing that was left must not be found as this order's.
    { key: LISTING_ID, value: attributeOrNull(listingId) },
    { key: TRANSIT_STATUS, value: attributeOrNull(state.listing?.transitStatus ?? null) },
  ];
}

/** Whatever the marketplace writes: a value that the server refuses ends the workflow. */
const attributeOrNull = (value: string | null): string | null => (value === null ? null : attributeOf(value));

/** A long question is cut, and not the commands behind it. */
export function waitingMemo(waiting: Waiting | null): string {
  if (waiting === null) return waitingLine(null);
  const room = TEXT_BYTES.memo - jsonBytes(waitingLine({ ...waiting, what: '' }));
  return cutText(waitingLine({ ...waiting, what: cutText(waiting.what, room) }), TEXT_BYTES.memo);
}

/** Markdown for the web UI: what it waits for, what is known, and the last lines of the story. */
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
