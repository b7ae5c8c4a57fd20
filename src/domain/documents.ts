import { LIST_LIMITS } from './bounds';
import type { MarketplaceEvent } from './marketplace-event';
import type { IsoInstant, Shipment, StoredImage } from './shipment';

/** A document that Consign fetched and stored. Its address is not kept, because it is a secret and expires. */
export interface StoredDocument {
  /** The marketplace's name, or one that Consign made. Not yet safe as the name of a file. */
  readonly fileName: string;
  /** From the content, not the name; `application/octet-stream` when unknown. */
  readonly contentType: string;
  readonly sizeInBytes: number;
  /** SHA-256 of the content in hex: its address in the file store. */
  readonly sha256: string;
  readonly fetchedAt: IsoInstant;
}

/** The stored bill of lading. */
export interface StoredBillOfLading extends StoredDocument {
  readonly billOfLadingNumber: string;
}

/** A stored document that the marketplace attached to the listing. */
export interface StoredAttachment extends StoredDocument {
  readonly attachmentId: string;
  /** The marketplace's type, such as `ProofOfDelivery` (an open list), or null. */
  readonly attachmentType: string | null;
  /** As the marketplace writes it. */
  readonly fileType: string | null;
  readonly notes: string | null;
}

/** An attachment that an event named and that Consign has not fetched yet. */
export interface WantedAttachment {
  readonly attachmentId: string;
  readonly since: IsoInstant;
}

/** What a shipment knows about its documents. */
export interface DocumentFacts {
  /** The order's images, stored before the order started. */
  readonly images: readonly StoredImage[];
  readonly billOfLading: StoredBillOfLading | 'unavailable' | null;
  readonly attachments: readonly StoredAttachment[];
  /** In the order of fetching. */
  readonly wantedAttachments: readonly WantedAttachment[];
}

/** LTL orders have none. */
export function imagesOf(shipment: Shipment): readonly StoredImage[] {
  return shipment.kind === 'furniture' ? shipment.images : [];
}

/**
 * Attachments that an event names. Events about a listing that the order has left are ignored, because the new
 * listing does not have them.
 */
export function attachmentsNamed(
  { listingIds, attachmentIds = [] }: Pick<MarketplaceEvent, 'listingIds' | 'attachmentIds'>,
  earlierListingIds: readonly string[],
): readonly string[] {
  return listingIds.some((id) => earlierListingIds.includes(id)) ? [] : attachmentIds;
}

/** Adds the attachments that an event named, each once. `refused`: those for which there is no room. */
export function wantAttachments(
  facts: Pick<DocumentFacts, 'attachments' | 'wantedAttachments'>,
  attachmentIds: readonly string[],
  since: IsoInstant,
): { readonly wantedAttachments: readonly WantedAttachment[]; readonly refused: readonly string[] } {
  const { attachments, wantedAttachments } = facts;
  const known = new Set([...attachments, ...wantedAttachments].map(({ attachmentId }) => attachmentId));
  const added = [...new Set(attachmentIds)].filter((attachmentId) => !known.has(attachmentId));
  const room = Math.max(0, LIST_LIMITS.attachments.count - known.size);
  return {
    wantedAttachments: [
      ...wantedAttachments,
      ...added.slice(0, room).map((attachmentId) => ({ attachmentId, since })),
    ],
    refused: added.slice(room),
  };
}

/** Any stored document, in one form for people and programs. */
export interface ListedDocument {
  readonly kind: 'image' | 'billOfLading' | 'attachment';
  /** Distinguishes documents of one kind: an image's position, a bill of lading's number, an attachment's id. */
  readonly id: string;
  /** The type of an attachment. */
  readonly type: string | null;
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeInBytes: number;
  readonly sha256: string;
  /** Null for images, which are stored before the shipment starts. */
  readonly fetchedAt: IsoInstant | null;
}

const listed = (
  name: Pick<ListedDocument, 'kind' | 'id' | 'type'>,
  { fileName, contentType, sizeInBytes, sha256 }: StoredImage,
  fetchedAt: IsoInstant | null,
): ListedDocument => ({ ...name, fileName, contentType, sizeInBytes, sha256, fetchedAt });

export function listDocuments({ images, billOfLading, attachments }: DocumentFacts): ListedDocument[] {
  const bills = billOfLading === null || billOfLading === 'unavailable' ? [] : [billOfLading];
  return [
    ...images.map((image, index) =>
      listed({ kind: 'image', id: String(index + 1), type: null }, image, null),
    ),
    ...bills.map((bill) =>
      listed({ kind: 'billOfLading', id: bill.billOfLadingNumber, type: null }, bill, bill.fetchedAt),
    ),
    ...attachments.map((file) =>
      listed({ kind: 'attachment', id: file.attachmentId, type: file.attachmentType }, file, file.fetchedAt),
    ),
  ];
}
