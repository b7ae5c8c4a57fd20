import type { Witness } from './booking-evidence';
import { cutText } from './bounds';
import { isOrderType, orderOfReference } from './listing-proof';
import { recogniseListingStatus } from './listing-status';
import type { OrderKey } from './workflow-id';

/** Announces attachments, which the listing record does not contain. */
export const ATTACHMENT_ADDED = 'Listing.Attachment.AttachmentAdded/v1';

/** Event types of the contract. Consign keeps any other type and counts it as unknown. */
export const EVENT_TYPES = [
  'Shipment.TransitStatusChanged/v1',
  'Listing.Booked/v1',
  'Listing.ReferenceNumberAdded/v1',
  'Listing.StatusChanged/v1',
  'Shipment.DeliveryTimeFrameUpdated/v1',
  ATTACHMENT_ADDED,
  'Listing.PriceDetailsUpdated/v1',
] as const;

/**
 * A notification from the marketplace, in the form that reaches a workflow. A hint, never the truth: Consign reads
 * the listing again.
 */
export interface MarketplaceEvent {
  readonly id: string;
  readonly type: string;
  /** The sender's text, or empty. No code decides by it. */
  readonly time: string;
  readonly listingIds: readonly string[];
  /** What the event says about a booking, if anything. Proves nothing by itself. */
  readonly says?: Extract<Witness, 'bookedEvent' | 'completedEvent'>;
  /** Attachments that the event names. Consign's own hints name none. */
  readonly attachmentIds?: readonly string[];
  /** SHA-256 of type and data. Consign's own hints have none. */
  readonly digest?: string;
  /**
   * Identity of the event, because `id` is unique only within an integration and source. Consign's own hints have
   * none.
   */
  readonly key?: string;
  /** How much of what the event names was left out; absent when nothing was. */
  readonly leftOut?: NamedTooMuch;
}

/**
 * Consign's own reason to read a listing, in the form of an event.
 * @param hint `about` distinguishes hints; `listingId` is the listing to read, null when none is known
 * @param time ISO instant
 */
export function hintOf(
  { about, listingId }: { readonly about: string; readonly listingId: string | null },
  time: string,
): MarketplaceEvent {
  return { id: `hint-${about}`, type: 'hint', time, listingIds: listingId === null ? [] : [listingId] };
}

/** Identifies a repeated event: by its key, otherwise by its id. */
export const keyOf = ({ id, key }: Pick<MarketplaceEvent, 'id' | 'key'>): string => key ?? id;

/** Event type for a look-up that a person asked for. */
export const REPLAY = 'replay';

/** What an event says about a booking: by its type, or by a status under any key. */
export function bookingSaid(type: string, data: object): MarketplaceEvent['says'] | null {
  if (type === 'Listing.Booked/v1') return 'bookedEvent';
  if (type !== 'Listing.StatusChanged/v1') return null;
  for (const [key, value] of entries(data)) {
    if (!/status|value|name|label/i.test(key) || typeof value !== 'string') continue;
    const status = recogniseListingStatus([value], {});
    if (status === 'Completed') return 'completedEvent';
    if (status === 'Booked') return 'bookedEvent';
  }
  return null;
}

/** Clues in an event about the order that it belongs to. */
export interface EventClues {
  readonly orders: readonly OrderKey[];
  readonly listingIds: readonly string[];
  readonly attachmentIds: readonly string[];
  /** Null when nothing was left out. */
  readonly leftOut: NamedTooMuch | null;
}

/** How many further listings and attachments an event names. */
export interface NamedTooMuch {
  readonly listings: number;
  readonly orders: number;
  readonly attachments: number;
}

/** The limit for each list in an event: each entry costs a call or a signal, and an event of the contract names one. */
export const NAMED_AT_MOST = 10;

/** Longest identifier, type and instant; the marketplace's are shorter. */
const MAX_EVENT_TEXT = 200;

