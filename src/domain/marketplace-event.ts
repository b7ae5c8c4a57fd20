import type { Witness } from './booking-evidence';
import { ORDER_REFERENCE_TYPE } from './listing-proof';
import { recogniseListingStatus } from './listing-status';
import { parseOrderReference, type OrderKey } from './workflow-id';

/** The event types of the contract; any other is kept and counted as unknown. */
export const EVENT_TYPES = [
  'Shipment.TransitStatusChanged/v1',
  'Listing.Booked/v1',
  'Listing.ReferenceNumberAdded/v1',
  'Listing.StatusChanged/v1',
  'Shipment.DeliveryTimeFrameUpdated/v1',
  'Listing.Attachment.AttachmentAdded/v1',
  'Listing.PriceDetailsUpdated/v1',
] as const;

/** A notification as it reaches a workflow. A hint, never the truth: the listing is read again. */
export interface MarketplaceEvent {
  readonly id: string;
  readonly type: string;
  readonly time: string;
  readonly listingIds: readonly string[];
  /** What it says of a booking, where it does. Proves nothing by itself. */
  readonly says?: Extract<Witness, 'bookedEvent' | 'completedEvent'>;
  /** Attachments that it names. Absent in events recorded before these were read. */
  readonly attachmentIds?: readonly string[];
  /** SHA-256 of its type and data. Absent in events recorded before it was taken, and in hints of our own. */
  readonly digest?: string;
}

/**
 * Something of our own that is looked at as if an event had told of it.
 * @param hint `about` tells it from other hints; `listingId` is the listing to read, null where none is known
 * @param time ISO instant
 */
export function hintOf(
  { about, listingId }: { readonly about: string; readonly listingId: string | null },
  time: string,
): MarketplaceEvent {
  return { id: `hint-${about}`, type: 'hint', time, listingIds: listingId === null ? [] : [listingId] };
}

/** Type of the event by which a person has a listing looked up again. */
export const REPLAY = 'replay';

/** Which booking an event tells of: by its type, or by a status that it names under any key. */
export function bookingSaid(type: string, data: unknown): MarketplaceEvent['says'] | null {
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

/** What an event says about whose it is. */
export interface EventClues {
  readonly orders: readonly OrderKey[];
  readonly listingIds: readonly string[];
  readonly attachmentIds: readonly string[];
}

const LISTING_URI = /\/listings\/(\d{1,12})(?=$|[/?#])/;
const ATTACHMENT_ID = /^[\w-]{1,64}$/;
const ATTACHMENT_URI = /\/attachments\/([\w-]{1,64})(?=$|[/?#])/;
const MAX_ATTACHMENTS = 10;
const MAX_DEPTH = 6;

function* entries(value: unknown, depth = 0): Generator<[key: string, value: unknown, owner: object]> {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  for (const [key, inner] of Object.entries(value)) {
    yield [key, inner, value];
    yield* entries(inner, depth + 1);
  }
}

/** The type of a reference is a name, or a trio whose `value` is the name. */
function typeName(type: unknown): unknown {
  return typeof type === 'object' && type !== null && 'value' in type ? type.value : type;
}

/**
 * Finds our own reference numbers, then listing ids, in an event whose inner fields are hardly documented:
 * `referenceNumbers[]` of `{number, type}`, `listingId`, and any URI that ends in `/listings/{id}`; `attachmentId`, and
 * any URI with `/attachments/{id}`.
 */
export function readClues(source: string, data: unknown): EventClues {
  const orders = new Map<string, OrderKey>();
  const listingIds = new Set<string>();
  const attachmentIds = new Set<string>();
  const addUri = (text: string): void => {
    const id = LISTING_URI.exec(text)?.[1];
    if (id !== undefined) listingIds.add(id);
    const attachmentId = ATTACHMENT_URI.exec(text)?.[1];
    if (attachmentId !== undefined) attachmentIds.add(attachmentId);
  };
  for (const [key, value, owner] of entries({ data })) {
    if (key === 'number' && typeof value === 'string' && 'type' in owner) {
      const order = typeName(owner.type) === ORDER_REFERENCE_TYPE ? parseOrderReference(value) : null;
      if (order !== null) orders.set(value, order);
    }
    if (/^listing(Generated)?Id$/i.test(key) && (typeof value === 'number' || typeof value === 'string')) {
      if (/^\d{1,12}$/.test(String(value))) listingIds.add(String(value));
    } else if (/^attachmentId$/i.test(key)) {
      const id = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
      if (ATTACHMENT_ID.test(id)) attachmentIds.add(id);
    } else if (typeof value === 'string') addUri(value);
  }
  addUri(source);
  return {
    orders: [...orders.values()],
    listingIds: [...listingIds],
    attachmentIds: [...attachmentIds].slice(0, MAX_ATTACHMENTS),
  };
}