/** Bounds an event, from any sender, before a workflow handles it. */
export function boundedEvent(event: MarketplaceEvent): MarketplaceEvent {
  const { id, type, time, listingIds, attachmentIds = [], digest, key, leftOut, says } = event;
  const more = {
    listings: (leftOut?.listings ?? 0) + Math.max(0, listingIds.length - NAMED_AT_MOST),
    orders: leftOut?.orders ?? 0,
    attachments: (leftOut?.attachments ?? 0) + Math.max(0, attachmentIds.length - NAMED_AT_MOST),
  };
  const isAll = more.listings + more.orders + more.attachments === 0;
  return {
    id: cutText(id, MAX_EVENT_TEXT),
    type: cutText(type, MAX_EVENT_TEXT),
    time: cutText(time, MAX_EVENT_TEXT),
    listingIds: listingIds.slice(0, NAMED_AT_MOST).map((listingId) => cutText(listingId, MAX_EVENT_TEXT)),
    attachmentIds: attachmentIds.slice(0, NAMED_AT_MOST).map((one) => cutText(one, MAX_EVENT_TEXT)),
    ...(digest === undefined ? {} : { digest: cutText(digest, MAX_EVENT_TEXT) }),
    ...(key === undefined ? {} : { key: cutText(key, MAX_EVENT_TEXT) }),
    ...(says === undefined ? {} : { says }),
    ...(isAll ? {} : { leftOut: more }),
  };
}

const LISTING_URI = /\/listings\/(\d{1,12})(?=$|[/?#])/;
const ATTACHMENT_ID = /^[\w-]{1,64}$/;
const ATTACHMENT_URI = /\/attachments\/([\w-]{1,64})(?=$|[/?#])/;
const MAX_DEPTH = 6;

/** Outer fields first: the subject of an event stands above the lists inside it. */
function* entries(value: object): Generator<[key: string, value: unknown, owner: object]> {
  let level: object[] = [value];
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
    const inner: object[] = [];
    for (const owner of level) {
      for (const [key, one] of Object.entries(owner)) {
        yield [key, one, owner];
        if (typeof one === 'object' && one !== null) inner.push(one);
      }
    }
    level = inner;
  }
}

/** The type of a reference is a name, or an object whose `value` is the name. */
function typeName(type: unknown): unknown {
  return typeof type === 'object' && type !== null && 'value' in type ? type.value : type;
}

/**
 * Finds order references and listing ids in an event, whose inner fields are hardly documented: `referenceNumbers[]`
 * of `{number, type}`, `listingId`, any URI that ends in `/listings/{id}`; and for attachments `attachmentId` and any
 * URI with `/attachments/{id}`.
 */
export function readClues(source: string, data: unknown): EventClues {
  const orders = new Map<string, OrderKey>();
  /**
   * Under other types, which the marketplace may have renamed: they count only when no reference has the right type.
   */
  const others = new Map<string, OrderKey>();
  const listingIds = new Set<string>();
  const attachmentIds = new Set<string>();
  const addUri = (text: string): void => {
    const id = LISTING_URI.exec(text)?.[1];
    if (id !== undefined) listingIds.add(id);
    const attachmentId = ATTACHMENT_URI.exec(text)?.[1];
    if (attachmentId !== undefined) attachmentIds.add(attachmentId);
  };
  for (const [key, value, owner] of entries({ data })) {
    if (key === 'number' && typeof value === 'string') {
      const order = orderOfReference(value);
      const isTyped = 'type' in owner && isOrderType(String(typeName(owner.type)));
      if (order !== null) (isTyped ? orders : others).set(value, order);
    }
    if (/^listing(Generated)?Id$/i.test(key) && (typeof value === 'number' || typeof value === 'string')) {
      if (/^\d{1,12}$/.test(String(value))) listingIds.add(String(value));
    } else if (/^attachmentId$/i.test(key)) {
      const id = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
      if (ATTACHMENT_ID.test(id)) attachmentIds.add(id);
    } else if (typeof value === 'string') addUri(value);
  }
  addUri(source);
  const named = orders.size > 0 ? orders : others;
  const more = ({ size }: { readonly size: number }): number => Math.max(0, size - NAMED_AT_MOST);
  const leftOut = {
    listings: more(listingIds),
    orders: more(named),
    attachments: more(attachmentIds),
  };
  return {
    orders: [...named.values()].slice(0, NAMED_AT_MOST),
    listingIds: withSource([...listingIds], LISTING_URI.exec(source)?.[1] ?? null),
    attachmentIds: [...attachmentIds].slice(0, NAMED_AT_MOST),
    leftOut: Object.values(leftOut).every((count) => count === 0) ? null : leftOut,
  };
}

/** The source names the subject of the event, so it is kept, however much the data lists. */
function withSource(listingIds: readonly string[], ofSource: string | null): readonly string[] {
  const kept = listingIds.slice(0, NAMED_AT_MOST);
  return ofSource === null || kept.includes(ofSource) ? kept : [...kept.slice(0, -1), ofSource];
}
